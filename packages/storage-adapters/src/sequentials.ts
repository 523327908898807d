import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Counter } from 'sri-core';
import type { CoreTables, SequentialsTable } from './schema.js';
import type { DialectTraits } from './traits.js';
import type { Session } from './transaction.js';

/** The number the next document of the counter gets. `db` is the storage's handle, or a transaction of it. */
export async function readNextSequential(
  db: Kysely<CoreTables> | Transaction<CoreTables>,
  counter: Counter,
): Promise<number> {
  const { rows } = await sql<NextSequential>`${reading(counter)}`.execute(db);
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

/** Numbers of a counter, one behind the other. */
export interface TakenNumbers {
  readonly first: number;
  readonly count: number;
}

/**
 * Takes numbers, and keeps others from the counter until the transaction ends.
 *
 * @returns false when the counter does not stand at the first of them.
 */
export async function takeSequentials(
  transaction: Transaction<CoreTables>,
  counter: Counter,
  { first, count }: TakenNumbers,
): Promise<boolean> {
  const moved = await sql`${movingTo(first + count, counter)} and next_sequential = ${first}`.execute(transaction);
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
 * The same as parts of a statement, for a database that nests writes: `taken` has a row if the numbers are. Who comes
 * while another transaction has the counter waits there, which an update for the number that it is to stand at would not.
 */
export function takingNumbers(counter: Counter, { first, count }: TakenNumbers): readonly RawBuilder<unknown>[] {
  return [
    sql`held as (${reading(counter)} for no key update)`,
    sql`taken as (${movingTo(first + count, counter)} and (select next_sequential from held) = ${first} returning 1)`,
  ];
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
 * As `lockCounter`, at the price of a read where the counter was used before. Whoever waits for another transaction is told
 * where that one left it.
 */
export async function holdCounter(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  counter: Counter,
): Promise<number> {
  const ending = sql.raw(traits.skipLocked ? ' for no key update' : '');
  const { rows } = await sql<NextSequential>`${reading(counter)}${ending}`.execute(transaction);
  return rows[0]?.next_sequential ?? lockCounter(transaction, counter);
}

/**
 * Moves a counter that stands at numbers in use (it was restored or edited by hand) past them, or it would stay stuck.
 *
 * @returns where it stands then.
 */
export function skipTakenNumbers(session: Session, counter: Counter): Promise<number> {
  return session.write(async (transaction) => {
    const { last } = await transaction
      .selectFrom('sri_documents')
      .select((expression) => expression.fn.max('sequential').as('last'))
      .where('issuer_id', '=', counter.issuerId)
      .where('environment', '=', counter.environment)
      .where('document_type', '=', counter.documentType)
      .executeTakeFirstOrThrow();
    await moveNextSequential(transaction, counter, Number(last) + 1);
    return readNextSequential(transaction, counter);
  });
}

// --- internal ---

const FIRST_SEQUENTIAL = 1;

type NextSequential = Pick<SequentialsTable, 'next_sequential'>;

function reading(counter: Counter): RawBuilder<unknown> {
  return sql`select next_sequential from sri_sequentials where ${isCounter(counter)}`;
}

function movingTo(next: number, counter: Counter): RawBuilder<unknown> {
  return sql`update sri_sequentials set next_sequential = ${next} where ${isCounter(counter)}`;
}

/** Written by hand, as every create needs it: that takes a fifth of the time. */
function isCounter({ issuerId, environment, documentType }: Counter): RawBuilder<SqlBool> {
  return sql`issuer_id = ${issuerId} and environment = ${environment} and document_type = ${documentType}`;
}

function toKey({ issuerId, environment, documentType }: Counter) {
  return { issuer_id: issuerId, environment, document_type: documentType };
}
