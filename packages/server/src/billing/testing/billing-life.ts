import type { Environment } from 'sri-core';
import type { OfferedTier } from '../../accounts/plans.js';
import { Refusal } from '../../platform/errors/refusal.js';
import type { BillingAccount } from '../account.js';
import { cancelSubscription } from '../cancel-subscription.js';
import { changeTier } from '../change-tier.js';
import type { BillingContext, BillingNotice, BillingOutcome } from '../outcome.js';
import { refundPayment, reportPayment, verifyPayment } from '../settle-payment.js';
import { startSubscription } from '../start-subscription.js';
import { advance, restartPeriod } from '../timeline.js';
import { testPrices } from './test-billing.js';

/** An operation on an account. */
export type LifeStep = (
  account: BillingAccount,
  context: BillingContext,
) => Pick<BillingOutcome, 'account'> & Partial<BillingOutcome>;

/** Days that pass, or an operation after them. */
export type LifeMove = number | LifeStep;

/** An order of the smallest plan for a month. */
export const start: LifeStep = (account, context) =>
  startSubscription(account, { tier: 'STARTER', billingInterval: 'MONTHLY', extraSeats: 0 }, context);
/** A change to another plan, paid by the month. */
export const changeTo =
  (tier: OfferedTier): LifeStep =>
  (account, context) =>
    changeTier(account, { tier, billingInterval: 'MONTHLY' }, context);
/** A change of the smallest plan to a year. */
export const yearly: LifeStep = (account, context) =>
  changeTier(account, { tier: 'STARTER', billingInterval: 'YEARLY' }, context);
/** An operation on a payment, by its place from the first, or with a negative place from the last. */
export const payment =
  (index: number, step: (account: BillingAccount, id: string, context: BillingContext) => BillingOutcome): LifeStep =>
  (account, context) =>
    step(account, account.payments.at(index)?.id ?? '', context);
export const report = payment(-1, reportPayment);
export const verify = payment(-1, verifyPayment);
export const refund = payment(-1, refundPayment);
/** The end of the subscription after its period. */
export const end: LifeStep = (account) => cancelSubscription(account);
/** The move to production, which is made once. */
export const promote: LifeStep = (account, context) => {
  if (account.environment === 'production') throw new Refusal('CONFLICT');
  return { account: { ...restartPeriod(account, context), environment: 'production' } };
};
/** What time alone changes. */
export const time: LifeStep = (account, context) => advance(account, context);

/** An account without billing. */
export function newAccount(environment: Environment): BillingAccount {
  return {
    tenantId: 't',
    tier: 'FREE',
    status: 'ACTIVE',
    isSuspended: false,
    environment,
    subscriptions: [],
    payments: [],
  };
}

/** The context of an operation. @param newNumber a number that no other call returns. */
export function contextAt(time: number, newNumber: () => number): BillingContext {
  return {
    now: new Date(time),
    prices: testPrices,
    ivaRate: '15',
    newId: () => `id-${newNumber()}`,
    newPaymentCode: () => `code-${newNumber()}`,
  };
}

/** An account without billing, in whose life days pass and steps are taken. */
export function createLife(environment: Environment = 'production') {
  let account = newAccount(environment);
  let at = Date.UTC(2026, 0, 31, 12);
  let made = 0;
  const notices: BillingNotice[] = [];
  function take(...moves: readonly LifeMove[]): void {
    for (const move of moves) {
      if (typeof move === 'number') {
        at += move * 86_400_000;
        continue;
      }
      const outcome = move(
        account,
        contextAt(at, () => ++made),
      );
      account = outcome.account;
      notices.push(...(outcome.notices ?? []));
    }
  }
  return {
    /** The notices of the account so far. */
    notices: notices as readonly BillingNotice[],
    get account() {
      return account;
    },
    /** Makes the moves in their order. @throws Refusal of the first operation that is refused. */
    take,
    /** Like `take`. @returns false for a refusal. */
    attempt(...moves: readonly LifeMove[]): boolean {
      try {
        take(...moves);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
  };
}
