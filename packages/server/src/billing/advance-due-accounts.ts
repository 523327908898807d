import type { Logger } from 'sri-core';
import { createAccountAttempts } from '../platform/jobs/account-attempts.js';
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
  const accounts = createAccountAttempts(logger, 'the billing of an account was not brought up to date', signal);
  let advanced = 0;
  for (;;) {
    const now = parts.clock.now();
    const except = accounts.failed;
    const due = await parts.database.read((tables) => listDueAccounts(tables, { now, limit: PAGE, except }));
    if (due.length === 0) return advanced;
    for (const tenantId of due) {
      if (signal?.aborted) return advanced;
      await accounts.attempt(tenantId, async () => {
        await changeBilling(parts, tenantId, unchanged);
        advanced += 1;
      });
    }
  }
}

// --- internal ---

const PAGE = 100;
