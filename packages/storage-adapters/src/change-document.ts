import { type Kysely, sql, type Transaction } from 'kysely';
import type { DocumentChange, JobLease, Storage } from 'sri-core';
import { updateContents } from './contents.js';
import { toChangedColumns } from './document-rows.js';
import { isIn } from './documents.js';
import { moveFigures } from './figures.js';
import { insertEvents, insertResponses, toEventRows } from './history.js';
import { toJobColumns, toJobRow } from './job-rows.js';
import type { CoreTables } from './schema.js';
import { skipTakenNumbers, takeSequentials } from './sequentials.js';
import type { DialectTraits } from './traits.js';
import type { Session } from './transaction.js';

/** What became of a change. */
export type ChangeOutcome = Awaited<ReturnType<Storage['changeDocument']>>;

/** What changing works with. */
export interface ChangeContext {
  readonly session: Session;
  readonly traits: DialectTraits;
  /** Last step of the transaction but the figures, whose rows are to be locked as briefly as can be. */
  readonly join: (change: DocumentChange, transaction: Transaction<CoreTables>) => Promise<void>;
}

/** Everything a change names, in one transaction. Locks are taken in one order: counter, document, job, figures. */
export async function changeDocument(context: ChangeContext, change: DocumentChange): Promise<ChangeOutcome> {
  try {
    return await context.session.write((transaction, undo) => apply(context, change, transaction, undo), {
      confirm: () => context.session.read((db) => appliedAfterAll(db, change)),
    });
  } catch (error) {
    if (!change.takes || context.traits.classify(error) !== 'duplicate') throw error;
    await skipTakenNumbers(context.session, change.takes.counter);
    return 'counterMoved';
  }
}

// --- internal ---

async function apply(
  context: ChangeContext,
  change: DocumentChange,
  transaction: Transaction<CoreTables>,
  undo: (outcome: ChangeOutcome) => never,
): Promise<ChangeOutcome> {
  const { document, set, contents, events, responses, takes } = change;
  const revision = document.revision + 1;
  if (takes && !(await takeSequentials(transaction, takes.counter, { first: takes.sequential, count: 1 }))) {
    return undo((await obstacle(transaction, change)) ?? 'counterMoved');
  }
  if (!(await updateRow(transaction, change))) return undo((await obstacle(transaction, change)) ?? 'stale');
  if (!(await updateJob(transaction, change))) return undo('leaseLost');
  if (set.accessKey !== undefined && set.accessKey !== document.accessKey) {
    await addAccessKey(transaction, document.id, set.accessKey);
  }
  if (contents) await updateContents(transaction, document.id, contents);
  await insertEvents(transaction, toEventRows(document.id, revision, events), context.traits.maxParameters);
  await insertResponses(transaction, document.id, revision, responses);
  await context.join(change, transaction);
  if (isCounted(set)) {
    const moved = { gone: [document], come: [{ ...document, ...set }] };
    await moveFigures(transaction, moved, context.traits.maxParameters);
  }
  return 'applied';
}

/** Whether figures or counts depend on what is set. */
function isCounted({ status, sequential, issueDate, total, buyer }: DocumentChange['set']): boolean {
  return [status, sequential, issueDate, total, buyer].some((field) => field !== undefined);
}

/** Whether the revision that the change would make was made by this very change. */
async function appliedAfterAll(db: Kysely<CoreTables>, change: DocumentChange): Promise<ChangeOutcome | null> {
  const { document, events, at } = change;
  const revision = document.revision + 1;
  const [event] = events;
  const row = event
    ? await db
        .selectFrom('sri_events')
        .select('id')
        .where('document_id', '=', document.id)
        .where('revision', '=', revision)
        .where('id', '=', event.id)
        .executeTakeFirst()
    : await db
        .selectFrom('sri_documents')
        .select('id')
        .where('id', '=', document.id)
        .where('revision', '=', revision)
        .where('updated_at', '=', at.getTime())
        .executeTakeFirst();
  return row ? 'applied' : null;
}

/** The reason that is told first when a change cannot be applied. */
async function obstacle(
  transaction: Transaction<CoreTables>,
  { document, lease }: DocumentChange,
): Promise<ChangeOutcome | null> {
  if (lease && !(await isHeld(transaction, lease))) return 'leaseLost';
  const row = await transaction
    .selectFrom('sri_documents')
    .select(['issuer_id', 'environment', 'revision'])
    .where('id', '=', document.id)
    .executeTakeFirst();
  return row && row.revision === document.revision && isIn(document, row) ? null : 'stale';
}

async function updateRow(
  transaction: Transaction<CoreTables>,
  { document, set, at }: DocumentChange,
): Promise<boolean> {
  const row = await transaction
    .updateTable('sri_documents')
    .set({ ...toChangedColumns(set), updated_at: at.getTime(), revision: document.revision + 1 })
    .where('id', '=', document.id)
    .where('revision', '=', document.revision)
    .returning(['issuer_id', 'environment'])
    .executeTakeFirst();
  return row !== undefined && isIn(document, row);
}

/** Ends, replaces or leaves the job. @returns false when it is no longer held under the lease. */
async function updateJob(
  transaction: Transaction<CoreTables>,
  { document, job, lease }: DocumentChange,
): Promise<boolean> {
  if (job === undefined) return !lease || isHeld(transaction, lease);
  if (job === null) {
    const ended = await transaction
      .deleteFrom('sri_jobs')
      .where('document_id', '=', document.id)
      .$if(lease !== undefined, (query) => query.where(heldUnder(lease)))
      .executeTakeFirstOrThrow();
    return !lease || ended.numDeletedRows === 1n;
  }
  const replaced = await transaction
    .updateTable('sri_jobs')
    .set(toJobColumns(job))
    .where('document_id', '=', document.id)
    .$if(lease !== undefined, (query) => query.where(heldUnder(lease)))
    .executeTakeFirstOrThrow();
  if (replaced.numUpdatedRows === 1n) return true;
  if (lease) return false;
  const begun = { ...document, revision: document.revision + 1 };
  await transaction.insertInto('sri_jobs').values(toJobRow(begun, job)).execute();
  return true;
}

async function isHeld(db: Kysely<CoreTables>, lease: JobLease): Promise<boolean> {
  const row = await db
    .selectFrom('sri_jobs')
    .select('document_id')
    .where('document_id', '=', lease.documentId)
    .where(heldUnder(lease))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether nobody has taken the job since: a lease that has run out still holds while it is the last one. */
function heldUnder(lease: JobLease | undefined) {
  return sql<boolean>`lease_token = ${lease?.token ?? -1} and lease_until is not null`;
}

/** From now on the document has this key as well. */
async function addAccessKey(
  transaction: Transaction<CoreTables>,
  documentId: string,
  accessKey: string,
): Promise<void> {
  await transaction
    .insertInto('sri_access_keys')
    .values({ access_key: accessKey, document_id: documentId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { document_id } = await transaction
    .selectFrom('sri_access_keys')
    .select('document_id')
    .where('access_key', '=', accessKey)
    .executeTakeFirstOrThrow();
  if (document_id !== documentId) throw new Error('The access key belongs to another document.');
}
