import { type Kysely, sql, type Transaction } from 'kysely';
import type { NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { toDocumentRow } from './document-rows.js';
import { toEventRows } from './history.js';
import { toJobRow } from './job-rows.js';
import { arrayInsert, type Insertion, insertRows } from './row-lists.js';
import type { ContentsTable, CoreTables } from './schema.js';
import { holdCounter, type TakenNumbers, takeSequentials, takingNumbers } from './sequentials.js';
import type { DialectTraits } from './traits.js';

/** Documents about to be stored, with their compressed contents. */
export interface PackedDocuments {
  readonly batch: NewDocuments;
  readonly contents: readonly ContentsTable[];
}

/** The last wall before a gap: what a caller numbered wrongly is not stored. @throws RangeError */
export function requireConsecutive({ firstSequential, documents }: NewDocuments): void {
  if (documents.some(({ document }, index) => document.sequential !== firstSequential + index)) {
    throw new RangeError('The documents of a batch must carry consecutive numbers from its first.');
  }
}

/**
 * Stores batches within a transaction: numbers, documents, contents, events and jobs. A batch whose counter has moved is
 * refused, and touches nothing. One may follow another of its counter: who comes while that one is being stored elsewhere
 * waits here until it is.
 *
 * @returns what became of each; null when something of any is there already, so that the transaction is to be undone.
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

/** Which document could not be stored, and why; null when neither of its keys was the reason. */
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

/** Whether a batch whose commit was in doubt is there. */
export async function wasStored(db: Kysely<CoreTables>, { documents }: NewDocuments): Promise<boolean> {
  const id = documents[0]?.document.id ?? '';
  const row = await db.selectFrom('sri_documents').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

// --- internal ---

/** Counters are kept from others in one order; batches of the same one, in which they came. */
function inOneOrder(stores: readonly PackedDocuments[]): readonly PackedDocuments[] {
  if (stores.length < 2) return stores;
  return stores
    .map((store) => ({ store, name: Object.values(store.batch.counter).join(' ') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ store }) => store);
}

/** @returns null when something of it is there already. */
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
  // It was never used, and has its row now.
  return (await insert()) === 'inserted' ? { kind: 'stored' } : null;
}

/** What became of a batch: `late` when its counter stands elsewhere, `inTheWay` when something of it is there already. */
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

/** As one statement: for as long as the counter is kept others wait for it, and most of that would be waiting for answers. */
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

/** Rows of a batch: those of which one may be there already, and those that stand and fall with them. */
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
