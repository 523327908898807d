import {
  type BillingAccount,
  currentSubscription,
  isOpen,
  openPayments,
  PAYMENT_PURPOSES,
  type Payment,
  type Subscription,
  withPayment,
  withSubscription,
} from './account.js';
import { type ActiveSubscription, isActive, lastPeriod, nextOrder, restartedAt } from './active-subscription.js';
import { isOver, moveTo, renewedSince } from './apply-payment.js';
import { periodEnd } from './billing-period.js';
import { changeEvent } from './change-tier.js';
import { type BillingContext, type BillingOutcome, inTurn, unchanged } from './outcome.js';
import { cancelOpenPayments, newRenewal, openRenewal, paysNextPeriod, renewalPrice } from './renewal.js';
import { NOTHING_PENDING } from './start-subscription.js';

/** The days of the steps around the end of a period, before it or after the unpaid days begin. */
export const TIMELINE_DAYS = { renewalOpens: -7, warning: 5, expiry: 7 } as const;

/**
 * Applies all due changes of a subscription in the order of time, so that a server that was off catches up. The account
 * stores each step, so none is done twice.
 */
export function advance(account: BillingAccount, context: BillingContext): BillingOutcome {
  const subscription = currentSubscription(account);
  const step = subscription && isActive(subscription) && nextStep(account, subscription, context);
  if (!step) return unchanged(withoutOver(account));
  return inTurn(
    account,
    () => step,
    (changed) => advance(changed, context),
  );
}

/** The time of the next step of an active subscription; null for a waiting or ended subscription. */
export function nextStepAt(account: BillingAccount, subscription: Subscription, context: BillingContext): Date | null {
  if (!isActive(subscription)) return null;
  const times = stepsAhead(account, subscription, context).map(({ at }) => at.getTime());
  return new Date(Math.min(...times));
}

/**
 * Restarts the period of a subscription, when its account moves to production. A period that a renewal has paid ahead
 * follows the new one.
 */
export function restartPeriod(account: BillingAccount, { now }: BillingContext): BillingAccount {
  const subscription = currentSubscription(account);
  if (!subscription || !isActive(subscription)) return account;
  const restarted = withSubscription(account, restartedAt(subscription, now));
  // Only a renewal pays time ahead in the sandbox.
  const moved = account.payments
    .filter(({ periodStart }) => periodStart !== null && periodStart > now)
    .reduce((left, payment) => {
      const start = periodEnd(now, now, payment.targetBillingInterval);
      const end = periodEnd(now, start, payment.targetBillingInterval);
      return withPayment(left, { ...payment, periodStart: start, periodEnd: end });
    }, restarted);
  return cancelOpenPayments(moved, subscription.id, ['RENEWAL']);
}

/** Ends the billing of an account that is closed: its subscription, and its payments without a report. */
export function closeBilling(account: BillingAccount, context: BillingContext): BillingOutcome {
  const subscription = currentSubscription(account);
  return subscription ? end(account, subscription, context) : unchanged(account);
}

// --- internal ---

const DAY_MS = 86_400_000;

function daysFrom(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/** The account without open payments that have no purpose left. Reported payments stay for review. */
function withoutOver(account: BillingAccount): BillingAccount {
  return account.payments
    .filter((payment) => isOpen(payment) && payment.status !== 'REPORTED' && isOver(account, payment))
    .reduce((left, payment) => withPayment(left, { ...payment, status: 'CANCELLED' }), account);
}

/** A change that time makes. */
interface Step {
  readonly at: Date;
  readonly take: () => BillingOutcome;
}

/** The first due step, or null. */
function nextStep(
  account: BillingAccount,
  subscription: ActiveSubscription,
  context: BillingContext,
): BillingOutcome | null {
  const due = stepsAhead(account, subscription, context).find(({ at }) => at <= context.now);
  return due ? due.take() : null;
}

/** The future steps of a subscription, in order. */
function stepsAhead(account: BillingAccount, subscription: ActiveSubscription, context: BillingContext): Step[] {
  const { currentPeriodEnd: end, currentPeriodStart: start, pendingAt, warnedFor } = subscription;
  const unpaid = unpaidFrom(account, subscription);
  const paidFrom = lastPeriod(subscription).start;
  const steps: Step[] = [];
  const price = needsRenewal(account, subscription) ? renewalPrice(subscription, context) : null;
  if (price !== null) {
    const take = () => {
      const withoutOld = cancelOpenPayments(account, subscription.id, ['RENEWAL']);
      return askRenewal(withoutOld, subscription, newRenewal(subscription, price, context));
    };
    steps.push({ at: daysFrom(end, TIMELINE_DAYS.renewalOpens), take });
  }
  // It pays days of the current period, and cannot be verified after them.
  const change = openPayments(account, subscription.id).find(
    ({ purpose, status, targetBillingInterval }) =>
      purpose === 'TIER_CHANGE' && status !== 'REPORTED' && targetBillingInterval === subscription.billingInterval,
  );
  if (change) {
    const take = () => unchanged(cancelOpenPayments(account, subscription.id, ['TIER_CHANGE']));
    steps.push({ at: renewedSince(account, change)?.periodStart ?? end, take });
  }
  if (pendingAt) steps.push({ at: pendingAt, take: () => applyPending(account, subscription, context) });
  if (start < paidFrom) {
    const moved = { ...subscription, currentPeriodStart: paidFrom };
    steps.push({ at: paidFrom, take: () => unchanged(withSubscription(account, moved)) });
  }
  // A period that a refund restored has had its warning.
  if (warnedFor === null || warnedFor < end) {
    steps.push({ at: daysFrom(unpaid, TIMELINE_DAYS.warning), take: () => warn(account, subscription) });
  }
  steps.push({ at: daysFrom(unpaid, TIMELINE_DAYS.expiry), take: () => expire(account, subscription) });
  return steps;
}

/** From when an unpaid period counts: its end, or later when its last renewal was opened late, as after a refund. */
function unpaidFrom({ payments }: BillingAccount, { id, currentPeriodEnd: end }: ActiveSubscription): Date {
  const renewal = payments.findLast(
    ({ purpose, subscriptionId, dueAt }) =>
      purpose === 'RENEWAL' && subscriptionId === id && dueAt.getTime() === end.getTime(),
  );
  const timeToPay = renewal && daysFrom(renewal.createdAt, -TIMELINE_DAYS.renewalOpens);
  return timeToPay && timeToPay > end ? timeToPay : end;
}

function warn(account: BillingAccount, subscription: ActiveSubscription): BillingOutcome {
  const { currentPeriodEnd: end } = subscription;
  const warned: Subscription = { ...subscription, warnedFor: end };
  const suspendsAt = daysFrom(unpaidFrom(account, subscription), TIMELINE_DAYS.expiry);
  return {
    account: withSubscription(account, warned),
    events: [],
    notices: [{ kind: 'SUBSCRIPTION_PAST_DUE_WARNING', subscription: warned, suspendsAt }],
  };
}

/** Whether the next period is not paid, has no open renewal or a rejected one that cannot pay it, and is wanted. */
function needsRenewal(account: BillingAccount, subscription: ActiveSubscription): boolean {
  const { pendingTier, pendingIsPaid } = subscription;
  if (pendingTier === 'FREE' || pendingIsPaid) return false;
  const renewal = openRenewal(account, subscription);
  return !renewal || (renewal.status === 'REJECTED' && !paysNextPeriod(renewal, subscription));
}

function askRenewal(account: BillingAccount, subscription: ActiveSubscription, payment: Payment): BillingOutcome {
  const { id: subscriptionId, currentPeriodEnd } = subscription;
  const detail = {
    subscriptionId,
    paymentId: payment.id,
    totalAmount: payment.totalAmount,
    currentPeriodEnd: currentPeriodEnd.toISOString(),
  };
  const asked = withPayment(account, payment);
  const payBefore = unpaidFrom(asked, subscription);
  return {
    account: asked,
    events: [{ eventType: 'RENEWAL_DUE', detail }],
    notices: [{ kind: 'SUBSCRIPTION_RENEWAL_DUE', subscription, payment, payBefore }],
  };
}

function applyPending(
  account: BillingAccount,
  subscription: ActiveSubscription,
  context: BillingContext,
): BillingOutcome {
  const { pendingTier, pendingIsPaid, currentPeriodEnd, anchor } = subscription;
  const withoutOrders = cancelOpenPayments(account, subscription.id, ['TIER_CHANGE']);
  if (pendingTier === 'FREE') return end(withoutOrders, subscription, context);
  const order = nextOrder(subscription);
  const changed: Subscription = {
    ...subscription,
    ...NOTHING_PENDING,
    ...order,
    ...(pendingIsPaid
      ? {
          currentPeriodStart: currentPeriodEnd,
          currentPeriodEnd: periodEnd(anchor, currentPeriodEnd, order.billingInterval),
        }
      : {}),
  };
  const isSame = order.tier === subscription.tier && order.billingInterval === subscription.billingInterval;
  return {
    account: { ...withSubscription(withoutOrders, changed), tier: order.tier },
    events: isSame ? [] : [changeEvent('TIER_CHANGED', subscription, order, {})],
    notices: [],
  };
}

/** The end on request. */
function end(account: BillingAccount, subscription: Subscription, { now }: BillingContext): BillingOutcome {
  const cancelled: Subscription = {
    ...subscription,
    ...NOTHING_PENDING,
    status: 'CANCELLED',
    extraSeats: 0,
    canceledAt: now,
  };
  const { id: subscriptionId, tier } = subscription;
  const left = cancelOpenPayments(withSubscription(account, cancelled), subscriptionId, PAYMENT_PURPOSES);
  return {
    account: { ...left, tier: 'FREE' },
    events: [{ eventType: 'SUBSCRIPTION_CANCELLED', detail: { subscriptionId, tier } }],
    notices: [],
  };
}

/** The end without a request: the subscription expires. */
function expire(account: BillingAccount, subscription: ActiveSubscription): BillingOutcome {
  const expired: Subscription = { ...subscription, ...NOTHING_PENDING, status: 'EXPIRED', extraSeats: 0 };
  const { id: subscriptionId, tier: previousTier } = subscription;
  const left = cancelOpenPayments(withSubscription(account, expired), subscriptionId, ['RENEWAL', 'TIER_CHANGE']);
  return inTurn(
    account,
    () => ({
      account: { ...left, tier: 'FREE' },
      events: [{ eventType: 'SUBSCRIPTION_EXPIRED', detail: { subscriptionId, previousTier } }],
      notices: [{ kind: 'SUBSCRIPTION_EXPIRED', subscription }],
    }),
    (changed) => (changed.status === 'ACTIVE' ? moveTo(changed, 'PAST_DUE') : unchanged(changed)),
  );
}
