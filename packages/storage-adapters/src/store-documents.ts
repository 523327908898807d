import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Counter, NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { insertDictionaries } from './contents.js';
import type { PackedBatch } from './contents-packer.js';
import { toDocumentRow } from './document-rows.js';
import { toEventRows } from './history.js';
import { toJobRow } from './job-rows.js';
import { type Insertion, insertTogether, writeAll } from './row-lists.js';
import type { CoreTables } from './schema.js';
import { holdCounter, moveHeldCounter } from './sequentials.js';
import type { DialectTraits } from './traits.js';

/** Documents about to be stored, their contents packed. */
export interface PackedDocuments {
  readonly batch: NewDocuments;
  readonly packed: PackedBatch;
}

/** The last wall before a gap: what a caller numbered wrongly is not stored. @throws RangeError */
export function requireConsecutive({ firstSequential, documents }: NewDocuments): void {
  if (documents.some(({ document }, index) => document.sequential !== firstSequential + index)) {
    throw new RangeError('The documents of a batch must carry consecutive numbers from its first.');
  }
}

/**
 * Stores batches within a transaction: numbers, documents, contents, events and jobs. A batch whose counter has moved is
 * refused, and touches nothing.
 *
 * @returns what became of each; null when something of any is there already, so that the transaction is to be undone.
 */
export async function insertBatches(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  stores: readonly PackedDocuments[],
): Promise<ReadonlyMap<PackedDocuments, StoreOutcome> | null> {
  if (stores.length === 0) return new Map();
  const { refusals, counters } = await takeNumbers(transaction, traits, stores);
  const accepted = stores.filter((store) => !refusals.has(store));
  const added = accepted.flatMap(({ batch }) => batch.documents);
  if (!(await insertDocuments(transaction, traits, added, counters))) return null;
  await insertDictionaries(
    transaction,
    accepted.flatMap(({ packed }) => packed.dictionaries),
  );
  const contents = accepted.flatMap(({ packed }) => packed.contents);
  const events = added.flatMap(({ document, events }) => toEventRows(document.id, document.revision, events));
  const jobs = added.flatMap(({ document }) => (document.job ? [toJobRow(document, document.job)] : []));
  await writeAll(transaction, traits, [
    { table: 'sri_contents', rows: contents },
    { table: 'sri_events', rows: events },
    { table: 'sri_jobs', rows: jobs },
  ]);
  return new Map(stores.map((store) => [store, refusals.get(store) ?? { kind: 'stored' }]));
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

/**
 * Keeps the counters from others, one after the other in one order, and compares where they stand with the batches. A batch
 * may follow another of its counter: who comes while that one is being stored elsewhere waits here until it is.
 *
 * @returns the batches that came too late, and what moves the counters of the others.
 */
async function takeNumbers(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  stores: readonly PackedDocuments[],
): Promise<{
  readonly refusals: Map<PackedDocuments, StoreOutcome>;
  readonly counters: readonly RawBuilder<unknown>[];
}> {
  const refusals = new Map<PackedDocuments, StoreOutcome>();
  const standing = new Map<string, number>();
  const moved = new Map<string, Counter>();
  const inOrder = stores
    .map((store) => ({ store, name: Object.values(store.batch.counter).join(' ') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const { store, name } of inOrder) {
    const { counter, firstSequential, documents } = store.batch;
    const nextSequential = standing.get(name) ?? (await holdCounter(transaction, traits, counter));
    standing.set(name, nextSequential);
    if (nextSequential !== firstSequential) {
      refusals.set(store, { kind: 'counterMoved', nextSequential });
      continue;
    }
    standing.set(name, firstSequential + documents.length);
    moved.set(name, counter);
  }
  const counters = Array.from(moved, ([name, counter]) => moveHeldCounter(counter, standing.get(name) ?? 0));
  return { refusals, counters };
}

/** @param counters statements that are made along with it. @returns false when a unique key was in the way of any of them. */
async function insertDocuments(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  added: readonly NewDocument[],
  counters: readonly RawBuilder<unknown>[],
): Promise<boolean> {
  const rows = added.map(({ document }) => toDocumentRow(document));
  const keys = added.map(({ document }) => ({ access_key: document.accessKey, document_id: document.id }));
  const ending = ' on conflict do nothing';
  const insertions: Insertion[] = [
    { table: 'sri_documents', rows, ending },
    { table: 'sri_access_keys', rows: keys, ending },
  ];
  return (await insertTogether(transaction, traits, insertions, counters)) === 2 * added.length;
}
