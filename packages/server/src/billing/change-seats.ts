import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, openPayments, type Subscription, withPayment, withSubscription } from './account.js';
import { requireActive, requireNothingPending } from './active-subscription.js';
import type { ChangeOutcome } from './change-tier.js';
import { newPayment, PAYMENT_TERM_MS, requirePrice } from './new-payment.js';
import type { BillingContext } from './outcome.js';
import { proportion } from './pricing.js';
import { repriceRenewal } from './renewal.js';

/**
 * Changes the number of extra seats. An increase costs its share of the time left and applies once it is paid. A
 * decrease is free and applies when the period ends, in the sandbox at once.
 *
 * @throws Refusal NO_ACTIVE_SUBSCRIPTION, CANCELLATION_ALREADY_PENDING, TIER_CHANGE_ALREADY_PENDING, SEAT_CHANGE_NO_OP,
 *   SEAT_CHANGE_ALREADY_PENDING, RENEWAL_UNPAID
 */
export function changeSeats(account: BillingAccount, extraSeats: number, context: BillingContext): ChangeOutcome {
  const subscription = requireActive(account);
  const { now } = context;
  requireNothingPending(subscription);
  const isOrdered = openPayments(account, subscription.id).some(({ purpose }) => purpose === 'TIER_CHANGE');
  if (isOrdered) throw new Refusal('SEAT_CHANGE_ALREADY_PENDING');
  if (extraSeats === subscription.extraSeats) throw new Refusal('SEAT_CHANGE_NO_OP');
  const { tier, billingInterval, currentPeriodEnd: end } = subscription;
  const target = { tier, billingInterval, extraSeats };
  const whole = requirePrice(context, target, now) - requirePrice(context, subscription, now);
  if (whole > 0n && end <= now) throw new Refusal('RENEWAL_UNPAID');
  if (whole > 0n) {
    const amount = proportion(whole, subscription, now);
    if (amount > 0n) {
      const dueAt = new Date(Math.min(end.getTime(), now.getTime() + PAYMENT_TERM_MS));
      const payment = newPayment(context, subscription, { purpose: 'TIER_CHANGE', target, amount, dueAt });
      return { account: withPayment(account, payment), events: [], notices: [], effectiveAt: null };
    }
  }
  const isImmediate = whole > 0n || account.environment === 'sandbox';
  const changed: Subscription = isImmediate
    ? { ...subscription, extraSeats }
    : { ...subscription, pendingExtraSeats: extraSeats, pendingAt: end };
  return {
    account: repriceRenewal(withSubscription(account, changed), changed, context),
    events: [],
    notices: [],
    effectiveAt: isImmediate ? now : end,
  };
}
