import { type Kysely, sql, type Transaction } from 'kysely';
import type { Counter } from 'sri-core';
import type { CoreTables, SequentialsTable } from './schema.js';
import { inNumberedScope } from './scope-numbers.js';
import type { DialectTraits } from './traits.js';
import type { Session } from './transaction.js';

/** The number the next document of the counter gets. `db` is the storage's handle, or a transaction of it. */
export async function readNextSequential(
  db: Kysely<CoreTables> | Transaction<CoreTables>,
  counter: Counter,
): Promise<number> {
  // Every create reads it, and writing the statement by hand takes a fifth of the time.
  const { rows } = await sql<Pick<SequentialsTable, 'next_sequential'>>`select "next_sequential" from "sri_sequentials"
    where issuer_id = ${counter.issuerId} and environment = ${counter.environment}
      and document_type = ${counter.documentType}`.execute(db);
  return rows[0]?.next_sequential ?? FIRST_SEQUENTIAL;
}

/**
 * Moves a counter forward inside a transaction, as `setNextSequential` of the storage does on its own: for an
 * application that sets first numbers together with the issuer they belong to.
 *
 * @returns false, with nothing changed, when `next` is below where the counter already stands.
 */
export async function moveNextSequential(
  transaction: Transaction<CoreTables>,
  counter: Counter,
  next: number,
): Promise<boolean> {
  if (next < FIRST_SEQUENTIAL) return false;
  const result = await transaction
    .insertInto('sri_sequentials')
    .values({ ...toKey(counter), next_sequential: next })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer_id', 'environment', 'document_type'])
        .doUpdateSet({ next_sequential: next })
        .where('sri_sequentials.next_sequential', '<=', next),
    )
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n;
}

/**
 * Takes `count` numbers beginning with `first`, and keeps others from the counter until the transaction ends.
 *
 * @returns false when the counter does not stand at `first`.
 */
export async function takeSequentials(
  transaction: Transaction<CoreTables>,
  counter: Counter,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<boolean> {
  const moved = await sql`update "sri_sequentials" set next_sequential = ${first + count}
    where issuer_id = ${counter.issuerId} and environment = ${counter.environment}
      and document_type = ${counter.documentType} and next_sequential = ${first}`.execute(transaction);
  if (moved.numAffectedRows === 1n) return true;
  if (first !== FIRST_SEQUENTIAL) return false;
  // A counter that was never used has no row. Of two that begin it, the second waits here and is then refused.
  const begun = await transaction
    .insertInto('sri_sequentials')
    .values({ ...toKey(counter), next_sequential: first + count })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return begun.numInsertedOrUpdatedRows === 1n;
}

/**
 * Keeps everybody else from a counter until the transaction ends: those who create under it, and those who move it.
 *
 * @returns the number that comes next.
 */
export async function lockCounter(transaction: Transaction<CoreTables>, counter: Counter): Promise<number> {
  const row = await transaction
    .insertInto('sri_sequentials')
    .values({ ...toKey(counter), next_sequential: FIRST_SEQUENTIAL })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer_id', 'environment', 'document_type'])
        .doUpdateSet((row) => ({ next_sequential: row.ref('sri_sequentials.next_sequential') })),
    )
    .returning('next_sequential')
    .executeTakeFirstOrThrow();
  return row.next_sequential;
}

/**
 * Moves a counter that stands at numbers in use (it was restored or edited by hand) past them, or it would stay stuck.
 *
 * @returns where it stands then.
 */
export function skipTakenNumbers(
  { session, traits }: { readonly session: Session; readonly traits: DialectTraits },
  counter: Counter,
): Promise<number> {
  return session.write(async (transaction) => {
    const { last } = await transaction
      .selectFrom('sri_documents')
      .select((expression) => expression.fn.max('sequential').as('last'))
      .where(inNumberedScope(traits, counter))
      .where('document_type', '=', counter.documentType)
      .executeTakeFirstOrThrow();
    await moveNextSequential(transaction, counter, Number(last) + 1);
    return readNextSequential(transaction, counter);
  });
}

// --- internal ---

const FIRST_SEQUENTIAL = 1;

function toKey({ issuerId, environment, documentType }: Counter) {
  return { issuer_id: issuerId, environment, document_type: documentType };
}
