import type { Counter } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/**
 * Writes down that somebody moved a counter, in the transaction that moves it: what is between is a gap on purpose.
 *
 * @param next the number the counter stands at from now on.
 */
export async function recordCounterMove(
  tables: Tables,
  { issuerId, environment, documentType }: Counter,
  { next, now }: { readonly next: number; readonly now: Date },
): Promise<void> {
  await tables
    .insertInto('counter_moves')
    .values({
      issuer_id: issuerId,
      environment,
      document_type: documentType,
      next_sequential: next,
      moved_at: now.getTime(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
