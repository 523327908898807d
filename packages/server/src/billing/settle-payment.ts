import { TIERS } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import {
  type BillingAccount,
  PAYMENT_TRANSITIONS,
  type Payment,
  type PaymentStatus,
  type RejectionReason,
  type Subscription,
  withPayment,
  withSubscription,
} from './account.js';
import { isActive, lastPeriod, restartedAt } from './active-subscription.js';
import { applyPayment, moveTo } from './apply-payment.js';
import { type BillingContext, type BillingEvent, type BillingOutcome, inTurn, unchanged } from './outcome.js';
import { cancelOpenPayments, openRenewal, repriceRenewal } from './renewal.js';
import { NOTHING_PENDING } from './start-subscription.js';

/** A payment of the account. @throws Refusal PAYMENT_NOT_FOUND */
export function requirePayment(account: BillingAccount, id: string): Payment {
  const payment = account.payments.find((each) => each.id === id);
  if (!payment) throw new Refusal('PAYMENT_NOT_FOUND');
  return payment;
}

/** Reports a payment as transferred, for the account. @throws Refusal PAYMENT_NOT_FOUND, CONFLICT */
export function reportPayment(account: BillingAccount, id: string, { now }: BillingContext): BillingOutcome {
  const payment = requirePayment(account, id);
  requireMove(payment, 'REPORTED');
  const reported: Payment = { ...payment, status: 'REPORTED', rejectionReason: null, reportedAt: now };
  return { account: withPayment(account, reported), events: [paymentEvent('PAYMENT_REPORTED', reported)], notices: [] };
}

/** Verifies a payment and applies it. @throws Refusal PAYMENT_NOT_FOUND, CONFLICT */
export function verifyPayment(account: BillingAccount, id: string, context: BillingContext): BillingOutcome {
  const payment = requirePayment(account, id);
  requireMove(payment, 'VERIFIED');
  const subscription = requireSubscription(account, payment);
  const verified: Payment = {
    ...payment,
    status: 'VERIFIED',
    rejectionReason: null,
    verifiedAt: context.now,
    before: { subscription, tier: account.tier, status: account.status },
  };
  const noted: BillingOutcome = {
    account: withPayment(account, verified),
    events: [paymentEvent('PAYMENT_VERIFIED', verified)],
    notices: [{ kind: 'PAYMENT_VERIFIED', payment: verified }],
  };
  return inTurn(
    account,
    () => noted,
    (changed) => applyPayment(changed, verified, context),
  );
}

/** Rejects a payment. @throws Refusal PAYMENT_NOT_FOUND, CONFLICT */
export function rejectPayment(account: BillingAccount, id: string, reason: RejectionReason): BillingOutcome {
  const payment = requirePayment(account, id);
  requireMove(payment, 'REJECTED');
  const rejected: Payment = { ...payment, status: 'REJECTED', rejectionReason: reason };
  return {
    account: withPayment(account, rejected),
    events: [paymentEvent('PAYMENT_REJECTED', rejected, { rejectionReasonCode: reason })],
    notices: [{ kind: 'PAYMENT_REJECTED', payment: rejected }],
  };
}

/**
 * Withdraws a payment that was not made. A subscription without its first payment ends.
 *
 * @throws Refusal PAYMENT_NOT_FOUND, PAYMENT_NOT_CANCELLABLE
 */
export function cancelPayment(account: BillingAccount, id: string, { now }: BillingContext): BillingOutcome {
  const payment = requirePayment(account, id);
  const isOpen = payment.status === 'PENDING' || payment.status === 'REJECTED';
  if (!isOpen || payment.purpose === 'RENEWAL') throw new Refusal('PAYMENT_NOT_CANCELLABLE');
  const cancelled = withPayment(account, { ...payment, status: 'CANCELLED' });
  if (payment.purpose !== 'INITIAL') return { account: cancelled, events: [], notices: [] };
  const subscription: Subscription = { ...requireSubscription(account, payment), status: 'CANCELLED', canceledAt: now };
  return { account: withSubscription(cancelled, subscription), events: [cancelledEvent(subscription)], notices: [] };
}

/**
 * Refunds a payment and reverts its changes. Only the last applied payment can be refunded, since later ones build on
 * earlier ones.
 *
 * @throws Refusal PAYMENT_NOT_FOUND, PAYMENT_NOT_REFUNDABLE
 */
export function refundPayment(account: BillingAccount, id: string, context: BillingContext): BillingOutcome {
  const { now } = context;
  const payment = requirePayment(account, id);
  const last = account.payments
    .filter(({ status, verifiedAt }) => status === 'VERIFIED' && verifiedAt !== null)
    .toSorted((a, b) => (a.verifiedAt?.getTime() ?? 0) - (b.verifiedAt?.getTime() ?? 0))
    .at(-1);
  const { before } = payment;
  const current = requireSubscription(account, payment);
  if (last?.id !== id || before === null || current.status !== 'ACTIVE') throw new Refusal('PAYMENT_NOT_REFUNDABLE');
  const restored = restore(current, before.subscription, payment, now);
  // Later changes without a payment stay, so an active subscription keeps its current tier.
  const restoredTier = restored.status === 'ACTIVE' ? restored.tier : before.tier;
  const refunded: Payment = { ...payment, status: 'REFUNDED', before: null, updatedAt: now };
  const ended: readonly BillingEvent[] = restored.status === 'CANCELLED' ? [cancelledEvent(restored)] : [];
  return inTurn(
    account,
    (paid) => ({
      account: {
        ...adjustOrders(withPayment(withSubscription(paid, restored), refunded), restored, refunded, context),
        tier: restoredTier,
      },
      events: [paymentEvent('PAYMENT_REFUNDED', refunded, { restoredTier }), ...ended],
      notices: [{ kind: 'PAYMENT_REFUNDED', payment: refunded, restoredTier }],
    }),
    // Reverts only the changes of the payment: the account may have been recovered or verified since.
    (changed) =>
      before.status === 'PAST_DUE' && changed.status === 'ACTIVE' ? moveTo(changed, 'PAST_DUE') : unchanged(changed),
  );
}

// --- internal ---

function requireMove({ status }: Payment, to: PaymentStatus): void {
  if (PAYMENT_TRANSITIONS[status].includes(to)) return;
  throw new Refusal('CONFLICT', { reason: 'PAYMENT_STATUS', params: { status } });
}

function requireSubscription(account: BillingAccount, payment: Payment): Subscription {
  const subscription = account.subscriptions.find(({ id }) => id === payment.subscriptionId);
  if (!subscription) throw new Refusal('CONFLICT');
  return subscription;
}

/** The subscription without the effect of the payment. */
function restore(current: Subscription, before: Subscription, payment: Payment, now: Date): Subscription {
  // The subscription would wait for its first payment for ever, so it ends.
  if (before.status === 'PENDING_PAYMENT') {
    return { ...current, ...NOTHING_PENDING, status: 'CANCELLED', extraSeats: 0, canceledAt: now };
  }
  if (before.status === 'ACTIVE' && payment.purpose === 'RENEWAL') {
    const { periodStart: currentPeriodEnd } = payment;
    // The move to production ended its period.
    if (!isActive(current) || currentPeriodEnd === null || currentPeriodEnd < current.anchor) return current;
    const { pendingTier, pendingExtraSeats, pendingAt } = before;
    const isLater = current.pendingAt !== null && current.pendingAt > currentPeriodEnd;
    // The renewal itself may have scheduled the change back to its plan.
    const mayBeOwn = current.pendingAt?.getTime() === currentPeriodEnd.getTime();
    return {
      ...current,
      currentPeriodStart: lastPeriod({ ...current, currentPeriodEnd }).start,
      currentPeriodEnd,
      pendingAt: isLater ? currentPeriodEnd : current.pendingAt,
      ...(mayBeOwn && { pendingTier, pendingExtraSeats, pendingAt }),
    };
  }
  // Warnings sent in between stay.
  const isRestarted = current.anchor !== null && payment.verifiedAt !== null && current.anchor > payment.verifiedAt;
  const restored = isRestarted && isActive(before) ? restartedAt(before, current.anchor) : before;
  const kept = { ...restored, warnedFor: current.warnedFor };
  const { pendingTier, pendingExtraSeats, pendingIsPaid } = current;
  // The end, a smaller plan or fewer seats that the account has ordered since stay.
  const isLess =
    (pendingTier !== null && TIERS.indexOf(pendingTier) < TIERS.indexOf(kept.tier)) ||
    (pendingExtraSeats !== null && pendingExtraSeats < kept.extraSeats);
  const isOrderedSince = pendingTier === 'FREE' || (kept.pendingAt === null && isLess && !pendingIsPaid);
  if (before.status !== 'ACTIVE' || !isOrderedSince) return kept;
  return { ...kept, ...NOTHING_PENDING, pendingTier, pendingExtraSeats, pendingAt: kept.currentPeriodEnd };
}

/** Adjusts open payments to the subscription; cancels those of an ended one. */
function adjustOrders(
  account: BillingAccount,
  restored: Subscription,
  { purpose }: Payment,
  context: BillingContext,
): BillingAccount {
  if (restored.status !== 'ACTIVE') return cancelOpenPayments(account, restored.id, ['RENEWAL', 'TIER_CHANGE']);
  // After the refund of a renewal or of another interval, the later renewal is no longer the next.
  const isNext = openRenewal(account, restored)?.dueAt.getTime() === restored.currentPeriodEnd?.getTime();
  return purpose !== 'RENEWAL' && isNext
    ? repriceRenewal(account, restored, context)
    : cancelOpenPayments(account, restored.id, ['RENEWAL']);
}

function cancelledEvent({ id: subscriptionId, tier }: Subscription): BillingEvent {
  return { eventType: 'SUBSCRIPTION_CANCELLED', detail: { subscriptionId, tier } };
}

function paymentEvent(
  eventType: `PAYMENT_${Extract<PaymentStatus, 'REPORTED' | 'VERIFIED' | 'REJECTED' | 'REFUNDED'>}`,
  { id: paymentId, subscriptionId, purpose, totalAmount }: Payment,
  more: Readonly<Record<string, unknown>> = {},
): BillingEvent {
  return { eventType, detail: { paymentId, subscriptionId, purpose, totalAmount, ...more } };
}
