import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.js';
import type { Tier } from '../tenancy/plans.js';
import {
  type BillingAccount,
  currentSubscription,
  isOpen,
  PAYMENT_PURPOSES,
  PAYMENT_TRANSITIONS,
  REJECTION_REASONS,
  SUBSCRIPTION_TRANSITIONS,
} from './account.js';
import { isActive } from './active-subscription.js';
import { cancelSubscription } from './cancel-subscription.js';
import { changeSeats } from './change-seats.js';
import { changeTier } from './change-tier.js';
import type { BillingContext, Outcome } from './outcome.js';
import { cancelPayment, refundPayment, rejectPayment, reportPayment, verifyPayment } from './settle-payment.js';
import { startSubscription } from './start-subscription.js';
import { testPrices } from './testing/test-billing.js';
import { advance, nextStepAt, restartPeriod } from './timeline.js';

/** Something that is done to an account, or time that passes. */
type Step = (account: BillingAccount, context: BillingContext) => Pick<Outcome, 'account'>;

const PAID: readonly Tier[] = ['STARTER', 'GROWTH', 'BUSINESS'];
const DAY_MS = 86_400_000;

const tier = fc.constantFrom(...PAID);
const interval = fc.constantFrom('MONTHLY' as const, 'YEARLY' as const);
const onPayment = (step: (account: BillingAccount, id: string, context: BillingContext) => Outcome) =>
  fc.nat().map(
    (index): Step =>
      (account, context) => {
        const payment = account.payments.at(-1 - (index % Math.max(1, Math.min(3, account.payments.length))));
        return payment ? step(account, payment.id, context) : { account };
      },
  );

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ tier, billingInterval: interval, extraSeats: fc.nat(3) }).map(
    (order): Step =>
      (account, context) =>
        startSubscription(account, order, context),
  ),
  { arbitrary: onPayment(verifyPayment), weight: 4 },
  { arbitrary: onPayment(reportPayment), weight: 2 },
  onPayment((account, id) => rejectPayment(account, id, REJECTION_REASONS[0])),
  onPayment(cancelPayment),
  onPayment(refundPayment),
  fc.record({ tier, billingInterval: interval }).map(
    (wanted): Step =>
      (account, context) =>
        changeTier(account, wanted, context),
  ),
  fc.nat(4).map(
    (seats): Step =>
      (account, context) =>
        changeSeats(account, seats, context),
  ),
  fc.constant<Step>((account) => cancelSubscription(account)),
  fc.constant<Step>((account, context) => ({
    account: { ...restartPeriod(account, context), environment: 'production' },
  })),
);

describe('billing', () => {
  it('keeps its promises whatever is done in whatever order', () => {
    const life = fc.array(fc.record({ step: steps, days: fc.integer({ min: 0, max: 40 }) }), { maxLength: 40 });
    fc.assert(
      fc.property(life, fc.constantFrom('sandbox' as const, 'production' as const), (done, environment) => {
        let account: BillingAccount = {
          tenantId: 't',
          tier: 'FREE',
          status: 'ACTIVE',
          isSuspended: false,
          environment,
          subscriptions: [],
          payments: [],
        };
        let time = Date.UTC(2026, 0, 31, 12);
        let made = 0;
        const context = (): BillingContext => ({
          now: new Date(time),
          prices: testPrices,
          ivaRate: '15',
          newId: () => `id-${++made}`,
          newPaymentCode: () => `code-${++made}`,
        });
        for (const { step, days } of done) {
          time += days * DAY_MS;
          for (const each of [advance, step, advance]) {
            const before = account;
            try {
              account = each(account, context()).account;
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
            }
            expectLawful(before, account);
          }
          expect(advance(account, context()).events).toEqual([]);
          for (const each of account.subscriptions) {
            const next = nextStepAt(account, each, context());
            expect(next === null).toBe(each.status !== 'ACTIVE');
            expect(next === null || next.getTime() > time).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

function expectLawful(before: BillingAccount, account: BillingAccount): void {
  const current = currentSubscription(account);
  const underWay = account.subscriptions.filter(({ status }) => status === 'ACTIVE' || status === 'PENDING_PAYMENT');
  expect(underWay.length).toBeLessThanOrEqual(1);
  expect(account.tier).toBe(current?.status === 'ACTIVE' ? current.tier : 'FREE');
  for (const purpose of PAYMENT_PURPOSES) {
    for (const { id } of account.subscriptions) {
      const open = account.payments.filter(
        (each) => each.subscriptionId === id && isOpen(each) && each.purpose === purpose,
      );
      expect(open.length, `open ${purpose}`).toBeLessThanOrEqual(1);
    }
  }
  for (const subscription of account.subscriptions) {
    const { pendingTier, pendingBillingInterval, pendingExtraSeats, pendingAt, pendingIsPaid } = subscription;
    const isPending = [pendingTier, pendingBillingInterval, pendingExtraSeats].some((each) => each !== null);
    expect(isPending).toBe(pendingAt !== null);
    if (pendingIsPaid) expect(isPending).toBe(true);
    if (isActive(subscription)) {
      expect(subscription.currentPeriodStart < subscription.currentPeriodEnd).toBe(true);
      expect(subscription.anchor <= subscription.currentPeriodStart).toBe(true);
    } else expect(isPending).toBe(false);
    const earlier = before.subscriptions.find(({ id }) => id === subscription.id);
    if (earlier && earlier.status !== subscription.status) {
      // A refund may take a step back; it is the only one that does.
      const isRefund = before.payments.some(
        ({ id, status }) =>
          status === 'VERIFIED' && account.payments.find((each) => each.id === id)?.status === 'REFUNDED',
      );
      if (!isRefund) expect(SUBSCRIPTION_TRANSITIONS[earlier.status]).toContain(subscription.status);
    }
  }
  for (const payment of account.payments) {
    const earlier = before.payments.find(({ id }) => id === payment.id);
    if (earlier && earlier.status !== payment.status) {
      expect(PAYMENT_TRANSITIONS[earlier.status]).toContain(payment.status);
    }
    expect(payment.totalAmount).toMatch(/^\d+\.\d\d$/);
    expect(Number(payment.amount)).toBeGreaterThan(0);
  }
}
