import type { BillingAccount, Payment, Subscription } from './account.js';
import type { Prices } from './pricing.js';

/** Something for the account's history. */
export interface BillingEvent {
  readonly eventType: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Something the account is told, in the list and by mail. */
export type BillingNotice =
  | { readonly kind: 'PAYMENT_VERIFIED' | 'PAYMENT_REJECTED'; readonly payment: Payment }
  | { readonly kind: 'SUBSCRIPTION_RENEWAL_DUE'; readonly subscription: Subscription; readonly payment: Payment }
  | { readonly kind: 'SUBSCRIPTION_PAST_DUE_WARNING'; readonly subscription: Subscription; readonly suspendsAt: Date }
  | { readonly kind: 'SUBSCRIPTION_EXPIRED'; readonly subscription: Subscription };

/** What a step of billing comes to: the account as it is then, and what is told of it. */
export interface Outcome {
  readonly account: BillingAccount;
  readonly events: readonly BillingEvent[];
  readonly notices: readonly BillingNotice[];
}

/** What a step may use besides the account. */
export interface BillingContext {
  readonly now: Date;
  readonly prices: Prices;
  /** Percent, as decimal text. */
  readonly ivaRate: string;
  readonly newId: () => string;
  /** Short and not used before. */
  readonly newPaymentCode: () => string;
}

/** An outcome without anything to tell. */
export function unchanged(account: BillingAccount): Outcome {
  return { account, events: [], notices: [] };
}

/** Steps one after the other, each on what the one before came to. */
export function inTurn(account: BillingAccount, ...steps: readonly ((account: BillingAccount) => Outcome)[]): Outcome {
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
