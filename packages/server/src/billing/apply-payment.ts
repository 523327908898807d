import { TENANT_TRANSITIONS, TIERS } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { requireTransition } from '../platform/transitions.js';
import {
  type BillingAccount,
  currentSubscription,
  type Payment,
  type Subscription,
  withPayment,
  withSubscription,
} from './account.js';
import { type ActiveSubscription, isActive, nextOrder } from './active-subscription.js';
import { periodEnd } from './billing-period.js';
import { changeEvent } from './change-tier.js';
import { type BillingContext, type BillingEvent, type BillingOutcome, unchanged } from './outcome.js';
import type { Order } from './pricing.js';
import { cancelOpenPayments, paysNextPeriod, repriceRenewal } from './renewal.js';
import { NOTHING_PENDING } from './start-subscription.js';

/**
 * Applies a verified payment to the account.
 *
 * @throws Refusal CONFLICT when its purpose is over: then it can only be rejected, and the money given back. Also
 *   for another interval while a change waits for an earlier day: then it can be verified after that day.
 */
export function applyPayment(account: BillingAccount, payment: Payment, context: BillingContext): BillingOutcome {
  const subscription = account.subscriptions.find(({ id }) => id === payment.subscriptionId);
  if (!subscription || isOver(account, payment)) throw purposeOver();
  if (!isActive(subscription)) return activate(account, subscription, payment, context);
  if (payment.purpose !== 'RENEWAL') return changeBy(account, subscription, payment, context);
  if (!paysNextPeriod(payment, subscription)) throw purposeOver();
  return renew(account, subscription, payment);
}

/**
 * Whether a payment has nothing left to pay for: its subscription has ended, or it was ordered on what a payment had
 * given that was refunded since. The next period of an expired subscription still counts, until another one starts.
 */
export function isOver(account: BillingAccount, payment: Payment): boolean {
  const { subscriptionId, purpose, createdAt } = payment;
  const subscription = account.subscriptions.find(({ id }) => id === subscriptionId);
  if (!subscription || subscription.status === 'CANCELLED') return true;
  const paysPeriod = purpose === 'RENEWAL' || payment.targetBillingInterval !== subscription.billingInterval;
  if (subscription.status === 'EXPIRED' && (!paysPeriod || currentSubscription(account) !== null)) return true;
  return (
    purpose === 'TIER_CHANGE' &&
    account.payments.some(
      (each) =>
        each.subscriptionId === subscriptionId &&
        each.status === 'REFUNDED' &&
        (each.verifiedAt ?? createdAt) <= createdAt &&
        // A refund is the last change of a payment.
        each.updatedAt > createdAt,
    )
  );
}

/** Changes the status of an account; no event when it stays. @throws IllegalTransitionError */
export function moveTo(account: BillingAccount, status: BillingAccount['status']): BillingOutcome {
  if (account.status === status) return unchanged(account);
  requireTransition(TENANT_TRANSITIONS, account.status, status);
  const detail = { from: account.status, to: status };
  // A suspended account takes this status only after its suspension.
  const events: BillingEvent[] = account.isSuspended ? [] : [{ eventType: 'STATUS_CHANGED', detail }];
  return { account: { ...account, status }, events, notices: [] };
}

/** The renewal that was verified after a change was ordered, whose price ends where that period begins; or null. */
export function renewedSince(
  account: BillingAccount,
  { subscriptionId, createdAt }: Payment,
): (Payment & { readonly periodStart: Date }) | null {
  const found = account.payments.find(
    (each): each is Payment & { readonly periodStart: Date } =>
      each.purpose === 'RENEWAL' &&
      each.subscriptionId === subscriptionId &&
      each.status === 'VERIFIED' &&
      each.periodStart !== null &&
      each.verifiedAt !== null &&
      each.verifiedAt > createdAt,
  );
  return found ?? null;
}

// --- internal ---

function purposeOver(): Refusal {
  return new Refusal('CONFLICT', { reason: 'PAYMENT_PURPOSE_OVER' });
}

/** The first payment, or one for the next period that was reported before its subscription expired. */
function activate(
  account: BillingAccount,
  subscription: Subscription,
  payment: Payment,
  { now }: BillingContext,
): BillingOutcome {
  const { targetTier: tier, targetBillingInterval: billingInterval, targetExtraSeats: extraSeats } = payment;
  const active: Subscription = {
    ...subscription,
    tier,
    billingInterval,
    extraSeats,
    status: 'ACTIVE',
    anchor: now,
    currentPeriodStart: now,
    currentPeriodEnd: periodEnd(now, now, billingInterval),
  };
  const moved = moveTo(
    { ...withSubscription(withPeriod(account, payment, now, active.currentPeriodEnd), active), tier },
    account.status === 'PAST_DUE' ? 'ACTIVE' : account.status,
  );
  const detail = { subscriptionId: active.id, tier };
  return { ...moved, events: [{ eventType: 'SUBSCRIPTION_ACTIVATED', detail }, ...moved.events] };
}

/** Pays the next period as well, with the plan that the payment names. */
function renew(account: BillingAccount, subscription: ActiveSubscription, payment: Payment): BillingOutcome {
  const { anchor, currentPeriodEnd: start, pendingTier, pendingAt } = subscription;
  const end = periodEnd(anchor, start, payment.targetBillingInterval);
  const paid = { tier: payment.targetTier, extraSeats: payment.targetExtraSeats };
  const next = nextOrder(subscription);
  const paysMore = isMore(paid, next);
  // A change to more pays the days of the current period alone.
  const paysOther = isMore(next, paid) || (paysMore && pendingAt === null);
  const renewed: Subscription = {
    ...subscription,
    currentPeriodEnd: end,
    // A change to less, or the end, was ordered after the report of this payment.
    pendingAt: pendingAt && paysMore ? end : pendingAt,
    ...(paysOther && pendingTier !== 'FREE' && changeTo(payment, start)),
  };
  const { id: subscriptionId, tier } = subscription;
  const detail = { subscriptionId, tier, paymentId: payment.id, currentPeriodEnd: end.toISOString() };
  return {
    account: withSubscription(withPeriod(account, payment, start, end), renewed),
    events: [{ eventType: 'SUBSCRIPTION_RENEWED', detail }],
    notices: [],
  };
}

/** Whether an order has a larger plan or more seats than another. */
function isMore(order: Pick<Order, 'tier' | 'extraSeats'>, than: Pick<Order, 'tier' | 'extraSeats'>): boolean {
  return TIERS.indexOf(order.tier) > TIERS.indexOf(than.tier) || order.extraSeats > than.extraSeats;
}

/** The change to the plan that a renewal paid, when its period begins. */
function changeTo({ targetTier, targetExtraSeats }: Payment, pendingAt: Date): Partial<Subscription> {
  return { pendingTier: targetTier, pendingExtraSeats: targetExtraSeats, pendingAt };
}

function changeBy(
  before: BillingAccount,
  subscription: ActiveSubscription,
  payment: Payment,
  context: BillingContext,
): BillingOutcome {
  const { targetTier: tier, targetBillingInterval: billingInterval, targetExtraSeats: extraSeats } = payment;
  const { anchor, currentPeriodEnd } = subscription;
  const target = { tier, billingInterval };
  const { now } = context;
  if (billingInterval === subscription.billingInterval) {
    const renewal = renewedSince(before, payment);
    const end = renewal?.periodStart ?? currentPeriodEnd;
    if (end <= now) throw purposeOver();
    const account = withPeriod(before, payment, now, end);
    const back = renewal && changeTo(renewal, renewal.periodStart);
    const changed: Subscription = { ...subscription, tier, extraSeats, ...back };
    const events = tier === subscription.tier ? [] : [changeEvent('TIER_CHANGED', subscription, target, {})];
    const next = { ...withSubscription(account, changed), tier };
    return { account: repriceRenewal(next, changed, context), events, notices: [] };
  }
  if (before.environment === 'sandbox') {
    const end = periodEnd(now, now, billingInterval);
    const account = withPeriod(before, payment, now, end);
    const changed: Subscription = {
      ...subscription,
      ...NOTHING_PENDING,
      tier,
      billingInterval,
      extraSeats,
      anchor: now,
      currentPeriodStart: now,
      currentPeriodEnd: end,
    };
    const next = { ...withSubscription(account, changed), tier };
    const events = [changeEvent('TIER_CHANGED', subscription, target, {})];
    return { account: cancelOpenPayments(next, subscription.id, ['RENEWAL']), events, notices: [] };
  }
  // A pending change keeps its day.
  const { pendingAt } = subscription;
  if (pendingAt !== null && pendingAt < currentPeriodEnd) {
    throw new Refusal('CONFLICT', { reason: 'EARLIER_CHANGE_PENDING' });
  }
  const scheduled: Subscription = {
    ...subscription,
    pendingTier: tier,
    pendingBillingInterval: billingInterval,
    pendingExtraSeats: extraSeats,
    pendingAt: currentPeriodEnd,
    pendingIsPaid: true,
  };
  const account = withPeriod(before, payment, currentPeriodEnd, periodEnd(anchor, currentPeriodEnd, billingInterval));
  const effectiveAt = currentPeriodEnd.toISOString();
  const detail = { totalAmount: Number(payment.totalAmount), effectiveAt, paymentId: payment.id };
  return {
    account: cancelOpenPayments(withSubscription(account, scheduled), subscription.id, ['RENEWAL']),
    events: [changeEvent('TIER_CHANGE_SCHEDULED', subscription, target, detail)],
    notices: [],
  };
}

/** The account with the period of the payment. */
function withPeriod(
  account: BillingAccount,
  payment: Payment,
  periodStart: Date,
  periodEnd: Date | null,
): BillingAccount {
  return withPayment(account, { ...payment, periodStart, periodEnd });
}
