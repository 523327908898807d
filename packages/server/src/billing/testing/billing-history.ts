import { expect } from 'vitest';
import type { BillingAccount, PaymentStatus, SubscriptionStatus } from '../account.js';
import type { BillingEvent, BillingNotice, BillingOutcome } from '../outcome.js';

/** The billing state of an account, derived from its history alone. */
export interface BillingHistory {
  /** Adds the events and notices of a step, and compares the derived state with the account. */
  add(outcome: BillingOutcome): void;
}

/** Starts the history of a new account. */
export function beginHistory(account: BillingAccount): BillingHistory {
  let { tier, status }: { tier: string; status: string } = account;
  const subscriptions = new Map<string, SubscriptionStatus>();
  const payments = new Map<string, PaymentStatus>();
  /** By payment, the status of its subscription before the activation. */
  const activations = new Map<string, SubscriptionStatus>();
  const noticed = new Set<string>();
  let lastVerified = '';

  function read({ eventType, detail }: BillingEvent): void {
    const subscriptionId = String(detail['subscriptionId'] ?? '');
    const paymentId = String(detail['paymentId'] ?? '');
    switch (eventType) {
      case 'SUBSCRIPTION_CREATED':
        subscriptions.set(subscriptionId, 'PENDING_PAYMENT');
        break;
      case 'SUBSCRIPTION_ACTIVATED':
        activations.set(lastVerified, subscriptions.get(subscriptionId) ?? 'PENDING_PAYMENT');
        subscriptions.set(subscriptionId, 'ACTIVE');
        tier = String(detail['tier']);
        break;
      case 'TIER_CHANGED':
        expect(detail['fromTier']).toBe(tier);
        tier = String(detail['toTier']);
        break;
      case 'SUBSCRIPTION_CANCELLED':
      case 'SUBSCRIPTION_EXPIRED':
        if (subscriptions.get(subscriptionId) === 'ACTIVE') tier = 'FREE';
        subscriptions.set(subscriptionId, eventType === 'SUBSCRIPTION_CANCELLED' ? 'CANCELLED' : 'EXPIRED');
        break;
      case 'STATUS_CHANGED':
        expect(detail['from']).toBe(status);
        status = String(detail['to']);
        break;
      case 'RENEWAL_DUE':
        expect(payments.has(paymentId)).toBe(false);
        payments.set(paymentId, 'PENDING');
        break;
      case 'PAYMENT_REPORTED':
        payments.set(paymentId, 'REPORTED');
        break;
      case 'PAYMENT_REJECTED':
        payments.set(paymentId, 'REJECTED');
        break;
      case 'PAYMENT_VERIFIED':
        // A payment is applied only once.
        expect(['VERIFIED', 'REFUNDED']).not.toContain(payments.get(paymentId));
        payments.set(paymentId, 'VERIFIED');
        lastVerified = paymentId;
        break;
      case 'PAYMENT_REFUNDED':
        expect(payments.get(paymentId)).toBe('VERIFIED');
        payments.set(paymentId, 'REFUNDED');
        // An expired subscription expires again; a subscription without a period is cancelled, with an event.
        if (activations.get(paymentId) === 'EXPIRED') subscriptions.set(subscriptionId, 'EXPIRED');
        tier = String(detail['restoredTier']);
        break;
      default:
    }
  }

  function notice(each: BillingNotice): void {
    if (each.kind === 'PAYMENT_REJECTED') return;
    const about = 'payment' in each ? each.payment.id : `${each.subscription.id} ${each.subscription.currentPeriodEnd}`;
    expect(noticed, each.kind).not.toContain(`${each.kind} ${about}`);
    noticed.add(`${each.kind} ${about}`);
  }

  return {
    add({ account: after, events, notices }) {
      for (const each of events) read(each);
      for (const each of notices) notice(each);
      expect(after.tier).toBe(tier);
      expect(after.status).toBe(status);
      expect(new Map(after.subscriptions.map((each) => [each.id, each.status]))).toEqual(subscriptions);
      for (const { id, status: standing } of after.payments) {
        const recorded = payments.get(id) ?? 'PENDING';
        // The cancellation of a payment has no event.
        if (standing === 'CANCELLED') expect(['PENDING', 'REJECTED']).toContain(recorded);
        else expect(standing).toBe(recorded);
      }
      const noticed = (kind: string) => notices.filter((each) => each.kind === kind).length;
      const happened = (type: string) => events.filter(({ eventType }) => eventType === type).length;
      expect(noticed('PAYMENT_VERIFIED')).toBe(happened('PAYMENT_VERIFIED'));
      expect(noticed('PAYMENT_REJECTED')).toBe(happened('PAYMENT_REJECTED'));
      expect(noticed('PAYMENT_REFUNDED')).toBe(happened('PAYMENT_REFUNDED'));
      expect(noticed('SUBSCRIPTION_RENEWAL_DUE')).toBe(happened('RENEWAL_DUE'));
      expect(noticed('SUBSCRIPTION_EXPIRED')).toBe(happened('SUBSCRIPTION_EXPIRED'));
    },
  };
}
