import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/refusal.js';
import { changeSeats } from './change-seats.js';
import { refundPayment, rejectPayment, reportPayment, verifyPayment } from './settle-payment.js';
import {
  changeTo,
  createLife,
  end,
  type LifeStep,
  payment,
  promote,
  refund,
  report,
  start,
  time,
  verify,
  yearly,
} from './testing/billing-life.js';

const upgrade = changeTo('GROWTH');

describe('a refund', () => {
  it('a refund causes no second warning for the same period', () => {
    const life = createLife();
    life.take(start, verify, 21, time);
    // The renewal is open; the upgrade is paid, and refunded after the warning.
    life.take(1, upgrade, verify, 12, time);
    const warnings = () => life.notices.filter(({ kind }) => kind === 'SUBSCRIPTION_PAST_DUE_WARNING');
    expect(warnings()).toHaveLength(1);
    life.take(refund, time);
    expect(life.account.tier).toBe('STARTER');
    expect(warnings()).toHaveLength(1);
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', targetTier: 'STARTER', amount: '20.00' });
  });

  it('a refunded renewal leaves fourteen days to pay the next renewal', () => {
    const life = createLife();
    life.take(start, verify, 25, time, verify);
    // Ten days after the end of the first period.
    life.take(13, time, refund, time, 13, time);
    expect(life.account.tier).toBe('STARTER');
    life.take(1, time);
    expect(life.account.tier).toBe('FREE');
    const [, ...kinds] = life.notices.map(({ kind }) => kind);
    expect(kinds).toEqual([
      'SUBSCRIPTION_RENEWAL_DUE',
      'PAYMENT_VERIFIED',
      'PAYMENT_REFUNDED',
      'SUBSCRIPTION_RENEWAL_DUE',
      'SUBSCRIPTION_PAST_DUE_WARNING',
      'SUBSCRIPTION_EXPIRED',
    ]);
  });

  it('a refunded renewal leaves the period that the move to production began', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 25, time, verify, 1, promote);
    const [moved] = life.account.subscriptions;
    life.take(1, refund);
    const [after] = life.account.subscriptions;
    expect(after).toEqual({ ...moved, currentPeriodEnd: new Date('2026-03-26T12:00:00.000Z') });
    expect(life.account.payments.at(-1)?.status).toBe('REFUNDED');
  });

  it('a refund ends no change that is ordered after it', () => {
    const life = createLife();
    life.take(start, verify, 1, upgrade, verify, 1, refund, 1, upgrade, verify);
    expect(life.account.tier).toBe('GROWTH');
  });

  it('a refund leaves the subscription if the move to production has ended the period of the renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 25, time, verify, 10, time, promote);
    const [moved] = life.account.subscriptions;
    expect(life.account.payments[1]?.periodStart).toEqual(new Date('2026-02-28T12:00:00.000Z'));
    life.take(1, refund);
    expect(life.account.subscriptions[0]).toEqual(moved);
  });

  it('a refunded change of interval before the move to production leaves the period of a renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 25, time, verify, 1, yearly, verify, 1, promote, 1, refund);
    const [anchor, next] = [new Date('2026-02-27T12:00:00.000Z'), new Date('2026-03-27T12:00:00.000Z')];
    expect(life.account.subscriptions[0]).toMatchObject({
      billingInterval: 'MONTHLY',
      currentPeriodStart: anchor,
      currentPeriodEnd: new Date('2026-04-27T12:00:00.000Z'),
    });
    life.take(payment(1, refundPayment));
    expect(life.account.subscriptions[0]).toMatchObject({ currentPeriodStart: anchor, currentPeriodEnd: next });
  });

  it('a refunded change of interval keeps the period of production with the former interval', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 1, yearly, verify, 1, promote);
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

  it('a refund applies to the last payment of an active subscription only', () => {
    const life = createLife();
    life.take(start, verify, 1, upgrade, verify);
    const refundOf = (index: number) => () => life.take(payment(index, refundPayment));
    expect(refundOf(0)).toThrow(new Refusal('PAYMENT_NOT_REFUNDABLE'));
    life.take(24, time, 20, time);
    expect(life.account.tier).toBe('FREE');
    expect(refundOf(1)).toThrow(new Refusal('PAYMENT_NOT_REFUNDABLE'));
  });

  it('a refunded renewal ends the open renewal of a later period', () => {
    const life = createLife();
    life.take(start, verify, 25, time, verify, 28, time);
    expect(life.account.payments[2]).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING' });
    life.take(payment(1, refundPayment));
    expect(life.account.payments[2]?.status).toBe('CANCELLED');
  });

  it('a refund keeps the end that the account ordered later', () => {
    const life = createLife();
    life.take(start, verify, 1, upgrade, verify, 1, end, refund);
    const pendingAt = new Date('2026-02-28T12:00:00.000Z');
    expect(life.account.subscriptions).toMatchObject([{ tier: 'STARTER', pendingTier: 'FREE', pendingAt }]);
  });

  it('a refunded larger plan keeps the smaller plan that the account ordered later', () => {
    const life = createLife();
    life.take(start, verify, upgrade, verify, 1, changeTo('BUSINESS'), verify, 20, time, changeTo('STARTER'), 1);
    life.take(payment(2, refundPayment));
    const pendingAt = new Date('2026-02-28T12:00:00.000Z');
    expect(life.account.subscriptions).toMatchObject([{ tier: 'GROWTH', pendingTier: 'STARTER', pendingAt }]);
    // The open renewal has the smaller plan.
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', amount: '20.00' });
  });

  describe('a refunded renewal after the order of a smaller plan', () => {
    function smaller(stage: 'sandbox' | 'production') {
      const life = createLife(stage);
      life.take(start, verify, upgrade, verify, 25, time, verify, changeTo('STARTER'), refund);
      return life.account;
    }

    it('a refunded renewal keeps the ordered smaller plan at once in the sandbox', () => {
      const { tier, subscriptions } = smaller('sandbox');
      expect([tier, subscriptions[0]?.tier]).toEqual(['STARTER', 'STARTER']);
    });

    it('a refunded renewal keeps the ordered smaller plan for the end of the paid period in production', () => {
      const paidUntil = new Date('2026-02-28T12:00:00.000Z');
      expect(smaller('production').subscriptions).toMatchObject([
        { tier: 'GROWTH', pendingTier: 'STARTER', pendingAt: paidUntil, currentPeriodEnd: paidUntil },
      ]);
    });
  });

  it('a refunded first payment leaves nothing to apply for a reported change', () => {
    const life = createLife();
    life.take(start, verify, 1, upgrade, payment(1, reportPayment), payment(0, refundPayment));
    expect(() => life.take(verify)).toThrow('PAYMENT_PURPOSE_OVER');
    expect(life.account.tier).toBe('FREE');
  });

  describe.each([
    { given: 'a larger plan', change: upgrade, days: 1 },
    { given: 'a year', change: yearly, days: 40 },
  ])('a refund of $given with a later order', ({ change, days }) => {
    const seats: LifeStep = (account, context) => changeSeats(account, 3, context);

    function refunded(...reported: readonly LifeStep[]) {
      const life = createLife();
      life.take(start, verify, 1, change, verify, days, time, seats, ...reported, 1, payment(1, refundPayment), time);
      return life;
    }

    it('a refund cancels the unreported payment of a later order', () => {
      expect(refunded().account.payments[2]).toMatchObject({ targetExtraSeats: 3, status: 'CANCELLED' });
    });

    it('a refund ends a reported later order with the rejection of its transfer', () => {
      const life = refunded(report);
      expect(() => life.take(payment(2, verifyPayment))).toThrow('PAYMENT_PURPOSE_OVER');
      life.take(
        payment(2, (account, id) => rejectPayment(account, id, 'OTHER')),
        time,
      );
      expect(life.account.payments[2]?.status).toBe('CANCELLED');
    });
  });

  it('a refunded change of interval opens a renewal of the former interval', () => {
    const life = createLife();
    life.take(start, verify, 1, yearly, verify, 30, time);
    life.take(360, time, payment(1, refundPayment), time);
    // The open renewal of the year is over, and the month has fourteen days to be paid.
    expect(life.account.payments.slice(2)).toMatchObject([
      { purpose: 'RENEWAL', status: 'CANCELLED', targetBillingInterval: 'YEARLY' },
      { purpose: 'RENEWAL', status: 'PENDING', targetBillingInterval: 'MONTHLY', amount: '20.00' },
    ]);
    expect(life.account.tier).toBe('STARTER');
  });
});
