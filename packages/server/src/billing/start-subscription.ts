import { Refusal } from '../platform/errors/refusal.js';
import {
  type BillingAccount,
  currentSubscription,
  type Subscription,
  withPayment,
  withSubscription,
} from './account.js';
import { newPayment, PAYMENT_TERM_MS, requirePrice } from './new-payment.js';
import type { BillingContext, BillingOutcome } from './outcome.js';
import type { Order } from './pricing.js';

/**
 * Starts a subscription, which becomes active when its first payment is verified.
 *
 * @throws Refusal VALIDATION_FAILED, EMAIL_VERIFICATION_REQUIRED, SUBSCRIPTION_ALREADY_IN_FLIGHT
 */
export function startSubscription(account: BillingAccount, order: Order, context: BillingContext): BillingOutcome {
  const price = requirePrice(context, order, context.now);
  if (account.status === 'PENDING_VERIFICATION') throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
  if (currentSubscription(account)) throw new Refusal('SUBSCRIPTION_ALREADY_IN_FLIGHT');
  const subscription: Subscription = {
    id: context.newId(),
    ...order,
    status: 'PENDING_PAYMENT',
    anchor: null,
    currentPeriodStart: null,
    currentPeriodEnd: null,
    ...NOTHING_PENDING,
    warnedFor: null,
    createdAt: context.now,
    updatedAt: context.now,
    canceledAt: null,
  };
  const dueAt = new Date(context.now.getTime() + PAYMENT_TERM_MS);
  const payment = newPayment(context, subscription, { purpose: 'INITIAL', target: order, amount: price, dueAt });
  const { id: subscriptionId, tier, billingInterval } = subscription;
  return {
    account: withPayment(withSubscription(account, subscription), payment),
    events: [{ eventType: 'SUBSCRIPTION_CREATED', detail: { subscriptionId, tier, billingInterval } }],
    notices: [],
  };
}

/** No change under way. */
export const NOTHING_PENDING = {
  pendingTier: null,
  pendingBillingInterval: null,
  pendingExtraSeats: null,
  pendingAt: null,
  pendingIsPaid: false,
} as const;
