import { invalid, ruleFailure } from '../platform/errors/refusal.js';
import type { Payment, PaymentPurpose, Subscription } from './account.js';
import type { BillingContext } from './outcome.js';
import { fullPrice, type Order, withIva } from './pricing.js';

/** A new payment to be made. */
export interface PaymentDraft {
  readonly purpose: PaymentPurpose;
  readonly target: Order;
  /** Before IVA, in cents. */
  readonly amount: bigint;
  readonly dueAt: Date;
}

/** A pending payment. */
export function newPayment(
  context: BillingContext,
  subscription: Pick<Subscription, 'id'>,
  { purpose, target, amount, dueAt }: PaymentDraft,
): Payment {
  return {
    id: context.newId(),
    subscriptionId: subscription.id,
    purpose,
    status: 'PENDING',
    paymentCode: context.newPaymentCode(),
    ...withIva(amount, context.ivaRate),
    targetTier: target.tier,
    targetBillingInterval: target.billingInterval,
    targetExtraSeats: target.extraSeats,
    rejectionReason: null,
    dueAt,
    reportedAt: null,
    verifiedAt: null,
    periodStart: null,
    periodEnd: null,
    invoiceDocumentId: null,
    createdAt: context.now,
    updatedAt: context.now,
    before: null,
  };
}

/** The price of an order. @throws Refusal VALIDATION_FAILED when it is not offered. */
export function requirePrice(context: BillingContext, order: Order, at: Date): bigint {
  const price = fullPrice(context.prices, order, at);
  if (price === null) throw invalid([ruleFailure('billingInterval', 'notOffered', { tier: order.tier })]);
  return price;
}

/** The term of a payment without a period, in milliseconds. */
export const PAYMENT_TERM_MS = 7 * 86_400_000;
