import type { Logger } from 'sri-core';
import { type BillingDeps, changeBilling } from './change-billing.js';
import { unchanged } from './outcome.js';
import { listDueAccounts } from './rows.js';

/**
 * Applies the changes that are due to subscriptions: renewals, warnings, ends. Several processes may run it at once:
 * each step locks its account and is done once. A failure for one account is logged and retried in the next round.
 *
 * @returns how many accounts were brought up to date.
 */
export async function advanceDueAccounts(parts: BillingDeps, logger: Logger, signal?: AbortSignal): Promise<number> {
  const failed: string[] = [];
  let advanced = 0;
  while (failed.length < MOST_FAILURES) {
    const now = parts.clock.now();
    const due = await parts.database.read((tables) => listDueAccounts(tables, { now, limit: PAGE, except: failed }));
    if (due.length === 0) return advanced;
    for (const tenantId of due) {
      if (signal?.aborted) return advanced;
      try {
        await changeBilling(parts, tenantId, unchanged);
        advanced += 1;
      } catch (error) {
        failed.push(tenantId);
        const reason = error instanceof Error ? error.message : 'unknown error';
        logger.error({ tenantId, error: reason }, 'the billing of an account was not brought up to date');
      }
    }
  }
  return advanced;
}

// --- internal ---

const PAGE = 100;
/** With so many failures the cause is not one account. The next round retries. */
const MOST_FAILURES = 200;
