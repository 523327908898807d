import type { Kysely, Transaction } from 'kysely';
import type { NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { insertContents } from './contents.js';
import type { ContentsPacker } from './contents-packer.js';
import { toDocumentRow } from './document-rows.js';
import { moveFigures } from './figures.js';
import { insertEvents, toEventRows } from './history.js';
import { toJobRow } from './job-rows.js';
import type { CoreTables } from './schema.js';
import { readNextSequential, skipTakenNumbers, takeSequentials } from './sequentials.js';
import type { DialectTraits } from './traits.js';
import type { Session } from './transaction.js';
import { inBatches } from './values.js';

/** What storing works with. */
export interface StoreContext {
  readonly session: Session;
  readonly traits: DialectTraits;
  readonly packer: ContentsPacker;
  /** Last step of the transaction but the figures, whose rows are to be locked as briefly as can be. */
  readonly join: (stored: readonly NewDocument[], transaction: Transaction<CoreTables>) => Promise<void>;
}

/** Numbers, documents, contents, events, jobs and what the application joins, in one transaction. */
export async function storeDocuments(context: StoreContext, batch: NewDocuments): Promise<StoreOutcome> {
  const { session, traits, packer } = context;
  const { counter, firstSequential, documents } = batch;
  const first = documents[0];
  if (!first) return { kind: 'stored' };
  requireConsecutive(batch);

  const packed = await session.read((db) => packer.pack(db, documents));
  const outcome = await session.write<StoreOutcome | { readonly kind: 'numberTaken' }>(
    async (transaction, undo) => {
      if (!(await takeSequentials(transaction, counter, { first: firstSequential, count: documents.length }))) {
        return undo({ kind: 'counterMoved', nextSequential: await readNextSequential(transaction, counter) });
      }
      const inserted = await insertDocuments(transaction, documents, traits.maxParameters);
      if (!inserted) return undo((await findObstacle(transaction, documents)) ?? { kind: 'numberTaken' });
      await insertContents(transaction, packed, traits.maxParameters);
      const events = documents.flatMap((added) =>
        toEventRows(added.document.id, added.document.revision, added.events),
      );
      await insertEvents(transaction, events, traits.maxParameters);
      await insertJobs(transaction, documents, traits.maxParameters);
      await context.join(documents, transaction);
      const come = documents.map(({ document }) => document);
      await moveFigures(transaction, { gone: [], come }, traits.maxParameters);
      return { kind: 'stored' };
    },
    { confirm: () => session.read((db) => storedAfterAll(db, first)) },
  );
  if (outcome.kind === 'numberTaken') {
    return { kind: 'counterMoved', nextSequential: await skipTakenNumbers(session, counter) };
  }
  if (outcome.kind === 'stored') packed.committed();
  return outcome;
}

// --- internal ---

/** The last wall before a gap: what a caller numbered wrongly is not stored. */
function requireConsecutive({ firstSequential, documents }: NewDocuments): void {
  if (documents.some(({ document }, index) => document.sequential !== firstSequential + index)) {
    throw new RangeError('The documents of a batch must carry consecutive numbers from its first.');
  }
}

/** @returns false when a unique key was in the way of any of them. */
async function insertDocuments(
  transaction: Transaction<CoreTables>,
  added: readonly NewDocument[],
  maxParameters: number,
): Promise<boolean> {
  let inserted = 0n;
  for (const part of inBatches(
    added.map(({ document }) => toDocumentRow(document)),
    maxParameters,
  )) {
    const result = await transaction
      .insertInto('sri_documents')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    inserted += result.numInsertedOrUpdatedRows ?? 0n;
  }
  const keys = added.map(({ document }) => ({ access_key: document.accessKey, document_id: document.id }));
  for (const part of inBatches(keys, maxParameters)) {
    const result = await transaction
      .insertInto('sri_access_keys')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    inserted += result.numInsertedOrUpdatedRows ?? 0n;
  }
  return inserted === BigInt(2 * added.length);
}

/** Which document could not be stored, and why; null when neither of its keys was the reason. */
async function findObstacle(
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

async function insertJobs(
  transaction: Transaction<CoreTables>,
  added: readonly NewDocument[],
  maxParameters: number,
): Promise<void> {
  const rows = added.flatMap(({ document }) => (document.job ? [toJobRow(document, document.job)] : []));
  for (const part of inBatches(rows, maxParameters)) {
    await transaction.insertInto('sri_jobs').values(part).execute();
  }
}

async function storedAfterAll(db: Kysely<CoreTables>, first: NewDocument): Promise<StoreOutcome | null> {
  const row = await db.selectFrom('sri_documents').select('id').where('id', '=', first.document.id).executeTakeFirst();
  return row ? { kind: 'stored' } : null;
}
