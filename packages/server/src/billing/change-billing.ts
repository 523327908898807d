import type { Random } from 'sri-core';
import { insertTenantEvent, lockTenant, type Plans } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, stampChanges } from './account.js';
import { type NotifyingDeps, notifyOfBilling } from './notify-of-billing.js';
import { type BillingContext, type BillingOutcome, inTurn } from './outcome.js';
import { createPrices, type PublishedPrice } from './price-list.js';
import { readBilling, saveBilling } from './rows.js';
import { advance, nextStepAt } from './timeline.js';

/** Dependencies of billing. */
export interface BillingDeps extends NotifyingDeps, WriteDeps {
  readonly random: Random;
  readonly plans: Plans;
  /** Percent, as decimal text. */
  readonly ivaRate: string;
  /** Every published price, in any order. */
  readonly listPrices: (tables: Tables) => Promise<readonly PublishedPrice[]>;
  /** Wakes the workers of mails and deliveries. */
  readonly wake: () => void;
}

/** A step of billing: a command, or only the changes that time makes. */
export type Decide<Result extends BillingOutcome> = (account: BillingAccount, context: BillingContext) => Result;

/** A change that was made. */
export interface BillingChanged<Result> {
  /** The account after the change. */
  readonly account: BillingAccount;
  /** The result of the step itself. */
  readonly result: Result;
}

/**
 * Changes an account's billing in one transaction: first the changes that time makes, then the step, with their
 * history, notifications and mails.
 *
 * @throws Refusal NOT_FOUND, and the errors of the step; then nothing is stored.
 */
export async function changeBilling<Result extends BillingOutcome>(
  parts: BillingDeps,
  tenantId: string,
  decide: Decide<Result>,
): Promise<BillingChanged<Result>> {
  const changed = await parts.database.transaction((tables) => changeBillingWithin(tables, parts, tenantId, decide));
  parts.wake();
  return changed;
}

/** Like `changeBilling`, in a transaction of the caller. The caller wakes the workers after its commit. */
export async function changeBillingWithin<Result extends BillingOutcome>(
  tables: Tables,
  parts: BillingDeps,
  tenantId: string,
  decide: Decide<Result>,
): Promise<BillingChanged<Result>> {
  const tenant = await lockTenant(tables, tenantId);
  const before = tenant && (await readBilling(tables, tenantId));
  if (!tenant || !before) throw new Refusal('NOT_FOUND');
  // The time is read under the lock, so that a change is later than the change it waited for.
  const now = parts.clock.now();
  const context = await billingContext(tables, parts, now);
  const caughtUp = advance(before, context);
  const result = decide(caughtUp.account, context);
  const outcome = inTurn(
    before,
    () => caughtUp,
    () => result,
    (account) => advance(account, context),
  );
  const { events, notices } = outcome;
  const account = stampChanges(before, outcome.account, now);
  const stepOf = (id: string) => {
    const subscription = account.subscriptions.find((each) => each.id === id);
    return subscription ? nextStepAt(account, subscription, context) : null;
  };
  await saveBilling(tables, { before, after: account, nextStepAt: stepOf, now });
  for (const { eventType, detail } of events) {
    await insertTenantEvent(tables, tenantId, { id: parts.newId(now), eventType, detail, createdAt: now });
  }
  await notifyOfBilling(tables, parts, { tenant, account, notices, now });
  return { account, result };
}

// --- internal ---

/** The context of a step at a moment. */
async function billingContext(tables: Tables, parts: BillingDeps, now: Date): Promise<BillingContext> {
  return {
    now,
    prices: createPrices(parts.plans, await parts.listPrices(tables)),
    ivaRate: parts.ivaRate,
    newId: () => parts.newId(now),
    newPaymentCode: () => createPaymentCode(parts.random),
  };
}

/**
 * The code to be written on a transfer: `P-` and nine characters that cannot be mistaken for one another. There are
 * 2^45 codes. The database rejects a code that is in use, and the caller retries.
 */
function createPaymentCode(random: Random): string {
  const characters = [...random.bytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `P-${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
}

const LENGTH = 9;
/** 32 characters, so that each is equally likely, without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
