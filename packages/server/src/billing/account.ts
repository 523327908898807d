import type { Environment } from 'sri-core';
import type { OfferedTier, TenantStatus, Tier } from '../accounts/index.js';
import { requireTransition, type Transitions } from '../platform/transitions.js';

/** The billing intervals of a subscription. */
export const BILLING_INTERVALS = ['MONTHLY', 'YEARLY'] as const;

/** A month, or a year. */
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** The status of a subscription. PENDING_PAYMENT until its first payment is verified. */
export const SUBSCRIPTION_STATUSES = ['PENDING_PAYMENT', 'ACTIVE', 'CANCELLED', 'EXPIRED'] as const;

/** The status of a subscription. */
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * The transitions of a subscription. An expired one becomes active again when a payment for its next period is verified
 * that was reported in time.
 */
export const SUBSCRIPTION_TRANSITIONS: Transitions<SubscriptionStatus> = {
  PENDING_PAYMENT: ['ACTIVE', 'CANCELLED'],
  ACTIVE: ['CANCELLED', 'EXPIRED'],
  CANCELLED: [],
  EXPIRED: ['ACTIVE'],
};

/** A paid plan of an account. */
export interface Subscription {
  readonly id: string;
  readonly tier: OfferedTier;
  readonly billingInterval: BillingInterval;
  readonly status: SubscriptionStatus;
  /** The day of the month from which periods are counted; null until the subscription is active. */
  readonly anchor: Date | null;
  /** Null until the subscription is active. */
  readonly currentPeriodStart: Date | null;
  /** The end of the paid time; null until the subscription is active. */
  readonly currentPeriodEnd: Date | null;
  /** The tier from `pendingAt` on; FREE for the end of the subscription. */
  readonly pendingTier: OfferedTier | null;
  readonly pendingBillingInterval: BillingInterval | null;
  readonly pendingExtraSeats: number | null;
  /** When the pending change takes effect; null when nothing is pending. */
  readonly pendingAt: Date | null;
  /** Whether the time after `pendingAt` is paid already, by the change itself. */
  readonly pendingIsPaid: boolean;
  readonly extraSeats: number;
  /** The end of the last period with a payment warning; null before any warning. */
  readonly warnedFor: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly canceledAt: Date | null;
}

/** The purpose of a payment. */
export const PAYMENT_PURPOSES = ['INITIAL', 'TIER_CHANGE', 'RENEWAL'] as const;

/** The purpose of a payment. A change of seats is a TIER_CHANGE whose tier stays. */
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number];

/** The status of a payment. */
export const PAYMENT_STATUSES = ['PENDING', 'REPORTED', 'VERIFIED', 'REJECTED', 'REFUNDED', 'CANCELLED'] as const;

/** The status of a payment. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The transitions of a payment. */
export const PAYMENT_TRANSITIONS: Transitions<PaymentStatus> = {
  PENDING: ['REPORTED', 'VERIFIED', 'REJECTED', 'CANCELLED'],
  REPORTED: ['REPORTED', 'VERIFIED', 'REJECTED'],
  REJECTED: ['REPORTED', 'VERIFIED', 'CANCELLED'],
  VERIFIED: ['REFUNDED'],
  REFUNDED: [],
  CANCELLED: [],
};

/** The reasons of a rejected payment. */
export const REJECTION_REASONS = [
  'AMOUNT_MISMATCH',
  'TRANSFER_NOT_FOUND',
  'WRONG_ACCOUNT',
  'ILLEGIBLE_PROOF',
  'DUPLICATE_SUBMISSION',
  'OTHER',
] as const;

/** The reason of a rejected payment. */
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** A bank transfer that is due, on its way or done. Amounts are exact decimal text in dollars. */
export interface Payment {
  readonly id: string;
  readonly subscriptionId: string;
  readonly purpose: PaymentPurpose;
  readonly status: PaymentStatus;
  /** A short code for the transfer. */
  readonly paymentCode: string;
  /** Before IVA. */
  readonly amount: string;
  /** Percent. */
  readonly ivaRate: string;
  readonly ivaAmount: string;
  readonly totalAmount: string;
  readonly targetTier: OfferedTier;
  readonly targetBillingInterval: BillingInterval;
  readonly targetExtraSeats: number;
  readonly rejectionReason: RejectionReason | null;
  readonly dueAt: Date;
  readonly reportedAt: Date | null;
  readonly verifiedAt: Date | null;
  /** The paid period; null until it is applied. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** The operator's invoice for it; null without one, or when another system made it. */
  readonly invoiceDocumentId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The state before the payment was applied, for a refund; null until it is applied. */
  readonly before: AppliedState | null;
}

/** The state that a payment changes when it is applied. */
export interface AppliedState {
  readonly subscription: Subscription;
  readonly tier: Tier;
  readonly status: BillingAccount['status'];
}

/** The billing data of an account. */
export interface BillingAccount {
  readonly tenantId: string;
  readonly tier: Tier;
  /** Its status, or the status to which it returns after a suspension. */
  readonly status: Exclude<TenantStatus, 'SUSPENDED'>;
  readonly isSuspended: boolean;
  readonly environment: Environment;
  /** All its subscriptions, oldest first. */
  readonly subscriptions: readonly Subscription[];
  /** Oldest first. */
  readonly payments: readonly Payment[];
}

/** The current subscription: active, or waiting for its first payment. */
export function currentSubscription(account: BillingAccount): Subscription | null {
  return account.subscriptions.find(({ status }) => status === 'ACTIVE' || status === 'PENDING_PAYMENT') ?? null;
}

/** Whether a payment can still be made. */
export function isOpen({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'REPORTED' || status === 'REJECTED';
}

/** The open payments of a subscription. */
export function openPayments(account: BillingAccount, subscriptionId: string): readonly Payment[] {
  return account.payments.filter((payment) => payment.subscriptionId === subscriptionId && isOpen(payment));
}

/** The account with a subscription, which replaces the one with its id or comes last. @throws IllegalTransitionError */
export function withSubscription(account: BillingAccount, subscription: Subscription): BillingAccount {
  return { ...account, subscriptions: replace(account.subscriptions, subscription, SUBSCRIPTION_TRANSITIONS) };
}

/** The account with a payment, which replaces the one with its id or comes last. @throws IllegalTransitionError */
export function withPayment(account: BillingAccount, payment: Payment): BillingAccount {
  return { ...account, payments: replace(account.payments, payment, PAYMENT_TRANSITIONS) };
}

/** The account with the time of the change in every subscription and payment that differs from before. */
export function stampChanges(before: BillingAccount, after: BillingAccount, now: Date): BillingAccount {
  return {
    ...after,
    subscriptions: stamp(before.subscriptions, after.subscriptions, now),
    payments: stamp(before.payments, after.payments, now),
  };
}

// --- internal ---

function stamp<Item extends { readonly updatedAt: Date }>(
  before: readonly Item[],
  after: readonly Item[],
  now: Date,
): readonly Item[] {
  const known = new Set(before);
  return after.map((item) => (known.has(item) ? item : { ...item, updatedAt: now }));
}

/** The only place that changes the status of subscriptions and payments. */
function replace<Status extends string, Item extends { readonly id: string; readonly status: Status }>(
  items: readonly Item[],
  item: Item,
  transitions: Transitions<Status>,
): readonly Item[] {
  const known = items.find(({ id }) => id === item.id);
  if (!known) return [...items, item];
  if (known.status !== item.status) requireTransition(transitions, known.status, item.status);
  return items.map((each) => (each === known ? item : each));
}
