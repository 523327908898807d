import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { toNewJobRow } from '../jobs/job-rows.js';
import {
  type CounterNumbers,
  counterName,
  holdCounter,
  takeAllSequentials,
  takeSequentials,
  takingNumbers,
} from '../sequentials.js';
import { arrayInsert, type Insertion, insertRows } from '../sql/row-lists.js';
import type { ContentsTable, CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { toDocumentRow } from './document-rows.js';
import { toEventRows } from './history.js';

/** A batch with its compressed contents. */
export interface PackedDocuments {
  readonly batch: NewDocuments;
  readonly contents: readonly ContentsTable[];
}

/** The last check against gaps: rejects a batch with wrong numbers. @throws RangeError */
export function requireConsecutive({ firstSequential, documents }: NewDocuments): void {
  if (documents.some(({ document }, index) => document.sequential !== firstSequential + index)) {
    throw new RangeError('The documents of a batch must carry consecutive numbers from its first.');
  }
}

/**
 * Stores batches within a transaction: numbers, documents, contents, events and jobs. A batch whose counter has moved is
 * rejected and writes nothing. A batch waits here while another transaction holds its counter.
 *
 * @returns the outcome of each; null when a row of any batch exists already. Then the caller rolls back.
 */
export async function insertBatches(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  stores: readonly PackedDocuments[],
): Promise<ReadonlyMap<PackedDocuments, StoreOutcome> | null> {
  if (stores.length === 0) return new Map();
  const chains = toChains(stores);
  if (traits.takesArrays && chains.every(({ apart }) => apart.length === 0)) {
    // One statement, to hold the counters briefly: round trips would be most of the time.
    const done = await insertAtOnce(transaction, stores, takingNumbers(chains));
    if (done !== 'late') {
      return done === 'inserted' ? new Map(stores.map((store) => [store, { kind: 'stored' }])) : null;
    }
  }
  const outcomes = await takeNumbers(transaction, traits, chains);
  const taken = stores.filter((store) => outcomes.get(store)?.kind === 'stored');
  if (taken.length === 0) return outcomes;
  const done = await (traits.takesArrays
    ? insertAtOnce(transaction, taken)
    : insertInTurn(transaction, traits, toInsertions(taken)));
  return done === 'inserted' ? outcomes : null;
}

/** The document with a taken key, and which key; null when no key is taken. */
export async function findObstacle(
  transaction: Transaction<CoreTables>,
  added: readonly NewDocument[],
): Promise<StoreOutcome | null> {
  for (const [index, { document }] of added.entries()) {
    if (document.idempotencyKey !== null) {
      const bound = await transaction
        .selectFrom('sri_documents')
        .select('id')
        .where('issuer_id', '=', document.issuerId)
        .where('environment', '=', document.environment)
        .where('idempotency_key', '=', document.idempotencyKey)
        .executeTakeFirst();
      if (bound && bound.id !== document.id) return { kind: 'idempotencyKeyTaken', index };
    }
    const known = await transaction
      .selectFrom('sri_access_keys')
      .select('document_id')
      .where('access_key', '=', document.accessKey)
      .executeTakeFirst();
    if (known && known.document_id !== document.id) return { kind: 'accessKeyTaken', index };
  }
  return null;
}

/** Whether a batch with a commit in doubt is stored. */
export async function wasStored(db: Kysely<CoreTables>, { documents }: NewDocuments): Promise<boolean> {
  const id = documents[0]?.document.id ?? '';
  const row = await db.selectFrom('sri_documents').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

// --- internal ---

/** The result of a statement: `late` when the counter is elsewhere, `inTheWay` when a row exists. */
type Inserted = 'inserted' | 'late' | 'inTheWay';

/** Takes the numbers of each batch. Batches of one counter follow each other; the counters are locked in one order. */
async function takeNumbers(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  chains: readonly Chain[],
): Promise<ReadonlyMap<PackedDocuments, StoreOutcome>> {
  const taken = await takeAllSequentials(transaction, traits, chains);
  const outcomes = new Map<PackedDocuments, StoreOutcome>();
  for (const [index, { counter, first, count, linked, apart }] of chains.entries()) {
    let isTaken = taken[index] ?? false;
    let next = first + count;
    if (!isTaken) {
      next = await holdCounter(transaction, traits, counter);
      // The counter was unused and has its row now.
      if (next === first) isTaken = await takeSequentials(transaction, counter, { first, count });
    }
    const moved = { kind: 'counterMoved', nextSequential: isTaken ? first + count : next } as const;
    for (const store of linked) outcomes.set(store, isTaken ? { kind: 'stored' } : moved);
    for (const store of apart) outcomes.set(store, moved);
  }
  return outcomes;
}

/** The batches of one counter: the batches that follow the first without a gap, and the rest. */
interface Chain extends CounterNumbers {
  readonly linked: readonly PackedDocuments[];
  readonly apart: readonly PackedDocuments[];
}

/** The batches by counter, in the order in which the counters are locked. */
function toChains(stores: readonly PackedDocuments[]): readonly Chain[] {
  return [...Map.groupBy(stores, ({ batch }) => counterName(batch.counter))]
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, batches]) => toChain(batches));
}

function toChain(stores: readonly PackedDocuments[]): Chain {
  const { counter, firstSequential: first } = (stores[0] as PackedDocuments).batch;
  const linked: PackedDocuments[] = [];
  const apart: PackedDocuments[] = [];
  let count = 0;
  for (const store of stores) {
    const follows = store.batch.firstSequential === first + count;
    (follows ? linked : apart).push(store);
    if (follows) count += store.batch.documents.length;
  }
  return { counter, first, count, linked, apart };
}

async function insertInTurn(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  { keyed, others }: Insertions,
): Promise<Inserted> {
  for (const insertion of keyed) {
    const { inserted } = await insertRows(transaction, traits, insertion);
    if (inserted < insertion.rows.length) return 'inTheWay';
  }
  for (const insertion of others) await insertRows(transaction, traits, insertion);
  return 'inserted';
}

/**
 * One statement for all rows.
 *
 * @param taking the parts that take the numbers, when they are not taken yet.
 */
async function insertAtOnce(
  transaction: Transaction<CoreTables>,
  stores: readonly PackedDocuments[],
  taking: readonly RawBuilder<unknown>[] = [sql`taken as (select 1)`],
): Promise<Inserted> {
  const { keyed, others } = toInsertions(stores);
  const filled = others.filter(({ rows }) => rows.length > 0);
  const counts = sql.raw(keyed.map(({ table }) => `(select count(1) from new_${table})`).join(' + '));
  const expected = keyed.reduce((total, { rows }) => total + rows.length, 0);
  const parts = [
    ...taking,
    ...keyed.map((insertion) => {
      const returning = { ...insertion, ending: `${insertion.ending} returning 1` };
      return sql`${sql.raw(`new_${insertion.table}`)} as (${arrayInsert(returning, 'exists (select from taken)')})`;
    }),
    sql`outcome (is_whole) as (select ${counts} = cast(${expected} as integer))`,
    ...filled.map(
      (insertion) =>
        sql`${sql.raw(`new_${insertion.table}`)} as (${arrayInsert(insertion, '(select is_whole from outcome)')})`,
    ),
  ];
  const { rows } = await sql<{ readonly is_late: boolean; readonly is_whole: boolean }>`with ${sql.join(parts)}
    select not exists (select from taken) as is_late, is_whole from outcome`.execute(transaction);
  const [row] = rows;
  return row?.is_whole ? 'inserted' : row?.is_late ? 'late' : 'inTheWay';
}

/** The rows of batches: rows with keys that may exist, and the rows that depend on them. */
type Insertions = Record<'keyed' | 'others', readonly Insertion[]>;

function toInsertions(stores: readonly PackedDocuments[]): Insertions {
  const added = stores.flatMap(({ batch }) => batch.documents);
  const ending = ' on conflict do nothing';
  const keys = added.map(({ document }) => ({
    access_key: document.accessKey,
    issuer_id: document.issuerId,
    document_id: document.id,
  }));
  return {
    keyed: [
      { table: 'sri_documents', rows: added.map(({ document }) => toDocumentRow(document)), ending },
      { table: 'sri_access_keys', rows: keys, ending },
    ],
    others: [
      { table: 'sri_contents', rows: stores.flatMap(({ contents }) => contents) },
      {
        table: 'sri_events',
        rows: added.flatMap(({ document, events }) => toEventRows(document, document.revision, events)),
      },
      { table: 'sri_jobs', rows: added.map(toNewJobRow).filter((row) => row !== null) },
    ],
  };
}
