import type { Insertable, Selectable } from 'kysely';
import type { OfferedTier } from '../accounts/index.js';
import type {
  AppliedState,
  BillingInterval,
  Payment,
  PaymentPurpose,
  PaymentStatus,
  RejectionReason,
  Subscription,
  SubscriptionStatus,
} from './account.js';
import type { PaymentsTable, SubscriptionsTable } from './tables.js';

/** A row as a subscription. */
export function toSubscription(row: Selectable<SubscriptionsTable>): Subscription {
  return {
    id: row.id,
    tier: row.tier as OfferedTier,
    billingInterval: row.billing_interval as BillingInterval,
    status: row.status as SubscriptionStatus,
    anchor: toDate(row.anchor),
    currentPeriodStart: toDate(row.current_period_start),
    currentPeriodEnd: toDate(row.current_period_end),
    pendingTier: row.pending_tier as OfferedTier | null,
    pendingBillingInterval: row.pending_billing_interval as BillingInterval | null,
    pendingExtraSeats: row.pending_extra_seats,
    pendingAt: toDate(row.pending_at),
    pendingIsPaid: row.pending_is_paid === 1,
    extraSeats: row.extra_seats,
    warnedFor: toDate(row.warned_for),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    canceledAt: toDate(row.canceled_at),
  };
}

/** A subscription as its row. @param nextStepAt when time alone changes it next; null for never. */
export function toSubscriptionRow(
  tenantId: string,
  subscription: Subscription,
  nextStepAt: Date | null,
): Insertable<SubscriptionsTable> {
  return {
    id: subscription.id,
    tenant_id: tenantId,
    tier: subscription.tier,
    billing_interval: subscription.billingInterval,
    status: subscription.status,
    anchor: toTime(subscription.anchor),
    current_period_start: toTime(subscription.currentPeriodStart),
    current_period_end: toTime(subscription.currentPeriodEnd),
    pending_tier: subscription.pendingTier,
    pending_billing_interval: subscription.pendingBillingInterval,
    pending_extra_seats: subscription.pendingExtraSeats,
    pending_at: toTime(subscription.pendingAt),
    pending_is_paid: subscription.pendingIsPaid ? 1 : 0,
    extra_seats: subscription.extraSeats,
    warned_for: toTime(subscription.warnedFor),
    next_step_at: toTime(nextStepAt),
    created_at: subscription.createdAt.getTime(),
    updated_at: subscription.updatedAt.getTime(),
    canceled_at: toTime(subscription.canceledAt),
  };
}

/** A payment's row with the document that is its invoice. */
export type PaymentRow = Selectable<PaymentsTable> & { readonly invoice_document_id: string | null };

/** A row as a payment. */
export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    purpose: row.purpose as PaymentPurpose,
    status: row.status as PaymentStatus,
    paymentCode: row.payment_code,
    amount: row.amount,
    ivaRate: row.iva_rate,
    ivaAmount: row.iva_amount,
    totalAmount: row.total_amount,
    targetTier: row.target_tier as OfferedTier,
    targetBillingInterval: row.target_billing_interval as BillingInterval,
    targetExtraSeats: row.target_extra_seats,
    rejectionReason: row.rejection_reason as RejectionReason | null,
    dueAt: new Date(row.due_at),
    reportedAt: toDate(row.reported_at),
    verifiedAt: toDate(row.verified_at),
    periodStart: toDate(row.period_start),
    periodEnd: toDate(row.period_end),
    invoiceDocumentId: row.invoice_document_id,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    before: row.state_before === null ? null : readState(row.state_before),
  };
}

/** A payment as its row. */
export function toPaymentRow(tenantId: string, payment: Payment): Insertable<PaymentsTable> {
  return {
    id: payment.id,
    tenant_id: tenantId,
    subscription_id: payment.subscriptionId,
    purpose: payment.purpose,
    status: payment.status,
    payment_code: payment.paymentCode,
    amount: payment.amount,
    iva_rate: payment.ivaRate,
    iva_amount: payment.ivaAmount,
    total_amount: payment.totalAmount,
    target_tier: payment.targetTier,
    target_billing_interval: payment.targetBillingInterval,
    target_extra_seats: payment.targetExtraSeats,
    rejection_reason: payment.rejectionReason,
    due_at: payment.dueAt.getTime(),
    reported_at: toTime(payment.reportedAt),
    verified_at: toTime(payment.verifiedAt),
    period_start: toTime(payment.periodStart),
    period_end: toTime(payment.periodEnd),
    created_at: payment.createdAt.getTime(),
    updated_at: payment.updatedAt.getTime(),
    state_before: payment.before && writeState(payment.before),
  };
}

// --- internal ---

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

function toTime(date: Date | null): number | null {
  return date?.getTime() ?? null;
}

function writeState({ subscription, tier, status }: AppliedState): string {
  return JSON.stringify({ subscription: toSubscriptionRow('', subscription, null), tier, status });
}

function readState(text: string): AppliedState {
  const { subscription, ...rest } = JSON.parse(text);
  return { ...rest, subscription: toSubscription(subscription) };
}
