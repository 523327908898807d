import type { Tier } from '../accounts/index.js';
import type { BillingAccount, Payment, Subscription } from './account.js';
import type { Prices } from './pricing.js';

/** An event for the account's history. */
export interface BillingEvent {
  readonly eventType: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A notification about billing, in the list and by mail. */
export type BillingNotice =
  | { readonly kind: 'PAYMENT_VERIFIED' | 'PAYMENT_REJECTED'; readonly payment: Payment }
  | { readonly kind: 'PAYMENT_REFUNDED'; readonly payment: Payment; readonly restoredTier: Tier }
  | {
      readonly kind: 'SUBSCRIPTION_RENEWAL_DUE';
      readonly subscription: Subscription;
      readonly payment: Payment;
      /** The end of the period; later for a renewal that was opened late. */
      readonly payBefore: Date;
    }
  | { readonly kind: 'SUBSCRIPTION_PAST_DUE_WARNING'; readonly subscription: Subscription; readonly suspendsAt: Date }
  | { readonly kind: 'SUBSCRIPTION_EXPIRED'; readonly subscription: Subscription };

/** The result of a step of billing: the new account, its events and notices. */
export interface BillingOutcome {
  readonly account: BillingAccount;
  readonly events: readonly BillingEvent[];
  readonly notices: readonly BillingNotice[];
}

/** The context of a step, in addition to the account. */
export interface BillingContext {
  readonly now: Date;
  readonly prices: Prices;
  /** Percent, as decimal text. */
  readonly ivaRate: string;
  readonly newId: () => string;
  /** A short, unused code. */
  readonly newPaymentCode: () => string;
}

/** An outcome without events or notices. */
export function unchanged(account: BillingAccount): BillingOutcome {
  return { account, events: [], notices: [] };
}

/** Runs steps in order, each on the result of the step before. */
export function inTurn(
  account: BillingAccount,
  ...steps: readonly ((account: BillingAccount) => BillingOutcome)[]
): BillingOutcome {
  let outcome = unchanged(account);
  for (const step of steps) {
    const next = step(outcome.account);
    outcome = {
      account: next.account,
      events: [...outcome.events, ...next.events],
      notices: [...outcome.notices, ...next.notices],
    };
  }
  return outcome;
}
