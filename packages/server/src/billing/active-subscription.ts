import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, currentSubscription, type Subscription } from './account.js';
import { periodEnd, periodStart } from './billing-period.js';
import type { Order } from './pricing.js';

/** A subscription that is active, with its period. */
export interface ActiveSubscription extends Subscription {
  readonly anchor: Date;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
}

/** The active subscription. @throws Refusal NO_ACTIVE_SUBSCRIPTION */
export function requireActive(account: BillingAccount): ActiveSubscription {
  const subscription = currentSubscription(account);
  if (!subscription || !isActive(subscription)) throw new Refusal('NO_ACTIVE_SUBSCRIPTION');
  return subscription;
}

/** Whether a subscription is active. */
export function isActive(subscription: Subscription): subscription is ActiveSubscription {
  const { status, anchor, currentPeriodStart, currentPeriodEnd } = subscription;
  return status === 'ACTIVE' && anchor !== null && currentPeriodStart !== null && currentPeriodEnd !== null;
}

/** @throws Refusal CANCELLATION_ALREADY_PENDING, TIER_CHANGE_ALREADY_PENDING, SEAT_CHANGE_ALREADY_PENDING */
export function requireNothingPending(subscription: Subscription): void {
  requireNoTierPending(subscription);
  if (subscription.pendingExtraSeats !== null) throw new Refusal('SEAT_CHANGE_ALREADY_PENDING');
}

/** @throws Refusal CANCELLATION_ALREADY_PENDING, TIER_CHANGE_ALREADY_PENDING */
export function requireNoTierPending({ pendingTier, pendingBillingInterval }: Subscription): void {
  if (pendingTier === 'FREE') throw new Refusal('CANCELLATION_ALREADY_PENDING');
  if (pendingTier !== null || pendingBillingInterval !== null) throw new Refusal('TIER_CHANGE_ALREADY_PENDING');
}

/** The last period that is paid. */
export function lastPeriod({ anchor, currentPeriodEnd, billingInterval }: ActiveSubscription) {
  return { start: periodStart(anchor, currentPeriodEnd, billingInterval), end: currentPeriodEnd };
}

/** The subscription with periods that begin at a moment, as many as were paid and had not ended then. */
export function restartedAt(subscription: ActiveSubscription, now: Date): ActiveSubscription {
  const { billingInterval, pendingTier, pendingAt } = subscription;
  const first = periodEnd(now, now, billingInterval);
  const end = lastPeriod(subscription).start > now ? periodEnd(now, first, billingInterval) : first;
  return {
    ...subscription,
    anchor: now,
    currentPeriodStart: now,
    currentPeriodEnd: end,
    // The end comes after the paid time; another plan is that of a renewal.
    pendingAt: pendingAt && (pendingTier === 'FREE' ? end : first),
  };
}

/** Whether two orders are for the same. */
export function ordersEqual(a: Order, b: Order): boolean {
  return a.tier === b.tier && a.billingInterval === b.billingInterval && a.extraSeats === b.extraSeats;
}

/** The order of the subscription for the period after the paid one. */
export function nextOrder(subscription: Subscription): Order {
  const { tier, billingInterval, extraSeats, pendingTier, pendingBillingInterval, pendingExtraSeats } = subscription;
  return {
    tier: pendingTier ?? tier,
    billingInterval: pendingBillingInterval ?? billingInterval,
    extraSeats: pendingExtraSeats ?? extraSeats,
  };
}
