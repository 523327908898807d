import type { Kysely, Transaction } from 'kysely';
import type { NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { insertDictionaries } from './contents.js';
import type { PackedBatch } from './contents-packer.js';
import { toDocumentRow } from './document-rows.js';
import { toEventRows } from './history.js';
import { toJobRow } from './job-rows.js';
import { insertTogether, writeAll } from './row-lists.js';
import type { CoreTables } from './schema.js';
import { readNextSequential, takeSequentials } from './sequentials.js';
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
  const refusals = await takeNumbers(transaction, stores);
  const accepted = stores.filter((store) => !refusals.has(store));
  const added = accepted.flatMap(({ batch }) => batch.documents);
  if (!(await insertDocuments(transaction, traits, added))) return null;
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

/** Takes the numbers, counter by counter in one order. @returns those that came too late, with where they stand. */
async function takeNumbers(
  transaction: Transaction<CoreTables>,
  stores: readonly PackedDocuments[],
): Promise<Map<PackedDocuments, StoreOutcome>> {
  const refusals = new Map<PackedDocuments, StoreOutcome>();
  const inOrder = stores
    .map((store) => ({ store, name: Object.values(store.batch.counter).join(' ') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const { store } of inOrder) {
    const { counter, firstSequential, documents } = store.batch;
    if (await takeSequentials(transaction, counter, { first: firstSequential, count: documents.length })) continue;
    refusals.set(store, { kind: 'counterMoved', nextSequential: await readNextSequential(transaction, counter) });
  }
  return refusals;
}

/** @returns false when a unique key was in the way of any of them. */
async function insertDocuments(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  added: readonly NewDocument[],
): Promise<boolean> {
  const rows = added.map(({ document }) => toDocumentRow(document));
  const keys = added.map(({ document }) => ({ access_key: document.accessKey, document_id: document.id }));
  const ending = ' on conflict do nothing';
  const inserted = await insertTogether(transaction, traits, [
    { table: 'sri_documents', rows, ending },
    { table: 'sri_access_keys', rows: keys, ending },
  ]);
  return inserted === 2 * added.length;
}
