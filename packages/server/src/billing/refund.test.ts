import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/refusal.js';
import { cancelSubscription } from './cancel-subscription.js';
import { changeTier } from './change-tier.js';
import { refundPayment, reportPayment, verifyPayment } from './settle-payment.js';
import { startSubscription } from './start-subscription.js';
import { createLife, type LifeStep } from './testing/billing-life.js';
import { advance, restartPeriod } from './timeline.js';

const start: LifeStep = (account, context) =>
  startSubscription(account, { tier: 'STARTER', billingInterval: 'MONTHLY', extraSeats: 0 }, context);
const upgrade: LifeStep = (account, context) =>
  changeTier(account, { tier: 'GROWTH', billingInterval: 'MONTHLY' }, context);
const yearly: LifeStep = (account, context) =>
  changeTier(account, { tier: 'STARTER', billingInterval: 'YEARLY' }, context);
const verify: LifeStep = (account, context) => verifyPayment(account, account.payments.at(-1)?.id ?? '', context);
const refund: LifeStep = (account, context) => refundPayment(account, account.payments.at(-1)?.id ?? '', context);
const promote: LifeStep = (account, context) => ({
  account: { ...restartPeriod(account, context), environment: 'production' },
});
const time: LifeStep = (account, context) => advance(account, context);

describe('a payment that is given back', () => {
  it('a refund causes no second warning for the same period', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(21, time);
    // The renewal is open; the upgrade is paid, and given back after the warning.
    life.take(1, upgrade);
    life.take(0, verify);
    life.take(12, time);
    const warnings = () => life.told.filter(({ kind }) => kind === 'SUBSCRIPTION_PAST_DUE_WARNING');
    expect(warnings()).toHaveLength(1);
    life.take(0, refund);
    life.take(0, time);
    expect(life.account.tier).toBe('STARTER');
    expect(warnings()).toHaveLength(1);
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', targetTier: 'STARTER', amount: '20.00' });
  });

  it('leaves fourteen days to pay the next renewal, when it was a renewal', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(25, time);
    life.take(0, verify);
    // Ten days after the end of the first period.
    life.take(13, time);
    life.take(0, refund);
    life.take(0, time);
    life.take(13, time);
    expect(life.account.tier).toBe('STARTER');
    life.take(1, time);
    expect(life.account.tier).toBe('FREE');
    const [, ...kinds] = life.told.map(({ kind }) => kind);
    expect(kinds).toEqual([
      'SUBSCRIPTION_RENEWAL_DUE',
      'PAYMENT_VERIFIED',
      'SUBSCRIPTION_RENEWAL_DUE',
      'SUBSCRIPTION_PAST_DUE_WARNING',
      'SUBSCRIPTION_EXPIRED',
    ]);
  });

  it('leaves the period that the move to production has begun since, when it was a renewal', () => {
    const life = createLife('sandbox');
    life.take(0, start);
    life.take(0, verify);
    life.take(25, time);
    life.take(0, verify);
    life.take(1, promote);
    const [moved] = life.account.subscriptions;
    life.take(1, refund);
    const [after] = life.account.subscriptions;
    expect(after).toEqual(moved);
    expect(life.account.payments.at(-1)?.status).toBe('REFUNDED');
  });

  it('leaves that period for the interval from before, when it had changed the interval', () => {
    const life = createLife('sandbox');
    life.take(0, start);
    life.take(0, verify);
    life.take(1, yearly);
    life.take(0, verify);
    life.take(1, promote);
    const anchor = life.account.subscriptions[0]?.anchor;
    life.take(1, refund);
    expect(life.account.subscriptions[0]).toMatchObject({
      billingInterval: 'MONTHLY',
      anchor,
      currentPeriodStart: anchor,
      // The second of February and a month.
      currentPeriodEnd: new Date('2026-03-02T12:00:00.000Z'),
    });
  });

  it('is the last one that was applied, of a subscription that is active', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(1, upgrade);
    life.take(0, verify);
    const refundOf = (index: number) => () =>
      life.take(0, (account, context) => refundPayment(account, account.payments[index]?.id ?? '', context));
    expect(refundOf(0)).toThrow(new Refusal('PAYMENT_NOT_REFUNDABLE'));
    life.take(24, time);
    life.take(20, time);
    expect(life.account.tier).toBe('FREE');
    expect(refundOf(1)).toThrow(new Refusal('PAYMENT_NOT_REFUNDABLE'));
  });

  it('ends the open renewal of a period that no longer follows, when it was a renewal', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(25, time);
    life.take(0, verify);
    life.take(28, time);
    expect(life.account.payments[2]).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING' });
    life.take(0, (account, context) => refundPayment(account, account.payments[1]?.id ?? '', context));
    expect(life.account.payments[2]?.status).toBe('CANCELLED');
  });

  it('leaves the end that the account has ordered since', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(1, upgrade);
    life.take(0, verify);
    life.take(1, (account) => cancelSubscription(account));
    life.take(0, refund);
    const end = new Date('2026-02-28T12:00:00.000Z');
    expect(life.account.subscriptions).toMatchObject([{ tier: 'STARTER', pendingTier: 'FREE', pendingAt: end }]);
  });

  describe('leaves the smaller plan that the account has chosen since, when it was a renewal', () => {
    function smaller(stage: 'sandbox' | 'production') {
      const life = createLife(stage);
      life.take(0, start);
      life.take(0, verify);
      life.take(0, upgrade);
      life.take(0, verify);
      life.take(25, time);
      life.take(0, verify);
      life.take(0, (account, context) => changeTier(account, { tier: 'STARTER', billingInterval: 'MONTHLY' }, context));
      life.take(0, refund);
      return life.account;
    }

    it('at once in the sandbox', () => {
      const { tier, subscriptions } = smaller('sandbox');
      expect([tier, subscriptions[0]?.tier]).toEqual(['STARTER', 'STARTER']);
    });

    it('from the end of what is still paid in production', () => {
      const end = new Date('2026-02-28T12:00:00.000Z');
      expect(smaller('production').subscriptions).toMatchObject([
        { tier: 'GROWTH', pendingTier: 'STARTER', pendingAt: end, currentPeriodEnd: end },
      ]);
    });
  });

  it('leaves nothing to apply for a change that was reported before, when it was the first payment', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, verify);
    life.take(1, upgrade);
    life.take(0, (account, context) => reportPayment(account, account.payments[1]?.id ?? '', context));
    life.take(0, (account, context) => refundPayment(account, account.payments[0]?.id ?? '', context));
    expect(() => life.take(0, verify)).toThrow('PAYMENT_PURPOSE_OVER');
    expect(life.account.tier).toBe('FREE');
  });
});
