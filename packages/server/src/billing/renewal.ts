import type { Scaled } from 'sri-core';
import type { BillingAccount, Payment, Subscription } from './account.js';
import { openPayments, withPayment } from './account.js';
import { type ActiveSubscription, isActive, nextOrder } from './active-subscription.js';
import { newPayment } from './new-payment.js';
import type { BillingContext } from './outcome.js';
import { fullPrice, withIva } from './pricing.js';

/**
 * The price of the next period in cents, at its due date. Null when it is not offered any more: the subscription then
 * ends like an unpaid one.
 */
export function renewalPrice(subscription: ActiveSubscription, { prices }: BillingContext): Scaled | null {
  return fullPrice(prices, nextOrder(subscription), subscription.currentPeriodEnd);
}

/** The payment for the next period. */
export function newRenewal(subscription: ActiveSubscription, amount: Scaled, context: BillingContext): Payment {
  const { currentPeriodEnd: dueAt } = subscription;
  return newPayment(context, subscription, { purpose: 'RENEWAL', target: nextOrder(subscription), amount, dueAt });
}

/** The open renewal, or null. */
export function openRenewal(account: BillingAccount, subscription: Pick<Subscription, 'id'>): Payment | null {
  return openPayments(account, subscription.id).find(({ purpose }) => purpose === 'RENEWAL') ?? null;
}

/** Whether a renewal pays the next period: not once a change of interval has paid it, or has changed its length. */
export function paysNextPeriod({ targetBillingInterval }: Payment, subscription: Subscription): boolean {
  return !subscription.pendingIsPaid && targetBillingInterval === subscription.billingInterval;
}

/** The account with its open renewal adjusted to the next period. A reported payment keeps its amount. */
export function repriceRenewal(
  account: BillingAccount,
  subscription: Subscription,
  context: BillingContext,
): BillingAccount {
  const renewal = openRenewal(account, subscription);
  if (!renewal || renewal.status === 'REPORTED' || !isActive(subscription)) return account;
  const target = nextOrder(subscription);
  const amount = fullPrice(context.prices, target, renewal.dueAt);
  if (amount === null) return account;
  return withPayment(account, {
    ...renewal,
    ...withIva(amount, renewal.ivaRate),
    targetTier: target.tier,
    targetBillingInterval: target.billingInterval,
    targetExtraSeats: target.extraSeats,
  });
}

/** The account without its open payments for some purposes. Reported payments stay for review. */
export function cancelOpenPayments(
  account: BillingAccount,
  subscriptionId: string,
  purposes: readonly Payment['purpose'][],
): BillingAccount {
  return openPayments(account, subscriptionId)
    .filter(({ purpose, status }) => purposes.includes(purpose) && status !== 'REPORTED')
    .reduce((changed, payment) => withPayment(changed, { ...payment, status: 'CANCELLED' }), account);
}
