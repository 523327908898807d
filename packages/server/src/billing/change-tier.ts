import { formatDecimal, MONEY_SCALE } from 'sri-core';
import { TIERS } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, openPayments, type Subscription, withPayment, withSubscription } from './account.js';
import { ordersEqual, requireActive, requireNothingPending } from './active-subscription.js';
import { newPayment, PAYMENT_TERM_MS, requirePrice } from './new-payment.js';
import type { BillingContext, BillingEvent, BillingOutcome } from './outcome.js';
import { type Order, proportion } from './pricing.js';
import { repriceRenewal } from './renewal.js';
import { NOTHING_PENDING } from './start-subscription.js';

/** A change of tier, with the moment it takes effect; null when it waits for a payment. */
export interface ChangeOutcome extends BillingOutcome {
  readonly effectiveAt: Date | null;
}

/**
 * Changes the tier or the interval of the subscription.
 * - A higher tier of the same interval costs the difference for the time left and applies once it is paid.
 * - A lower tier is free and applies when the period ends.
 * - Another interval costs its full price and applies when the period ends.
 * - In the sandbox a higher tier costs its full price too, and nothing waits for the end: production restarts the
 *   period.
 *
 * @throws Refusal VALIDATION_FAILED, NO_ACTIVE_SUBSCRIPTION, TIER_CHANGE_NO_OP, TIER_CHANGE_ALREADY_PENDING,
 *   SEAT_CHANGE_ALREADY_PENDING, CANCELLATION_ALREADY_PENDING, RENEWAL_UNPAID
 */
export function changeTier(
  account: BillingAccount,
  wanted: Pick<Order, 'tier' | 'billingInterval'>,
  context: BillingContext,
): ChangeOutcome {
  const subscription = requireActive(account);
  requireNothingPending(subscription);
  const target: Order = { ...wanted, extraSeats: subscription.extraSeats };
  const price = requirePrice(context, target, context.now);
  if (ordersEqual(subscription, target)) throw new Refusal('TIER_CHANGE_NO_OP');
  if (openPayments(account, subscription.id).some(({ purpose }) => purpose === 'TIER_CHANGE')) {
    throw new Refusal('TIER_CHANGE_ALREADY_PENDING');
  }
  const change = { account, subscription, target, context };
  if (target.billingInterval !== subscription.billingInterval) return requestInterval(change, price);
  const isUpgrade = TIERS.indexOf(target.tier) > TIERS.indexOf(subscription.tier);
  return isUpgrade ? requestUpgrade(change) : scheduleDowngrade(change);
}

/** The event of a change, with the old and the new order. */
export function changeEvent(
  eventType: 'TIER_CHANGE_REQUESTED' | 'TIER_CHANGE_SCHEDULED' | 'TIER_CHANGED',
  from: Subscription,
  to: Pick<Order, 'tier' | 'billingInterval'>,
  more: Readonly<Record<string, unknown>>,
): BillingEvent {
  return {
    eventType,
    detail: {
      subscriptionId: from.id,
      fromTier: from.tier,
      toTier: to.tier,
      fromBillingInterval: from.billingInterval,
      toBillingInterval: to.billingInterval,
      ...more,
    },
  };
}

// --- internal ---

interface Change {
  readonly account: BillingAccount;
  readonly subscription: ReturnType<typeof requireActive>;
  readonly target: Order;
  readonly context: BillingContext;
}

function requestUpgrade(change: Change): ChangeOutcome {
  const { account, subscription, target, context } = change;
  const { now } = context;
  const { currentPeriodEnd: end } = subscription;
  // No paid time is left.
  if (end <= now) throw new Refusal('RENEWAL_UNPAID');
  const amount = account.environment === 'sandbox' ? requirePrice(context, target, now) : difference(change);
  if (amount === 0n) return applyAtOnce(change);
  const dueAt = earlier(end, new Date(now.getTime() + PAYMENT_TERM_MS));
  const payment = newPayment(context, subscription, { purpose: 'TIER_CHANGE', target, amount, dueAt });
  const totalAmount = Number(payment.totalAmount);
  return {
    account: withPayment(account, payment),
    events: [changeEvent('TIER_CHANGE_REQUESTED', subscription, target, { totalAmount, effectiveAt: null })],
    notices: [],
    effectiveAt: null,
  };
}

/** The price difference for the time left. */
function difference({ subscription, target, context }: Change): bigint {
  const { now } = context;
  const whole = requirePrice(context, target, now) - requirePrice(context, subscription, now);
  return proportion(whole > 0n ? whole : 0n, subscription, now);
}

function requestInterval({ account, subscription, target, context }: Change, price: bigint): ChangeOutcome {
  const { now } = context;
  const effectiveAt = account.environment === 'production' ? subscription.currentPeriodEnd : null;
  const dueAt = effectiveAt ?? new Date(now.getTime() + PAYMENT_TERM_MS);
  const payment = newPayment(context, subscription, { purpose: 'TIER_CHANGE', target, amount: price, dueAt });
  const detail = { totalAmount: Number(payment.totalAmount), effectiveAt: effectiveAt?.toISOString() ?? null };
  return {
    account: withPayment(account, payment),
    events: [changeEvent('TIER_CHANGE_REQUESTED', subscription, target, detail)],
    notices: [],
    effectiveAt,
  };
}

function scheduleDowngrade({ account, subscription, target, context }: Change): ChangeOutcome {
  if (account.environment === 'sandbox') return applyAtOnce({ account, subscription, target, context });
  const effectiveAt = subscription.currentPeriodEnd;
  const scheduled: Subscription = {
    ...subscription,
    ...NOTHING_PENDING,
    pendingTier: target.tier,
    pendingAt: effectiveAt,
  };
  const detail = {
    totalAmount: Number(formatDecimal(0n, MONEY_SCALE)),
    effectiveAt: effectiveAt.toISOString(),
    paymentId: null,
  };
  return {
    account: repriceRenewal(withSubscription(account, scheduled), scheduled, context),
    events: [changeEvent('TIER_CHANGE_SCHEDULED', subscription, target, detail)],
    notices: [],
    effectiveAt,
  };
}

function applyAtOnce({ account, subscription, target, context }: Change): ChangeOutcome {
  const changed: Subscription = { ...subscription, tier: target.tier };
  return {
    account: repriceRenewal({ ...withSubscription(account, changed), tier: target.tier }, changed, context),
    events: [changeEvent('TIER_CHANGED', subscription, target, {})],
    notices: [],
    effectiveAt: context.now,
  };
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
