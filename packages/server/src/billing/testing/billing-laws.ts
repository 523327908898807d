import { expect } from 'vitest';
import {
  type BillingAccount,
  currentSubscription,
  isOpen,
  PAYMENT_PURPOSES,
  PAYMENT_TRANSITIONS,
  type Payment,
  SUBSCRIPTION_TRANSITIONS,
  type Subscription,
} from '../account.js';
import { isActive, lastPeriod } from '../active-subscription.js';

const DAY_MS = 86_400_000;
/** Cents: a month's price, a tenth of a year's. */
const MONTHLY_CENTS: Readonly<Record<string, number>> = { STARTER: 2000, GROWTH: 9000, BUSINESS: 23_000 };
const SEAT_CENTS = 500;

/** The laws that hold for an account after every step. */
export function expectLawful(before: BillingAccount, account: BillingAccount, now: Date): void {
  const current = currentSubscription(account);
  const underWay = account.subscriptions.filter(({ status }) => status === 'ACTIVE' || status === 'PENDING_PAYMENT');
  expect(underWay.length).toBeLessThanOrEqual(1);
  expect(account.tier).toBe(current?.status === 'ACTIVE' ? current.tier : 'FREE');
  const isRefund = account.payments.some(
    ({ id, status }) => status === 'REFUNDED' && statusOf(before, id) === 'VERIFIED',
  );
  for (const subscription of account.subscriptions) {
    expectOneOpenOfEach(account, subscription);
    expectPending(subscription);
    const earlier = before.subscriptions.find(({ id }) => id === subscription.id);
    if (earlier) expectStep(earlier, subscription, { now, isRefund });
  }
  for (const payment of account.payments) {
    expectAmounts(payment);
    const earlier = before.payments.find(({ id }) => id === payment.id);
    if (earlier) expectPaymentStep(earlier, payment);
  }
}

/** The laws that hold once all due changes are applied. */
export function expectUpToDate(account: BillingAccount, now: Date): void {
  for (const subscription of account.subscriptions.filter(isActive)) {
    expect(subscription.currentPeriodStart.getTime()).toBeLessThanOrEqual(now.getTime());
    const dueAt = subscription.currentPeriodEnd.getTime();
    const asked = account.payments.filter((each) => each.purpose === 'RENEWAL' && each.dueAt.getTime() === dueAt);
    const openedAt = asked.at(-1)?.createdAt.getTime() ?? 0;
    expect(now.getTime()).toBeLessThan(Math.max(dueAt + 7 * DAY_MS, openedAt + 14 * DAY_MS));
    if (subscription.pendingAt) expect(subscription.pendingAt.getTime()).toBeGreaterThan(now.getTime());
  }
}

/** Whether an immediate refund restores the account to its state before the verification. */
export function expectRestored(before: BillingAccount, refunded: BillingAccount, payment: Payment): void {
  expect(refunded.tier).toBe(before.tier);
  expect(refunded.status).toBe(before.status);
  for (const was of before.subscriptions) {
    const is = refunded.subscriptions.find(({ id }) => id === was.id);
    // A subscription that had not begun would wait for ever for the refunded payment.
    if (was.id === payment.subscriptionId && was.status === 'PENDING_PAYMENT') expect(is?.status).toBe('CANCELLED');
    else expect(is).toEqual(was);
  }
}

// --- internal ---

function statusOf({ payments }: BillingAccount, paymentId: string) {
  return payments.find(({ id }) => id === paymentId)?.status;
}

function expectOneOpenOfEach({ payments }: BillingAccount, { id, status }: Subscription): void {
  const open = payments.filter((each) => each.subscriptionId === id && isOpen(each));
  for (const purpose of PAYMENT_PURPOSES) {
    expect(open.filter((each) => each.purpose === purpose).length, `open ${purpose}`).toBeLessThanOrEqual(1);
  }
  // An ended subscription only waits for the review of reported transfers.
  if (status === 'CANCELLED' || status === 'EXPIRED') {
    for (const each of open) expect(each.reportedAt, each.status).not.toBeNull();
  }
}

function expectPending(subscription: Subscription): void {
  const { pendingTier, pendingBillingInterval, pendingExtraSeats, pendingAt, pendingIsPaid } = subscription;
  const isPending = [pendingTier, pendingBillingInterval, pendingExtraSeats].some((each) => each !== null);
  expect(isPending).toBe(pendingAt !== null);
  if (pendingIsPaid) expect(isPending).toBe(true);
  expect(Number.isInteger(subscription.extraSeats) && subscription.extraSeats >= 0).toBe(true);
  if (!isActive(subscription)) {
    expect(isPending).toBe(false);
    return;
  }
  expect(subscription.currentPeriodStart < subscription.currentPeriodEnd).toBe(true);
  expect(subscription.anchor <= subscription.currentPeriodStart).toBe(true);
}

function expectStep(
  was: Subscription,
  is: Subscription,
  { now, isRefund }: { readonly now: Date; readonly isRefund: boolean },
): void {
  if (was.status !== is.status) expect(SUBSCRIPTION_TRANSITIONS[was.status]).toContain(is.status);
  const hasEnded = isActive(was) && is.status !== 'ACTIVE';
  if (hasEnded && !isRefund) {
    expect(is.extraSeats).toBe(0);
    const grace = is.status === 'EXPIRED' ? 7 * DAY_MS : 0;
    expect(now.getTime()).toBeGreaterThanOrEqual(was.currentPeriodEnd.getTime() + grace);
  }
  if (!isActive(was) || !isActive(is) || was.anchor.getTime() !== is.anchor.getTime()) return;
  const moved = is.currentPeriodEnd.getTime() - was.currentPeriodEnd.getTime();
  // A payment begins at the end of the payment before; only a refund moves the period back.
  if (moved > 0 && !isRefund) expect(lastPeriod(is).start).toEqual(was.currentPeriodEnd);
  if (moved < 0) expect(isRefund).toBe(true);
}

function expectPaymentStep(was: Payment, is: Payment): void {
  if (was.status !== is.status) expect(PAYMENT_TRANSITIONS[was.status]).toContain(is.status);
  if (was.verifiedAt) expect(is.verifiedAt).toEqual(was.verifiedAt);
  // A transferred or reported payment keeps its price.
  if (was.status === 'PENDING' || was.status === 'REJECTED') return;
  for (const field of ['amount', 'ivaRate', 'ivaAmount', 'totalAmount', 'targetTier', 'targetExtraSeats'] as const) {
    expect(is[field]).toBe(was[field]);
  }
}

function expectAmounts({ purpose, amount, ivaAmount, totalAmount, ...payment }: Payment): void {
  for (const text of [amount, ivaAmount, totalAmount]) expect(text).toMatch(/^\d+\.\d\d$/);
  const [net, iva, total] = [amount, ivaAmount, totalAmount].map((text) => Number(text.replace('.', ''))) as [
    number,
    number,
    number,
  ];
  expect(net).toBeGreaterThan(0);
  expect(iva).toBe(Math.floor((net * 15 + 50) / 100));
  expect(total).toBe(net + iva);
  const months = payment.targetBillingInterval === 'YEARLY' ? 10 : 1;
  const whole = ((MONTHLY_CENTS[payment.targetTier] ?? 0) + payment.targetExtraSeats * SEAT_CENTS) * months;
  if (purpose !== 'TIER_CHANGE') expect(net).toBe(whole);
  // A change pays at most two periods: the current period, and the next period if it is paid already.
  else expect(net).toBeLessThanOrEqual(2 * whole);
}
