import fc from 'fast-check';
import type { Environment } from 'sri-core';
import { describe, expect, it } from 'vitest';
import type { OfferedTier } from '../accounts/plans.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, REJECTION_REASONS } from './account.js';
import { changeSeats } from './change-seats.js';
import { changeTier } from './change-tier.js';
import { type BillingContext, type BillingOutcome, unchanged } from './outcome.js';
import { cancelPayment, refundPayment, rejectPayment, reportPayment, verifyPayment } from './settle-payment.js';
import { startSubscription } from './start-subscription.js';
import { beginHistory } from './testing/billing-history.js';
import { expectLawful, expectRestored, expectUpToDate } from './testing/billing-laws.js';
import { contextAt, end, type LifeStep, newAccount, promote } from './testing/billing-life.js';
import { advance, nextStepAt } from './timeline.js';

const PAID: readonly OfferedTier[] = ['STARTER', 'GROWTH', 'BUSINESS'];
const DAY_MS = 86_400_000;

const tier = fc.constantFrom(...PAID);
const interval = fc.constantFrom('MONTHLY' as const, 'YEARLY' as const);

/** A step that reports its name when a life breaks a law. */
function named(name: string, step: LifeStep): LifeStep {
  const own: LifeStep = (account, context) => step(account, context);
  return Object.assign(own, { [fc.toStringMethod]: () => name });
}

const onPayment = (
  name: string,
  step: (account: BillingAccount, id: string, context: BillingContext) => BillingOutcome,
) =>
  fc.nat(2).map((index) =>
    named(`${name} the last but ${index}`, (account, context) => {
      const payment = account.payments.at(-1 - (index % Math.max(1, account.payments.length)));
      return payment ? step(account, payment.id, context) : { account };
    }),
  );

const steps: fc.Arbitrary<LifeStep> = fc.oneof(
  fc
    .record({ tier, billingInterval: interval, extraSeats: fc.nat(3) })
    .map((order) =>
      named(`start ${JSON.stringify(order)}`, (account, context) => startSubscription(account, order, context)),
    ),
  { arbitrary: onPayment('verify', verifyPayment), weight: 4 },
  { arbitrary: onPayment('report', reportPayment), weight: 2 },
  onPayment('reject', (account, id) => rejectPayment(account, id, REJECTION_REASONS[0])),
  onPayment('withdraw', cancelPayment),
  onPayment('refund', refundPayment),
  fc
    .record({ tier, billingInterval: interval })
    .map((wanted) =>
      named(`change to ${JSON.stringify(wanted)}`, (account, context) => changeTier(account, wanted, context)),
    ),
  fc.nat(4).map((seats) => named(`${seats} seats`, (account, context) => changeSeats(account, seats, context))),
  fc.constant(named('end', end)),
  fc.constant(named('promote', promote)),
);

describe('billing', () => {
  it('billing keeps its laws for every order of operations', () => {
    // Short and long intervals.
    const days = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 40 }));
    const life = fc.array(fc.record({ step: steps, days }), {
      maxLength: 40,
      size: 'max',
    });
    fc.assert(fc.property(life, fc.constantFrom('sandbox' as const, 'production' as const), live), { numRuns: 400 });
  });
});

// --- internal ---

/** Lives through a life, and checks the laws after every step. */
function live(life: readonly { readonly step: LifeStep; readonly days: number }[], environment: Environment): void {
  let account = newAccount(environment);
  const history = beginHistory(account);
  let time = Date.UTC(2026, 0, 31, 12);
  let made = 0;
  const context = () => contextAt(time, () => ++made);
  const attempt = (each: LifeStep, on: BillingAccount): BillingOutcome => {
    try {
      return { ...unchanged(on), ...each(on, context()) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return unchanged(on);
    }
  };

  for (const { step, days } of life) {
    // Payments are verified at different moments, because a refund depends on their order.
    time += days * DAY_MS + 1;
    for (const each of [advance, step, advance]) {
      const before = account;
      const firstId = made;
      const outcome = attempt(each, before);
      account = outcome.account;
      expectLawful(before, account, new Date(time));
      history.add(outcome);
      expectSameWhileSuspended(before, outcome, () => {
        made = firstId;
        return attempt(each, { ...before, isSuspended: true });
      });
      for (const payment of account.payments) {
        const was = before.payments.find(({ id }) => id === payment.id);
        if (payment.status !== 'VERIFIED' || !was || was.status === 'VERIFIED') continue;
        const refunded = attempt((paid, now) => refundPayment(paid, payment.id, now), account);
        expectRestored(before, refunded.account, payment);
      }
    }
    expect(advance(account, context()).events).toEqual([]);
    expectUpToDate(account, new Date(time));
    for (const each of account.subscriptions) {
      const next = nextStepAt(account, each, context());
      expect(next === null).toBe(each.status !== 'ACTIVE');
      expect(next === null || next.getTime() > time).toBe(true);
    }
  }
}

/** Billing of a suspended account is the same; only its status is not reported. */
function expectSameWhileSuspended(before: BillingAccount, outcome: BillingOutcome, again: () => BillingOutcome): void {
  const suspended = again();
  expect({ ...suspended.account, isSuspended: before.isSuspended }).toEqual(outcome.account);
  expect(suspended.notices).toEqual(outcome.notices);
  expect(suspended.events).toEqual(outcome.events.filter(({ eventType }) => eventType !== 'STATUS_CHANGED'));
}
