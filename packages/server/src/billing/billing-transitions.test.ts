import { describe, expect, it } from 'vitest';
import { IllegalTransitionError, type Transitions } from '../platform/transitions.js';
import {
  type BillingAccount,
  PAYMENT_STATUSES,
  PAYMENT_TRANSITIONS,
  type Payment,
  type PaymentStatus,
  SUBSCRIPTION_STATUSES,
  SUBSCRIPTION_TRANSITIONS,
  type Subscription,
  type SubscriptionStatus,
  withPayment,
  withSubscription,
} from './account.js';
import { cancelPayment, rejectPayment } from './settle-payment.js';
import {
  createLife,
  end,
  type LifeMove,
  type LifeStep,
  payment as onPayment,
  refund,
  report,
  start,
  time,
  verify,
} from './testing/billing-life.js';

type Path = readonly LifeMove[];

const reject = onPayment(-1, (account, id) => rejectPayment(account, id, 'AMOUNT_MISMATCH'));
const withdraw = onPayment(-1, cancelPayment);
/** Every operation on payments and subscriptions, time last. */
const STEPS: Readonly<Record<string, LifeStep>> = { report, verify, reject, withdraw, refund, end, time };

const first: Path = [start];
const active: Path = [...first, verify];
const renewing: Path = [...active, 25, time];

/** Paths to each status of the last payment. */
const PAYMENT_PATHS: Readonly<Record<PaymentStatus, readonly Path[]>> = {
  PENDING: [first, renewing],
  REPORTED: [
    [...first, report],
    [...renewing, report],
  ],
  VERIFIED: [active, [...renewing, verify]],
  REJECTED: [
    [...first, reject],
    [...renewing, reject],
  ],
  REFUNDED: [[...active, refund]],
  CANCELLED: [
    [...first, withdraw],
    [...renewing, end],
  ],
};

/** Paths to each status of the last subscription. */
const SUBSCRIPTION_PATHS: Readonly<Record<SubscriptionStatus, readonly Path[]>> = {
  PENDING_PAYMENT: [first, [...first, report]],
  ACTIVE: [active, renewing, [...renewing, report], [...active, end]],
  CANCELLED: [
    [...first, withdraw],
    [...active, end, 32, time],
    [...active, refund],
  ],
  EXPIRED: [
    [...renewing, 60, time],
    [...renewing, report, 30, time],
  ],
};

describe.each([
  {
    object: 'a payment',
    table: PAYMENT_TRANSITIONS as Transitions<string>,
    statuses: PAYMENT_STATUSES as readonly string[],
    paths: PAYMENT_PATHS as Readonly<Record<string, readonly Path[]>>,
    statusOf: (account: BillingAccount) => account.payments.at(-1)?.status ?? '',
  },
  {
    object: 'a subscription',
    table: SUBSCRIPTION_TRANSITIONS as Transitions<string>,
    statuses: SUBSCRIPTION_STATUSES as readonly string[],
    paths: SUBSCRIPTION_PATHS as Readonly<Record<string, readonly Path[]>>,
    statusOf: (account: BillingAccount) => account.subscriptions.at(-1)?.status ?? '',
  },
])('$object', ({ object, table, statuses, paths, statusOf }) => {
  it.each(statuses)('the operations lead from the status %s exactly to the statuses of its table', (from) => {
    const reached = new Set<string>();
    for (const path of paths[from] ?? []) {
      for (const [name, step] of Object.entries(STEPS)) {
        const life = createLife();
        life.take(...path);
        expect(statusOf(life.account), `the way to ${from}`).toBe(from);
        const known = life.account.payments.length;
        for (const days of name === 'time' ? [0, 5, 10, 20, 40] : [0]) {
          const before = statusOf(life.account);
          const wasDone = life.attempt(days, step);
          // Only existing payments count; time may add another.
          const seen =
            object === 'a payment' ? (life.account.payments[known - 1]?.status ?? '') : statusOf(life.account);
          if (before === from && (seen !== from || (name === 'report' && wasDone && object === 'a payment'))) {
            reached.add(seen);
          }
        }
      }
    }
    expect([...reached].toSorted()).toEqual([...(table[from] ?? [])].toSorted());
  });
});

describe('direct changes of a status', () => {
  const life = createLife();
  life.take(start);
  const [subscription] = life.account.subscriptions as [Subscription];
  const [payment] = life.account.payments as [Payment];

  it.each(pairs(SUBSCRIPTION_STATUSES))(
    'a direct change of a subscription from %s to %s follows the table',
    (from, to) => {
      const account = { ...life.account, subscriptions: [{ ...subscription, status: from }] };
      const change = () => withSubscription(account, { ...subscription, status: to });
      if (from === to || SUBSCRIPTION_TRANSITIONS[from].includes(to)) expect(change).not.toThrow();
      else expect(change).toThrow(IllegalTransitionError);
    },
  );

  it.each(pairs(PAYMENT_STATUSES))('a direct change of a payment from %s to %s follows the table', (from, to) => {
    const account = { ...life.account, payments: [{ ...payment, status: from }] };
    const change = () => withPayment(account, { ...payment, status: to });
    if (from === to || PAYMENT_TRANSITIONS[from].includes(to)) expect(change).not.toThrow();
    else expect(change).toThrow(IllegalTransitionError);
  });
});

// --- internal ---

function pairs<Status>(statuses: readonly Status[]): (readonly [Status, Status])[] {
  return statuses.flatMap((from) => statuses.map((to) => [from, to] as const));
}
