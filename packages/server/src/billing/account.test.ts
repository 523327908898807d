import { describe, expect, it } from 'vitest';
import {
  currentSubscription,
  isOpen,
  openPayments,
  PAYMENT_STATUSES,
  type Payment,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  withPayment,
  withSubscription,
} from './account.js';
import { newAccount } from './testing/billing-life.js';

const at = new Date('2026-11-21T15:00:00Z');
const none = { anchor: null, currentPeriodStart: null, currentPeriodEnd: null, pendingAt: null } as const;
const subscription: Subscription = {
  ...none,
  id: 's-1',
  tier: 'BUSINESS',
  billingInterval: 'MONTHLY',
  status: 'ACTIVE',
  pendingTier: null,
  pendingBillingInterval: null,
  pendingExtraSeats: null,
  pendingIsPaid: false,
  extraSeats: 0,
  warnedFor: null,
  createdAt: at,
  updatedAt: at,
  canceledAt: null,
};
const payment: Payment = {
  id: 'p-1',
  subscriptionId: 's-1',
  purpose: 'INITIAL',
  status: 'PENDING',
  paymentCode: 'ABC',
  amount: '10.00',
  ivaRate: '15',
  ivaAmount: '1.50',
  totalAmount: '11.50',
  targetTier: 'BUSINESS',
  targetBillingInterval: 'MONTHLY',
  targetExtraSeats: 0,
  rejectionReason: null,
  dueAt: at,
  reportedAt: null,
  verifiedAt: null,
  periodStart: null,
  periodEnd: null,
  invoiceDocumentId: null,
  createdAt: at,
  updatedAt: at,
  before: null,
};
const account = newAccount('sandbox');

describe('the current subscription', () => {
  it.each(SUBSCRIPTION_STATUSES)('the current subscription depends on the status %s', (status) => {
    const held = { ...account, subscriptions: [{ ...subscription, status }] };
    const isUnderWay = ['ACTIVE', 'PENDING_PAYMENT'].includes(status);
    expect(currentSubscription(held)?.id ?? null).toBe(isUnderWay ? 's-1' : null);
  });

  it('an account without a subscription has no current subscription', () => {
    expect(currentSubscription(account)).toBeNull();
  });
});

describe('the payments that can still be made', () => {
  it.each(PAYMENT_STATUSES)('an open payment depends on the status %s', (status) => {
    expect(isOpen({ ...payment, status })).toBe(['PENDING', 'REPORTED', 'REJECTED'].includes(status));
  });

  it('the open payments of a subscription are its own', () => {
    const payments = [
      payment,
      { ...payment, id: 'p-2', status: 'VERIFIED' as const },
      { ...payment, id: 'p-3', subscriptionId: 's-2' },
    ];
    expect(openPayments({ ...account, payments }, 's-1').map(({ id }) => id)).toEqual(['p-1']);
  });
});

describe('a changed subscription or payment', () => {
  it('a changed subscription or payment replaces the object with its id, or comes last', () => {
    const others = [subscription, { ...subscription, id: 's-2' }];
    const held = { ...account, subscriptions: others, payments: [payment, { ...payment, id: 'p-2' }] };
    const expired = { ...subscription, status: 'EXPIRED' as const };
    expect(withSubscription(held, expired).subscriptions).toEqual([expired, others[1]]);
    const third = { ...subscription, id: 's-3' };
    expect(withSubscription(held, third).subscriptions).toEqual([...others, third]);
    const paid = { ...payment, id: 'p-2', status: 'VERIFIED' as const };
    expect(withPayment(held, paid).payments).toEqual([payment, paid]);
    expect(held.payments.map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
  });

  it('a changed subscription or payment follows its table of statuses, and may keep its status', () => {
    const held = { ...account, subscriptions: [subscription], payments: [payment] };
    expect(withSubscription(held, { ...subscription, extraSeats: 2 }).subscriptions[0]?.extraSeats).toBe(2);
    expect(() => withSubscription(held, { ...subscription, status: 'PENDING_PAYMENT' })).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_TRANSITION', name: 'IllegalTransitionError' }),
    );
    expect(() => withPayment(held, { ...payment, status: 'REFUNDED' })).toThrow('from PENDING to REFUNDED');
    expect(withPayment(held, { ...payment, paymentCode: 'XYZ' }).payments[0]?.paymentCode).toBe('XYZ');
  });
});
