import type { Counter } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/**
 * Records that a caller moved a counter, in the transaction of the move: the skipped numbers are an intended gap.
 *
 * @param next the counter's new next number.
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
