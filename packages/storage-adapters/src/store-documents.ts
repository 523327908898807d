import { type Kysely, sql, type Transaction } from 'kysely';
import type { NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { toDocumentRow } from './document-rows.js';
import { toEventRows } from './history.js';
import { toJobRow } from './job-rows.js';
import { arrayInsert, type Insertion, insertRows } from './row-lists.js';
import type { ContentsTable, CoreTables } from './schema.js';
import { holdCounter, type TakenNumbers, takeSequentials, takingNumbers } from './sequentials.js';
import type { DialectTraits } from './traits.js';

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
  const outcomes = new Map<PackedDocuments, StoreOutcome>();
  for (const store of inOneOrder(stores)) {
    const outcome = await insertBatch(transaction, traits, store);
    if (!outcome) return null;
    outcomes.set(store, outcome);
  }
  return outcomes;
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

/** Counters are locked in one order; batches of one counter keep their order. */
function inOneOrder(stores: readonly PackedDocuments[]): readonly PackedDocuments[] {
  if (stores.length < 2) return stores;
  return stores
    .map((store) => ({ store, name: Object.values(store.batch.counter).join(' ') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ store }) => store);
}

/** @returns null when a row of it exists already. */
async function insertBatch(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  store: PackedDocuments,
): Promise<StoreOutcome | null> {
  const { counter, firstSequential } = store.batch;
  const insert = () =>
    traits.takesArrays ? insertAtOnce(transaction, store) : insertInTurn(transaction, traits, store);
  const done = await insert();
  if (done !== 'late') return done === 'inserted' ? { kind: 'stored' } : null;
  const nextSequential = await holdCounter(transaction, traits, counter);
  if (nextSequential !== firstSequential) return { kind: 'counterMoved', nextSequential };
  // The counter was unused and has its row now.
  return (await insert()) === 'inserted' ? { kind: 'stored' } : null;
}

/** The outcome of a batch: `late` when its counter is elsewhere, `inTheWay` when a row of it exists. */
type Inserted = 'inserted' | 'late' | 'inTheWay';

async function insertInTurn(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  { batch, contents }: PackedDocuments,
): Promise<Inserted> {
  if (!(await takeSequentials(transaction, batch.counter, numbersOf(batch)))) return 'late';
  const { keyed, others } = toInsertions({ batch, contents });
  for (const insertion of keyed) {
    const { inserted } = await insertRows(transaction, traits, insertion);
    if (inserted < insertion.rows.length) return 'inTheWay';
  }
  for (const insertion of others) await insertRows(transaction, traits, insertion);
  return 'inserted';
}

/** One statement, to hold the counter briefly: round trips would be most of the time. */
async function insertAtOnce(
  transaction: Transaction<CoreTables>,
  { batch, contents }: PackedDocuments,
): Promise<Inserted> {
  const { keyed, others } = toInsertions({ batch, contents });
  const filled = others.filter(({ rows }) => rows.length > 0);
  const counts = sql.raw(keyed.map(({ table }) => `(select count(1) from new_${table})`).join(' + '));
  const parts = [
    ...takingNumbers(batch.counter, numbersOf(batch)),
    ...keyed.map((insertion) => {
      const returning = { ...insertion, ending: `${insertion.ending} returning 1` };
      return sql`${sql.raw(`new_${insertion.table}`)} as (${arrayInsert(returning, 'exists (select from taken)')})`;
    }),
    sql`outcome (is_whole) as (select ${counts} = cast(${keyed.length * batch.documents.length} as integer))`,
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

/** The rows of a batch: rows with keys that may exist, and the rows that depend on them. */
function toInsertions({ batch, contents }: PackedDocuments): Record<'keyed' | 'others', readonly Insertion[]> {
  const added = batch.documents;
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
      { table: 'sri_contents', rows: contents },
      {
        table: 'sri_events',
        rows: added.flatMap(({ document, events }) => toEventRows(document, document.revision, events)),
      },
      {
        table: 'sri_jobs',
        rows: added.flatMap(({ document }) => (document.job ? [toJobRow(document, document.job)] : [])),
      },
    ],
  };
}

function numbersOf({ firstSequential, documents }: NewDocuments): TakenNumbers {
  return { first: firstSequential, count: documents.length };
}
