import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/refusal.js';
import { cancelSubscription } from './cancel-subscription.js';
import { changeSeats } from './change-seats.js';
import { changeTier } from './change-tier.js';
import type { Outcome } from './outcome.js';
import { refundPayment, rejectPayment, reportPayment, verifyPayment } from './settle-payment.js';
import { startSubscription } from './start-subscription.js';
import { createLife, type LifeStep } from './testing/billing-life.js';
import { advance, closeBilling, restartPeriod } from './timeline.js';

const start: LifeStep = (account, context) =>
  startSubscription(account, { tier: 'STARTER', billingInterval: 'MONTHLY', extraSeats: 0 }, context);
const yearly: LifeStep = (account, context) =>
  changeTier(account, { tier: 'STARTER', billingInterval: 'YEARLY' }, context);
const payment =
  (index: number, step: (...of: Parameters<typeof verifyPayment>) => Outcome): LifeStep =>
  (account, context) =>
    step(account, account.payments.at(index)?.id ?? '', context);
const time: LifeStep = (account, context) => advance(account, context);

describe.each(['sandbox', 'production'] as const)('a renewal reported before a change of interval, in %s', (stage) => {
  /** The first payment, the reported renewal of the month, and the verified change to a year. */
  function changed() {
    const life = createLife(stage);
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(25, time);
    life.take(0, payment(-1, reportPayment));
    life.take(0, yearly);
    life.take(0, payment(-1, verifyPayment));
    return life;
  }
  const verifyRenewal = payment(1, verifyPayment);
  const rejectRenewal = payment(1, (account, id) => rejectPayment(account, id, 'AMOUNT_MISMATCH'));

  it('is refused, before and after the change takes effect: the year is paid', () => {
    const life = changed();
    expect(() => life.take(0, verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
    life.take(30, time);
    expect(life.account.subscriptions[0]?.billingInterval).toBe('YEARLY');
    expect(() => life.take(0, verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('gives way to the renewal of the year once it is rejected', () => {
    const life = changed();
    life.take(0, rejectRenewal);
    life.take(0, time);
    expect(life.account.payments).toHaveLength(3);
    life.take(30, time);
    const paidUntil = life.account.subscriptions[0]?.currentPeriodEnd;
    life.take(335, time);
    expect(life.account.payments.slice(1)).toMatchObject([
      { purpose: 'RENEWAL', status: 'CANCELLED' },
      { purpose: 'TIER_CHANGE', status: 'VERIFIED' },
      { purpose: 'RENEWAL', status: 'PENDING', targetBillingInterval: 'YEARLY', dueAt: paidUntil },
    ]);
  });
});

it.each(['sandbox', 'production'] as const)('an open renewal ends with a change of interval, in %s', (stage) => {
  const life = createLife(stage);
  life.take(0, start);
  life.take(0, payment(-1, verifyPayment));
  life.take(25, time);
  life.take(0, yearly);
  // At the end of the period where the change waits for it, else within a week.
  const dueAt = stage === 'production' ? '2026-02-28T12:00:00.000Z' : '2026-03-04T12:00:00.000Z';
  expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date(dueAt));
  life.take(0, payment(-1, verifyPayment));
  expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', status: 'CANCELLED' });
});

describe('a renewal and a change to more that pays only the days of the current period', () => {
  const more: LifeStep = (account, context) =>
    changeTier(account, { tier: 'GROWTH', billingInterval: 'MONTHLY' }, context);
  const seats: LifeStep = (account, context) => changeSeats(account, 3, context);

  /** A subscription five days before the end of its month, with an open renewal. */
  function renewable() {
    const life = createLife();
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(24, time);
    return life;
  }
  const plan = ({ account }: ReturnType<typeof createLife>) => [account.tier, account.subscriptions[0]?.extraSeats];

  it.each([
    ['a tier', more, ['GROWTH', 0]],
    ['seats', seats, ['STARTER', 3]],
  ])('give the plan of the renewal in its period, when %s was changed after its report', (_name, change, raised) => {
    const life = renewable();
    life.take(0, payment(1, reportPayment));
    life.take(1, change);
    expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date('2026-02-28T12:00:00.000Z'));
    life.take(0, payment(-1, verifyPayment));
    life.take(0, payment(1, verifyPayment));
    expect(plan(life)).toEqual(raised);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('give the plan of the renewal in its period, when the change was verified last', () => {
    const life = renewable();
    life.take(0, more);
    life.take(1, payment(1, verifyPayment));
    life.take(0, payment(-1, verifyPayment));
    expect(plan(life)).toEqual(['GROWTH', 0]);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('leave the larger plan when the renewal is refunded', () => {
    const life = renewable();
    life.take(0, payment(1, reportPayment));
    life.take(1, more);
    life.take(0, payment(-1, verifyPayment));
    life.take(1, payment(1, verifyPayment));
    life.take(0, payment(1, refundPayment));
    life.take(4, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', targetTier: 'GROWTH' });
  });

  it('leave the larger plan when the renewal was refunded before the change was verified', () => {
    const life = renewable();
    life.take(0, more);
    life.take(1, payment(1, verifyPayment));
    life.take(0, payment(1, refundPayment));
    life.take(0, payment(2, verifyPayment));
    life.take(5, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('leave nothing to apply once the days of the change are over, the renewal being %s', (_name, settle) => {
    const life = renewable();
    life.take(0, more);
    life.take(1, payment(1, settle));
    life.take(5, time);
    expect(() => life.take(0, payment(-1, verifyPayment))).toThrow('PAYMENT_STATUS');
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('leave a reported change to be refused at the end of its days, the renewal being %s', (_name, settle) => {
    const life = renewable();
    life.take(0, more);
    life.take(0, payment(-1, reportPayment));
    life.take(1, payment(1, settle));
    life.take(3, time);
    expect(() => life.take(0, payment(-1, verifyPayment))).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('give the plan of the renewal in its period, when the change was refunded after its report', () => {
    const life = renewable();
    life.take(0, more);
    life.take(0, payment(-1, verifyPayment));
    life.take(0, payment(1, reportPayment));
    life.take(0, payment(-1, refundPayment));
    life.take(0, payment(1, verifyPayment));
    expect(plan(life)).toEqual(['STARTER', 0]);
    life.take(6, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it('leave the larger plan when the move to production ends the period of the renewal', () => {
    const life = createLife('sandbox');
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(24, time);
    life.take(0, payment(1, reportPayment));
    life.take(0, more);
    life.take(0, payment(-1, verifyPayment));
    life.take(0, payment(1, verifyPayment));
    life.take(1, (account, context) => ({
      account: { ...restartPeriod(account, context), environment: 'production' },
    }));
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', pendingTier: null, pendingAt: null });
  });

  it('leave the smaller plan that was ordered, when the renewal is refunded', () => {
    const life = renewable();
    const changeTo =
      (tier: 'GROWTH' | 'BUSINESS'): LifeStep =>
      (account, context) =>
        changeTier(account, { tier, billingInterval: 'MONTHLY' }, context);
    life.take(0, payment(1, reportPayment));
    life.take(0, changeTo('BUSINESS'));
    life.take(0, payment(-1, verifyPayment));
    life.take(0, changeTo('GROWTH'));
    const [before] = life.account.subscriptions;
    life.take(1, payment(1, verifyPayment));
    life.take(0, payment(1, refundPayment));
    expect(life.account.subscriptions[0]).toEqual(before);
  });

  it('leave the end that was ordered, after the paid period', () => {
    const life = renewable();
    life.take(0, payment(1, reportPayment));
    life.take(1, seats);
    life.take(0, payment(-1, verifyPayment));
    life.take(0, (account) => cancelSubscription(account));
    life.take(0, payment(1, verifyPayment));
    const end = new Date('2026-03-31T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({ pendingTier: 'FREE', pendingAt: end, currentPeriodEnd: end });
  });

  it('cost the share of the current period and the whole next one, when the renewal is paid', () => {
    const life = renewable();
    life.take(0, payment(1, verifyPayment));
    life.take(0, more);
    // Four of 28 days, and March.
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'TIER_CHANGE', amount: '80.00' });
    life.take(0, payment(-1, verifyPayment));
    life.take(5, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });
});

it('a late renewal leaves the next period its own warning', () => {
  const life = createLife();
  life.take(0, start);
  life.take(0, payment(-1, verifyPayment));
  for (let period = 1; period <= 2; period += 1) {
    life.take(22, time);
    life.take(12, time);
    expect(life.told.filter(({ kind }) => kind === 'SUBSCRIPTION_PAST_DUE_WARNING')).toHaveLength(period);
    life.take(0, payment(-1, verifyPayment));
  }
});

it('the end of an account ends its first payment, unless it was reported', () => {
  const closed = (...steps: readonly LifeStep[]) => {
    const life = createLife();
    for (const step of [start, ...steps, closeBilling]) life.take(0, step);
    return life.account.payments[0]?.status;
  };
  expect([closed(), closed(payment(0, reportPayment))]).toEqual(['CANCELLED', 'REPORTED']);
});

it('the end that was ordered in the sandbox comes with the first period in production', () => {
  const life = createLife('sandbox');
  life.take(0, start);
  life.take(0, payment(-1, verifyPayment));
  life.take(1, (account) => cancelSubscription(account));
  life.take(1, (account, context) => ({ account: { ...restartPeriod(account, context), environment: 'production' } }));
  const end = new Date('2026-03-02T12:00:00.000Z');
  expect(life.account.subscriptions).toMatchObject([{ pendingTier: 'FREE', pendingAt: end, currentPeriodEnd: end }]);
});

describe('a change that waits for the end of a period, while the next one is paid', () => {
  const large: LifeStep = (account, context) =>
    startSubscription(account, { tier: 'GROWTH', billingInterval: 'MONTHLY', extraSeats: 2 }, context);
  const smaller: LifeStep = (account, context) =>
    changeTier(account, { tier: 'STARTER', billingInterval: 'MONTHLY' }, context);
  const another: LifeStep = (account, context) =>
    changeTier(account, { tier: 'GROWTH', billingInterval: 'YEARLY' }, context);
  const fewer: LifeStep = (account, context) => changeSeats(account, 1, context);
  const end: LifeStep = (account) => cancelSubscription(account);
  const [TIER, SEATS] = ['TIER_CHANGE_ALREADY_PENDING', 'SEAT_CHANGE_ALREADY_PENDING'] as const;

  it.each([
    { waiting: 'a smaller plan', first: smaller, asked: 'fewer seats', second: fewer, code: TIER },
    { waiting: 'fewer seats', first: fewer, asked: 'a smaller plan', second: smaller, code: SEATS },
    { waiting: 'fewer seats', first: fewer, asked: 'another interval', second: another, code: SEATS },
    { waiting: 'fewer seats', first: fewer, asked: 'the end', second: end, code: SEATS },
  ] as const)('keeps its day: $waiting, when the account asks for $asked', ({ first, second, code }) => {
    const life = createLife();
    life.take(0, large);
    life.take(0, payment(-1, verifyPayment));
    life.take(1, first);
    life.take(24, time);
    life.take(0, payment(-1, verifyPayment));
    expect(() => life.take(0, second)).toThrow(new Refusal(code));
  });

  it.each([
    { change: 'a smaller plan', step: smaller },
    { change: 'fewer seats', step: fewer },
  ])('waits for the end of what is paid: $change, ordered after the report of the renewal', ({ step }) => {
    const life = createLife();
    life.take(0, large);
    life.take(0, payment(-1, verifyPayment));
    life.take(24, time);
    life.take(0, payment(1, reportPayment));
    life.take(1, step);
    life.take(0, payment(1, verifyPayment));
    const plan = () => [life.account.tier, life.account.subscriptions[0]?.extraSeats];
    life.take(5, time);
    expect(plan()).toEqual(['GROWTH', 2]);
    life.take(29, time);
    expect(plan()).not.toEqual(['GROWTH', 2]);
  });

  it.each([
    { change: 'a smaller plan', step: smaller, asked: { targetTier: 'STARTER', targetExtraSeats: 2, amount: '30.00' } },
    { change: 'fewer seats', step: fewer, asked: { targetTier: 'GROWTH', targetExtraSeats: 1, amount: '95.00' } },
  ])('has its price in the open renewal: $change', ({ step, asked }) => {
    const life = createLife();
    life.take(0, large);
    life.take(0, payment(-1, verifyPayment));
    life.take(24, time);
    life.take(0, step);
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', ...asked });
  });

  /** The renewal pays the smaller plan, so the account returns to it; a change of interval was reported before. */
  function returning(stage: 'sandbox' | 'production') {
    const life = createLife(stage);
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(24, time);
    life.take(0, payment(1, reportPayment));
    life.take(1, (account, context) => changeTier(account, { tier: 'GROWTH', billingInterval: 'MONTHLY' }, context));
    life.take(0, payment(-1, verifyPayment));
    life.take(0, another);
    life.take(0, payment(-1, reportPayment));
    life.take(0, payment(1, verifyPayment));
    return life;
  }

  it('keeps its day when a change of interval was ordered before, which is verified after that day', () => {
    const life = returning('production');
    const verify = payment(-1, verifyPayment);
    expect(() => life.take(0, verify)).toThrow('EARLIER_CHANGE_PENDING');
    life.take(5, time);
    expect(life.account.tier).toBe('STARTER');
    life.take(0, verify);
    expect(life.account.subscriptions[0]).toMatchObject({ pendingTier: 'GROWTH', pendingBillingInterval: 'YEARLY' });
  });

  it('ends in the sandbox with a change of interval, which begins at once', () => {
    const life = returning('sandbox');
    life.take(0, payment(-1, verifyPayment));
    life.take(5, time);
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', billingInterval: 'YEARLY', pendingAt: null });
  });
});

describe('a change to more after the period, while its renewal is unpaid', () => {
  const more: LifeStep = (account, context) =>
    changeTier(account, { tier: 'BUSINESS', billingInterval: 'MONTHLY' }, context);
  const seats: LifeStep = (account, context) => changeSeats(account, 3, context);

  function overdue(stage: 'sandbox' | 'production') {
    const life = createLife(stage);
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(25, time);
    life.take(8, time);
    return life;
  }

  it.each([
    { change: 'plan', step: more, stage: 'production' },
    { change: 'plan', step: more, stage: 'sandbox' },
    { change: 'seats', step: seats, stage: 'production' },
  ] as const)('is refused, since no paid time is left: $change, in $stage', ({ step, stage }) => {
    const life = overdue(stage);
    expect(life.account.tier).toBe('STARTER');
    expect(() => life.take(0, step)).toThrow(new Refusal('RENEWAL_UNPAID'));
  });

  it('is possible once the renewal is paid, for the difference', () => {
    const life = overdue('production');
    life.take(0, payment(-1, verifyPayment));
    life.take(0, more);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'TIER_CHANGE', status: 'PENDING' });
    expect(life.account.tier).toBe('STARTER');
  });
});

describe('a payment that was reported before its subscription expired', () => {
  it('is refused once the account has another subscription, when it was a renewal', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(25, time);
    life.take(0, payment(-1, reportPayment));
    life.take(15, time);
    life.take(0, start);
    expect(life.account.subscriptions.map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING_PAYMENT']);
    expect(() => life.take(0, payment(1, verifyPayment))).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('is refused when it was a change to more, which paid the days of its period alone', () => {
    const life = createLife();
    life.take(0, start);
    life.take(0, payment(-1, verifyPayment));
    life.take(1, (account, context) => changeTier(account, { tier: 'GROWTH', billingInterval: 'MONTHLY' }, context));
    life.take(0, payment(-1, reportPayment));
    life.take(24, time);
    life.take(15, time);
    expect(life.account.subscriptions[0]?.status).toBe('EXPIRED');
    expect(() => life.take(0, payment(1, verifyPayment))).toThrow('PAYMENT_PURPOSE_OVER');
  });
});
