import type { Environment } from 'sri-core';
import { Refusal } from '../../platform/errors/refusal.js';
import type { BillingAccount } from '../account.js';
import type { BillingContext, BillingNotice, Outcome } from '../outcome.js';
import { testPrices } from './test-billing.js';

/** An operation on an account. */
export type LifeStep = (
  account: BillingAccount,
  context: BillingContext,
) => Pick<Outcome, 'account'> & Partial<Outcome>;

/** An account without billing, in whose life days pass and steps are taken. */
export function createLife(environment: Environment = 'production') {
  let account: BillingAccount = {
    tenantId: 't',
    tier: 'FREE',
    status: 'ACTIVE',
    isSuspended: false,
    environment,
    subscriptions: [],
    payments: [],
  };
  let at = Date.UTC(2026, 0, 31, 12);
  let made = 0;
  const told: BillingNotice[] = [];
  return {
    /** The notices of the account so far. */
    told: told as readonly BillingNotice[],
    get account() {
      return account;
    },
    /** @returns whether it was done; an unexpected refusal throws. */
    take(days: number, step: LifeStep, { mayRefuse = false } = {}): boolean {
      at += days * 86_400_000;
      made += 1;
      try {
        const outcome = step(account, {
          now: new Date(at),
          prices: testPrices,
          ivaRate: '15',
          newId: () => `id-${++made}`,
          newPaymentCode: () => `code-${++made}`,
        });
        account = outcome.account;
        told.push(...(outcome.notices ?? []));
        return true;
      } catch (error) {
        if (error instanceof Refusal && mayRefuse) return false;
        throw error;
      }
    },
  };
}
