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

  it('a reported renewal cannot be verified after a change of interval, since the year is paid', () => {
    const life = changed();
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
    life.take(30, time);
    expect(life.account.subscriptions[0]?.billingInterval).toBe('YEARLY');
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('a rejected renewal gives way to the renewal of the year', () => {
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

it('a change of interval that was reported in time applies after the subscription has expired', () => {
  const life = createLife();
  life.take(start, verify, 25, time, yearly, report, 15, time);
  expect([life.account.tier, life.account.status]).toEqual(['FREE', 'PAST_DUE']);
  life.take(verify);
  expect([life.account.tier, life.account.status]).toEqual(['STARTER', 'ACTIVE']);
  expect(life.account.subscriptions).toMatchObject([
    { status: 'ACTIVE', billingInterval: 'YEARLY', currentPeriodEnd: new Date('2027-03-12T12:00:00.000Z') },
  ]);
});

it.each(['sandbox', 'production'] as const)('a change of interval ends an open renewal in %s', (stage) => {
  const life = createLife(stage);
  life.take(start, verify, 25, time, yearly);
  // The change is due at the end of the period if it waits for it, otherwise within a week.
  const dueAt = stage === 'production' ? '2026-02-28T12:00:00.000Z' : '2026-03-04T12:00:00.000Z';
  expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date(dueAt));
  life.take(verify);
  expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', status: 'CANCELLED' });
});

describe('a renewal and a larger plan for the rest of the current period', () => {
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
  ])('a reported renewal keeps its own plan for its period after a change of %s', (_name, change, raised) => {
    const life = renewable();
    life.take(reportRenewal, 1, change);
    expect(life.account.payments.at(-1)?.dueAt).toEqual(new Date('2026-02-28T12:00:00.000Z'));
    life.take(verify, verifyRenewal);
    expect(plan(life)).toEqual(raised);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('a renewal keeps its own plan for its period if the change is verified last', () => {
    const life = renewable();
    life.take(more, 1, verifyRenewal, verify);
    expect(plan(life)).toEqual(['GROWTH', 0]);
    life.take(5, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('a refunded renewal leaves the larger plan', () => {
    const life = renewable();
    life.take(reportRenewal, 1, more, verify, 1, verifyRenewal, refundRenewal, 4, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', targetTier: 'GROWTH' });
  });

  it('a renewal that is refunded before the change is verified leaves the larger plan', () => {
    const life = renewable();
    life.take(more, 1, verifyRenewal, refundRenewal, payment(2, verifyPayment), 5, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('an unreported change cannot be verified after its days, with the renewal %s', (_name, settle) => {
    const life = renewable();
    life.take(more, 1, payment(1, settle), 5, time);
    expect(() => life.take(verify)).toThrow('PAYMENT_STATUS');
  });

  it.each([
    ['paid', verifyPayment],
    ['reported', reportPayment],
  ])('a reported change cannot be verified at the end of its days, with the renewal %s', (_name, settle) => {
    const life = renewable();
    life.take(more, report, 1, payment(1, settle), 3, time);
    expect(() => life.take(verify)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('a renewal reported before the refund of a change still gives its own plan', () => {
    const life = renewable();
    life.take(more, verify, reportRenewal, payment(-1, refundPayment), verifyRenewal);
    expect(plan(life)).toEqual(['STARTER', 0]);
    life.take(6, time);
    expect(plan(life)).toEqual(['GROWTH', 0]);
  });

  it('the move to production keeps the larger plan, then the plan of the renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, reportRenewal, more, verify, verifyRenewal, 1, promote);
    const next = new Date('2026-03-25T12:00:00.000Z');
    const until = new Date('2026-04-25T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', pendingAt: next, currentPeriodEnd: until });
    expect(life.account.payments[1]).toMatchObject({ purpose: 'RENEWAL', periodStart: next, periodEnd: until });
    life.take(28, time);
    expect(plan(life)).toEqual(['STARTER', 0]);
  });

  it('the move to production keeps the ordered end, after the period of the renewal', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, verify, end, 1, promote);
    const until = new Date('2026-04-25T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({
      pendingTier: 'FREE',
      pendingAt: until,
      currentPeriodEnd: until,
    });
  });

  it('a change that is verified after the move to production gives the larger plan for the first period', () => {
    const life = createLife('sandbox');
    life.take(start, verify, 24, time, more, report, 1, verifyRenewal, 1, promote, 1, payment(2, verifyPayment));
    const next = new Date('2026-03-26T12:00:00.000Z');
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', pendingTier: 'STARTER', pendingAt: next });
    expect(life.account.payments[2]?.periodEnd).toEqual(next);
  });

  it('a refunded renewal leaves the smaller plan that the account ordered', () => {
    const life = renewable();
    life.take(reportRenewal, changeTo('BUSINESS'), verify, changeTo('GROWTH'));
    const [before] = life.account.subscriptions;
    life.take(1, verifyRenewal, refundRenewal);
    expect(life.account.subscriptions[0]).toEqual(before);
  });

  it('a renewal leaves the ordered end after the paid period', () => {
    const life = renewable();
    life.take(reportRenewal, 1, seats, verify, end, verifyRenewal);
    const paidUntil = new Date('2026-03-31T12:00:00.000Z');
    expect(life.account.subscriptions).toMatchObject([
      { pendingTier: 'FREE', pendingAt: paidUntil, currentPeriodEnd: paidUntil },
    ]);
  });

  it('a larger plan after a paid renewal costs the rest of the period and the next period', () => {
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
    expect(life.notices.filter(({ kind }) => kind === 'SUBSCRIPTION_PAST_DUE_WARNING')).toHaveLength(period);
    life.take(verify);
  }
});

it('the end of an account cancels its first payment, unless it is reported', () => {
  const closed = (...steps: readonly LifeStep[]) => {
    const life = createLife();
    life.take(start, ...steps, closeBilling);
    return life.account.payments[0]?.status;
  };
  expect([closed(), closed(payment(0, reportPayment))]).toEqual(['CANCELLED', 'REPORTED']);
});

it('an end that was ordered in the sandbox waits for the first period in production', () => {
  const life = createLife('sandbox');
  life.take(start, verify, 1, end, 1, promote);
  const paidUntil = new Date('2026-03-02T12:00:00.000Z');
  expect(life.account.subscriptions).toMatchObject([
    { pendingTier: 'FREE', pendingAt: paidUntil, currentPeriodEnd: paidUntil },
  ]);
});

describe('a change that waits for the end of a period with a paid renewal', () => {
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
  ] as const)('a waiting change to $waiting blocks a request for $asked', ({ first, second, code }) => {
    const life = createLife();
    life.take(large, verify, 1, first, 24, time, verify);
    expect(() => life.take(second)).toThrow(new Refusal(code));
  });

  it.each([
    { change: 'a smaller plan', step: smaller },
    { change: 'fewer seats', step: fewer },
  ])(
    'a change to $change, ordered after the report of the renewal, waits for the end of the paid period',
    ({ step }) => {
      const life = createLife();
      life.take(large, verify, 24, time, reportRenewal, 1, step, verifyRenewal);
      const plan = () => [life.account.tier, life.account.subscriptions[0]?.extraSeats];
      life.take(5, time);
      expect(plan()).toEqual(['GROWTH', 2]);
      life.take(29, time);
      expect(plan()).not.toEqual(['GROWTH', 2]);
    },
  );

  it.each([
    { change: 'a smaller plan', step: smaller, asked: { targetTier: 'STARTER', targetExtraSeats: 2, amount: '30.00' } },
    { change: 'fewer seats', step: fewer, asked: { targetTier: 'GROWTH', targetExtraSeats: 1, amount: '95.00' } },
  ])('an open renewal has the price of a waiting change to $change', ({ step, asked }) => {
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

  it('a waiting change keeps its day before a change of interval that is verified later', () => {
    const life = returning('production');
    expect(() => life.take(verify)).toThrow('EARLIER_CHANGE_PENDING');
    life.take(5, time);
    expect(life.account.tier).toBe('STARTER');
    life.take(verify);
    expect(life.account.subscriptions[0]).toMatchObject({ pendingTier: 'GROWTH', pendingBillingInterval: 'YEARLY' });
  });

  it('a change of interval in the sandbox ends a waiting change', () => {
    const life = returning('sandbox');
    life.take(verify, 5, time);
    expect(life.account.subscriptions[0]).toMatchObject({ tier: 'GROWTH', billingInterval: 'YEARLY', pendingAt: null });
  });
});

describe('a larger plan after the period, with an unpaid renewal', () => {
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
  ] as const)(
    'a larger $change after the period is refused until the renewal is paid, in $stage',
    ({ step, stage }) => {
      const life = overdue(stage);
      expect(life.account.tier).toBe('STARTER');
      expect(() => life.take(step)).toThrow(new Refusal('RENEWAL_UNPAID'));
    },
  );

  it('a larger plan after the period is possible once the renewal is paid', () => {
    const life = overdue('production');
    life.take(verify, more);
    expect(life.account.payments.at(-1)).toMatchObject({ purpose: 'TIER_CHANGE', status: 'PENDING' });
    expect(life.account.tier).toBe('STARTER');
  });
});

describe('a payment that was reported before its subscription expired', () => {
  it('a late renewal cannot be verified once the account has another subscription', () => {
    const life = createLife();
    life.take(start, verify, 25, time, report, 15, time, start);
    expect(life.account.subscriptions.map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING_PAYMENT']);
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });

  it('a late change to a larger plan cannot be verified after the subscription has expired', () => {
    const life = createLife();
    life.take(start, verify, 1, changeTo('GROWTH'), report, 24, time, 15, time);
    expect(life.account.subscriptions[0]?.status).toBe('EXPIRED');
    expect(() => life.take(verifyRenewal)).toThrow('PAYMENT_PURPOSE_OVER');
  });
});
