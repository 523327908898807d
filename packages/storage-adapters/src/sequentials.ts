import { type CompiledQuery, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Counter, FIRST_SEQUENTIAL } from 'sri-core';
import { arrayList } from './sql/row-lists.js';
import type { CoreTables, SequentialsTable } from './sql/schema.js';
import { type RepeatedQuery, repeatedQuery } from './sql/sqlite-repetition.js';
import type { DialectTraits } from './sql/traits.js';
import type { Session } from './sql/transaction.js';
import { isOneOf } from './sql/value-lists.js';

/** The number the next document of the counter gets. `db` is the storage's handle, or a transaction of it. */
export async function readNextSequential(
  db: Kysely<CoreTables> | Transaction<CoreTables>,
  counter: Counter,
): Promise<number> {
  const { rows } = await sql<NextSequential>`${reading(counter)}`.execute(db);
  return rows[0]?.next_sequential ?? FIRST_SEQUENTIAL;
}

/** The same for several counters at once, by `counterName`. */
export async function readAllSequentials(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // An issuer's id may have blanks.
  const issuerIds = [...new Set(names.map((name) => name.replace(/ \S+ \S+$/, '')))];
  const rows = await db
    .selectFrom('sri_sequentials')
    .select(['issuer_id', 'environment', 'document_type', 'next_sequential'])
    .where(isOneOf(traits, 'issuer_id', issuerIds))
    .execute();
  const found = new Map(rows.map((row) => [rowName(row), row.next_sequential]));
  return new Map(names.map((name) => [name, found.get(name) ?? FIRST_SEQUENTIAL]));
}

/** A counter as one text. */
export function counterName({ issuerId, environment, documentType }: Counter): string {
  return `${issuerId} ${environment} ${documentType}`;
}

/**
 * Moves a counter forward inside a transaction, like `setNextSequential` of the storage: for an application that sets first
 * numbers together with their issuer.
 *
 * @returns false, with nothing changed, when `next` is below the counter's position.
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

/** Consecutive numbers of a counter. */
export interface TakenNumbers {
  readonly first: number;
  readonly count: number;
}

/**
 * Takes numbers, and locks the counter until the transaction ends.
 *
 * @returns false when the counter is not at the first of them.
 */
export async function takeSequentials(
  transaction: Transaction<CoreTables>,
  counter: Counter,
  { first, count }: TakenNumbers,
): Promise<boolean> {
  const moved = await sql`${movingTo(first + count, counter)} and next_sequential = ${first}`.execute(transaction);
  if (moved.numAffectedRows === 1n) return true;
  if (first !== FIRST_SEQUENTIAL) return false;
  // An unused counter has no row. Of two first writers, the second waits here and is then rejected.
  const begun = await transaction
    .insertInto('sri_sequentials')
    .values({ ...toKey(counter), next_sequential: first + count })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return begun.numInsertedOrUpdatedRows === 1n;
}

/** Consecutive numbers, with their counter. */
export interface CounterNumbers extends TakenNumbers {
  readonly counter: Counter;
}

/**
 * Takes numbers of several counters, each once, and locks the counters in one order until the transaction ends.
 *
 * @returns whether each counter was at its first number; the others are unchanged.
 */
export async function takeAllSequentials(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  wanted: readonly CounterNumbers[],
): Promise<readonly boolean[]> {
  const { rows } = traits.takesArrays
    ? await sql<CounterRow>`with ${sql.join(holding(wanted))} ${movingHeld}
        returning counter.issuer_id, counter.environment, counter.document_type`.execute(transaction)
    : await transaction.executeQuery<CounterRow>(movingInTurn(wanted) as CompiledQuery<CounterRow>);
  const moved = new Set(rows.map(rowName));
  return wanted.map(({ counter }) => moved.has(counterName(counter)));
}

/**
 * The same as parts of a statement, for a database with nested writes. It takes all numbers or none; `taken` has a row
 * when it takes them. A concurrent transaction waits at this lock; an update with the expected number would not wait.
 */
export function takingNumbers(wanted: readonly CounterNumbers[]): readonly RawBuilder<unknown>[] {
  const [only, ...others] = wanted;
  if (!only || others.length > 0) {
    const count = wanted.length;
    return [
      ...holding(wanted),
      sql`ready as (select count(1) = cast(${count} as integer) as are_all
        from held join given using (issuer_id, environment, document_type) where next_sequential = first)`,
      sql`moved as (${movingHeld} and (select are_all from ready) returning 1)`,
      sql`taken as (select 1 from ready where are_all and (select count(1) from moved) = cast(${count} as integer))`,
    ];
  }
  const { counter, first, count } = only;
  return [
    sql`held as (${reading(counter)} for no key update)`,
    sql`taken as (${movingTo(first + count, counter)} and (select next_sequential from held) = ${first} returning 1)`,
  ];
}

/**
 * Locks a counter until the transaction ends, against creates and moves.
 *
 * @returns the next number.
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
 * As `lockCounter`, with only a read for a used counter. After a wait it returns the position that the other transaction
 * left.
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
 * Moves a counter past numbers in use, for a counter that was restored or edited by hand. It would be stuck otherwise.
 *
 * @returns its position.
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

/** Locks counters in one order: parts of a statement. */
function holding(wanted: readonly CounterNumbers[]): readonly RawBuilder<unknown>[] {
  const rows = wanted.map(({ counter, first, count }) => ({ ...toKey(counter), first, next: first + count }));
  const given = arrayList(rows, GIVEN_TYPES);
  return [
    sql`given as (select issuer_id, environment, document_type, first, next
      from unnest(${given}) as given (issuer_id, environment, document_type, first, next))`,
    sql`held as (select counter.issuer_id, counter.environment, counter.document_type, counter.next_sequential
      from sri_sequentials as counter join given using (issuer_id, environment, document_type)
      order by counter.issuer_id, counter.environment, counter.document_type for no key update of counter)`,
  ];
}

/** Moves the locked counters that are at their first number. */
const movingHeld = sql`update sri_sequentials as counter set next_sequential = given.next
  from given join held using (issuer_id, environment, document_type)
  where counter.issuer_id = given.issuer_id and counter.environment = given.environment
    and counter.document_type = given.document_type and held.next_sequential = given.first`;

/** The same for a database that runs the statement for one counter after another. */
function movingInTurn(wanted: readonly CounterNumbers[]): RepeatedQuery {
  return repeatedQuery(
    `update sri_sequentials set next_sequential = ? where issuer_id = ? and environment = ? and document_type = ?
      and next_sequential = ? returning issuer_id, environment, document_type`,
    wanted.map(({ counter, first, count }) => [first + count, ...Object.values(toKey(counter)), first]),
  );
}

const GIVEN_TYPES = new Map([
  ['first', 'bigint'],
  ['next', 'bigint'],
]);

type CounterRow = Omit<SequentialsTable, 'next_sequential'>;

/** As `counterName`. */
function rowName(row: CounterRow): string {
  return `${row.issuer_id} ${row.environment} ${row.document_type}`;
}

type NextSequential = Pick<SequentialsTable, 'next_sequential'>;

function reading(counter: Counter): RawBuilder<unknown> {
  return sql`select next_sequential from sri_sequentials where ${isCounter(counter)}`;
}

function movingTo(next: number, counter: Counter): RawBuilder<unknown> {
  return sql`update sri_sequentials set next_sequential = ${next} where ${isCounter(counter)}`;
}

/** Written by hand, because every create runs it: it takes a fifth of the time. */
function isCounter({ issuerId, environment, documentType }: Counter): RawBuilder<SqlBool> {
  return sql`issuer_id = ${issuerId} and environment = ${environment} and document_type = ${documentType}`;
}

function toKey({ issuerId, environment, documentType }: Counter) {
  return { issuer_id: issuerId, environment, document_type: documentType };
}
