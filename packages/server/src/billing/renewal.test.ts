import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/refusal.js';
import { changeSeats } from './change-seats.js';
import { changeTier } from './change-tier.js';
import { refundPayment, rejectPayment, reportPayment, verifyPayment } from './settle-payment.js';
import { startSubscription } from './start-subscription.js';
import {
  changeTo,
  createLife,
  end,
  type LifeStep,
  payment,
  promote,
  report,
  start,
  time,
  verify,
  yearly,
} from './testing/billing-life.js';
import { closeBilling } from './timeline.js';

// The second payment of a life that starts with a paid month.
const reportRenewal = payment(1, reportPayment);
const verifyRenewal = payment(1, verifyPayment);
const refundRenewal = payment(1, refundPayment);

describe.each(['sandbox', 'production'] as const)('a renewal reported before a change of interval, in %s', (stage) => {
  /** The first payment, the reported renewal of the month, and the verified change to a year. */
  function changed() {
    const life = createLife(stage);
    life.take(start, verify, 25, time, report, yearly, verify);
    return life;
  }
  const rejectRenewal = payment(1, (account, id) => rejectPayment(account, id, 'AMOUNT_MISMATCH'));

  it('is refused, before and after the change takes effect: the year is paid', () => {
    const life = changed();
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
    life.take(30, time);
    expect(life.account.subscriptions[0]?.billingInterval).toBe('YEARLY');
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('gives way to the renewal of the year once it is rejected', () => {
    const life = changed();
    life.take(rejectRenewal, time);
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

it('a change of interval that was reported in time begins with its verification after the subscription has expired', () => {
  const life = createLife();
  life.take(start, verify, 25, time, yearly, report, 15, time);
  expect([life.account.tier, life.account.status]).toEqual(['FREE', 'PAST_DUE']);
  life.take(verify);
  expect([life.account.tier, life.account.status]).toEqual(['STARTER', 'ACTIVE']);
  expect(life.account.subscriptions).toMatchObject([
    { status: 'ACTIVE', billingInterval: 'YEARLY', currentPeriodEnd: new Date('2027-03-12T12:00:00.000Z') },
  ]);
});

it.each(['sandbox', 'production'] as const)('an open renewal ends with a change of interval, in %s', (stage) => {
  const life = createLife(stage);
  life.take(start, verify, 25, time, yearly);
  // At the end of the period where the change waits for it, else within a week.
  const dueAt = stage === 'production' ? '2026-02-28T12:00:00.000Z' : '2026-03-04T12:00:00.000Z';
  expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date(dueAt));
  life.take(verify);
  expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', status: 'CANCELLED' });
});

describe('a renewal and a change to more that pays only the days of the current period', () => {
  const more = changeTo('GROWTH');
  const seats: LifeStep = (account, context) => changeSeats(account, 3, context);

  /** A subscription five days before the end of its month, with an open renewal. */
  function renewable() {
    const life = createLife();
    life.take(start, verify, 24, time);
    return life;
  }
  const plan = ({ account }: ReturnType<typeof createLife>) => [account.tier, account.subscriptions[0]?.extraSeats];

  it.each([
    ['a tier', more, ['GROWTH', 0]],
    ['seats', seats, ['STARTER', 3]],
  ])('give the plan of the renewal in its period, when %s was changed after its report', (_name, change, raised) => {
    const life = renewable();
    life.take(reportRenewal, 1, change);
    expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date('2026-02-28T12:00:00.000Z'));
    life.take(verify, verifyRenewal);
    expect(plan(life)).toEqual(raised);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('give the plan of the renewal in its period, when the change was verified last', () => {
    const life = renewable();
    life.take(more, 1, verifyRenewal, verify);
    expect(plan(life)).toEqual(['GROWTH', 0]);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('leave the larger plan when the renewal is refunded', () => {
    const life = renewable();
    life.take(reportRenewal, 1, more, verify, 1, verifyRenewal, refundRenewal, 4, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', targetTier: 'GROWTH' });
  });

  it('leave the larger plan when the renewal was refunded before the change was verified', () => {
    const life = renewable();
    life.take(more, 1, verifyRenewal, refundRenewal, payment(2, verifyPayment), 5, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('leave nothing to apply once the days of the change are over, the renewal being %s', (_name, settle) => {
    const life = renewable();
    life.take(more, 1, payment(1, settle), 5, time);
    expect(() => life.take(verify)).toThrow('PAYMENT_STATUS');
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('leave a reported change to be refused at the end of its days, the renewal being %s', (_name, settle) => {
    const life = renewable();
    life.take(more, report, 1, payment(1, settle), 3, time);
    expect(() => life.take(verify)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('give the plan of the renewal in its period, when the change was refunded after its report', () => {
    const life = renewable();
    life.take(more, verify, reportRenewal, payment(-1, refundPayment), verifyRenewal);
    expect(plan(life)).toEqual(['STARTER', 0]);
    life.take(6, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it('keep their plans after the move to production: the larger one, then that of the renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, reportRenewal, more, verify, verifyRenewal, 1, promote);
    const next = new Date('2026-03-25T12:00:00.000Z');
    const until = new Date('2026-04-25T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', pendingAt: next, currentPeriodEnd: until });
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', periodStart: next, periodEnd: until });
    life.take(28, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('keep the end that was ordered, after the period of the renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, verify, end, 1, promote);
    const until = new Date('2026-04-25T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({
      pendingTier: 'FREE',
      pendingAt: until,
      currentPeriodEnd: until,
    });
  });

  it('give the larger plan for the first period in production, when the change is verified after the move', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, more, report, 1, verifyRenewal, 1, promote, 1, payment(2, verifyPayment));
    const next = new Date('2026-03-26T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', pendingTier: 'STARTER', pendingAt: next });
    expect(life.account.payments[2]?.periodEnd).toEqual(next);
  });

  it('leave the smaller plan that was ordered, when the renewal is refunded', () => {
    const life = renewable();
    life.take(reportRenewal, changeTo('BUSINESS'), verify, changeTo('GROWTH'));
    const [before] = life.account.subscriptions;
    life.take(1, verifyRenewal, refundRenewal);
    expect(life.account.subscriptions[0]).toEqual(before);
  });

  it('leave the end that was ordered, after the paid period', () => {
    const life = renewable();
    life.take(reportRenewal, 1, seats, verify, end, verifyRenewal);
    const paidUntil = new Date('2026-03-31T12:00:00.000Z');
    expect(life.account.subscriptions).toMatchObject([
      { pendingTier: 'FREE', pendingAt: paidUntil, currentPeriodEnd: paidUntil },
    ]);
  });

  it('cost the share of the current period and the whole next one, when the renewal is paid', () => {
    const life = renewable();
    life.take(verifyRenewal, more);
    // Four of 28 days, and March.
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'TIER_CHANGE', amount: '80.00' });
    life.take(verify, 5, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });
});

it('a late renewal leaves the next period its own warning', () => {
  const life = createLife();
  life.take(start, verify);
  for (let period = 1; period <= 2; period += 1) {
    life.take(22, time, 12, time);
    expect(life.told.filter(({ kind }) => kind === 'SUBSCRIPTION_PAST_DUE_WARNING')).toHaveLength(period);
    life.take(verify);
  }
});

it('the end of an account ends its first payment, unless it was reported', () => {
  const closed = (...steps: readonly LifeStep[]) => {
    const life = createLife();
    life.take(start, ...steps, closeBilling);
    return life.account.payments[0]?.status;
  };
  expect([closed(), closed(payment(0, reportPayment))]).toEqual(['CANCELLED', 'REPORTED']);
});

it('the end that was ordered in the sandbox comes with the first period in production', () => {
  const life = createLife('sandbox');
  life.take(start, verify, 1, end, 1, promote);
  const paidUntil = new Date('2026-03-02T12:00:00.000Z');
  expect(life.account.subscriptions).toMatchObject([
    { pendingTier: 'FREE', pendingAt: paidUntil, currentPeriodEnd: paidUntil },
  ]);
});

describe('a change that waits for the end of a period, while the next one is paid', () => {
  const large: LifeStep = (account, context) =>
    startSubscription(account, { tier: 'GROWTH', billingInterval: 'MONTHLY', extraSeats: 2 }, context);
  const smaller = changeTo('STARTER');
  const another: LifeStep = (account, context) =>
    changeTier(account, { tier: 'GROWTH', billingInterval: 'YEARLY' }, context);
  const fewer: LifeStep = (account, context) => changeSeats(account, 1, context);
  const [TIER, SEATS] = ['TIER_CHANGE_ALREADY_PENDING', 'SEAT_CHANGE_ALREADY_PENDING'] as const;

  it.each([
    { waiting: 'a smaller plan', first: smaller, asked: 'fewer seats', second: fewer, code: TIER },
    { waiting: 'fewer seats', first: fewer, asked: 'a smaller plan', second: smaller, code: SEATS },
    { waiting: 'fewer seats', first: fewer, asked: 'another interval', second: another, code: SEATS },
    { waiting: 'fewer seats', first: fewer, asked: 'the end', second: end, code: SEATS },
  ] as const)('keeps its day: $waiting, when the account asks for $asked', ({ first, second, code }) => {
    const life = createLife();
    life.take(large, verify, 1, first, 24, time, verify);
    expect(() => life.take(second)).toThrow(new Refusal(code));
  });

  it.each([
    { change: 'a smaller plan', step: smaller },
    { change: 'fewer seats', step: fewer },
  ])('waits for the end of what is paid: $change, ordered after the report of the renewal', ({ step }) => {
    const life = createLife();
    life.take(large, verify, 24, time, reportRenewal, 1, step, verifyRenewal);
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
    life.take(large, verify, 24, time, step);
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', ...asked });
  });

  /** The renewal pays the smaller plan, so the account returns to it; a change of interval was reported before. */
  function returning(stage: 'sandbox' | 'production') {
    const life = createLife(stage);
    life.take(start, verify, 24, time, reportRenewal, 1, changeTo('GROWTH'), verify, another, report, verifyRenewal);
    return life;
  }

  it('keeps its day when a change of interval was ordered before, which is verified after that day', () => {
    const life = returning('production');
    expect(() => life.take(verify)).toThrow('EARLIER_CHANGE_PENDING');
    life.take(5, time);
    expect(life.account.tier).toBe('STARTER');
    life.take(verify);
    expect(life.account.subscriptions[0]).toMatchObject({ pendingTier: 'GROWTH', pendingBillingInterval: 'YEARLY' });
  });

  it('ends in the sandbox with a change of interval, which begins at once', () => {
    const life = returning('sandbox');
    life.take(verify, 5, time);
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', billingInterval: 'YEARLY', pendingAt: null });
  });
});

describe('a change to more after the period, while its renewal is unpaid', () => {
  const more = changeTo('BUSINESS');
  const seats: LifeStep = (account, context) => changeSeats(account, 3, context);

  function overdue(stage: 'sandbox' | 'production') {
    const life = createLife(stage);
    life.take(start, verify, 25, time, 8, time);
    return life;
  }

  it.each([
    { change: 'plan', step: more, stage: 'production' },
    { change: 'plan', step: more, stage: 'sandbox' },
    { change: 'seats', step: seats, stage: 'production' },
  ] as const)('is refused, since no paid time is left: $change, in $stage', ({ step, stage }) => {
    const life = overdue(stage);
    expect(life.account.tier).toBe('STARTER');
    expect(() => life.take(step)).toThrow(new Refusal('RENEWAL_UNPAID'));
  });

  it('is possible once the renewal is paid, for the difference', () => {
    const life = overdue('production');
    life.take(verify, more);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'TIER_CHANGE', status: 'PENDING' });
    expect(life.account.tier).toBe('STARTER');
  });
});

describe('a payment that was reported before its subscription expired', () => {
  it('is refused once the account has another subscription, when it was a renewal', () => {
    const life = createLife();
    life.take(start, verify, 25, time, report, 15, time, start);
    expect(life.account.subscriptions.map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING_PAYMENT']);
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('is refused when it was a change to more, which paid the days of its period alone', () => {
    const life = createLife();
    life.take(start, verify, 1, changeTo('GROWTH'), report, 24, time, 15, time);
    expect(life.account.subscriptions[0]?.status).toBe('EXPIRED');
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });
});
