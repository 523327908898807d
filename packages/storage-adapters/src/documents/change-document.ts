import { type Kysely, sql, type Transaction } from 'kysely';
import type { DocumentChange, Job, JobLease, Storage, StoredDocument } from 'sri-core';
import { JOB_STATE_COLUMNS, toJobRow, toLeasedRow } from '../jobs/job-rows.js';
import { takeSequentials } from '../sequentials.js';
import { arrayList, rowList, type Write, writeAll } from '../sql/row-lists.js';
import type { CoreTables, DocumentsTable, JobsTable } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { isOneOf } from '../sql/value-lists.js';
import { packContents, updateContents } from './contents.js';
import { toChangedColumns } from './document-rows.js';
import { isIn } from './find-documents.js';
import { toEventRows, toResponseRows } from './history.js';

/** The outcome of a change. */
export type ChangeOutcome = Awaited<ReturnType<Storage['changeDocument']>>;

/** A change that may lease its new job, of a document without one. */
export type LeasingChange = DocumentChange & { readonly leaseMs?: number };

/** The lease that such a change takes. */
export function leaseOf(change: LeasingChange & { readonly job: Job }): JobLease {
  const { document_id: documentId, lease_token: token } = toRow(change, change.job);
  return { documentId, token };
}

/**
 * Applies changes of different documents within a transaction. Each change has its own conditions; a rejected change writes
 * nothing. Locks are taken in one order: counter, documents by id, each with its job.
 *
 * @param changes a change that takes a number must be the only one. When it is rejected, the caller rolls back.
 * @returns the outcome of each change, in order.
 */
export async function applyChanges(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  changes: readonly LeasingChange[],
): Promise<ReadonlyMap<DocumentChange, ChangeOutcome>> {
  if (changes.length === 0) return new Map();
  const takes = changes[0]?.takes;
  const taken = !takes || (await takeSequentials(transaction, takes.counter, { first: takes.sequential, count: 1 }));
  const rows = await lockRows(transaction, traits, changes);
  const outcomes = new Map(
    changes.map((change): [DocumentChange, ChangeOutcome] => {
      const refusal = refusalOf(change, rows.get(change.document.id));
      return [change, refusal ?? (taken ? 'applied' : 'counterMoved')];
    }),
  );
  const applied = changes.filter((change) => outcomes.get(change) === 'applied');
  if (applied.length > 0) await write(transaction, traits, applied);
  return outcomes;
}

/** Whether an earlier attempt of this change already wrote its revision: the same entry at the same moment, the same file. */
export async function wasApplied(
  db: Kysely<CoreTables>,
  { document, events, contents, at }: DocumentChange,
): Promise<boolean> {
  const revision = document.revision + 1;
  const [event] = toEventRows(document, revision, events);
  if (!event) {
    const row = await db
      .selectFrom('sri_documents')
      .select('id')
      .where('id', '=', document.id)
      .where('revision', '=', revision)
      .where('updated_at', '=', at.getTime())
      .executeTakeFirst();
    return row !== undefined;
  }
  const row = await db
    .selectFrom('sri_events')
    .innerJoin('sri_contents as contents', 'contents.document_id', 'sri_events.document_id')
    .innerJoin('sri_documents as document', 'document.id', 'sri_events.document_id')
    .select(['detail', 'signed_xml', 'document.revision'])
    .where('sri_events.document_id', '=', document.id)
    .where('sri_events.revision', '=', revision)
    .where('position', '=', event.position)
    .where('event_type', '=', event.event_type)
    .where('sri_events.created_at', '=', event.created_at)
    .executeTakeFirst();
  if (row?.detail !== event.detail) return false;
  const { signed_xml: signed } = packContents({ ...contents });
  // A later revision may have replaced the file.
  return !signed || row.revision !== revision || Buffer.compare(signed, row.signed_xml) === 0;
}

// --- internal ---

/** Locks the existing documents, and the jobs of documents that change under a lease. */
async function lockRows(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  changes: readonly DocumentChange[],
): Promise<ReadonlyMap<string, StandingRow>> {
  const rows = new Map<string, StandingRow>();
  const leased = changes.filter(({ lease }) => lease);
  const lock = sql.raw(traits.skipLocked ? ' for no key update' : '');
  if (leased.length < changes.length) {
    const found = await sql<StandingRow>`select document.id, issuer_id, environment, revision
      from sri_documents as document
      where ${isOneOf(traits, 'document.id', idsOf(changes), 'uuid')} order by document.id${lock}`.execute(transaction);
    for (const row of found.rows) rows.set(row.id, row);
  }
  if (leased.length > 0) {
    const found = await sql<StandingRow>`select document.id, document.issuer_id, environment, revision,
        lease_token, lease_until
      from sri_documents as document join sri_jobs as job on job.document_id = document.id
      where ${isOneOf(traits, 'document.id', idsOf(leased), 'uuid')} order by document.id${lock}`.execute(transaction);
    for (const row of found.rows) rows.set(row.id, row);
  }
  return rows;
}

/** The current document, with the lease of its job when the change names one. */
type StandingRow = Pick<DocumentsTable, 'id' | 'issuer_id' | 'environment' | 'revision'> & {
  readonly lease_token?: number;
  readonly lease_until?: number | null;
};

/** Reports a lost lease first. An expired lease holds until another worker claims the job. */
function refusalOf({ document, lease }: DocumentChange, row: StandingRow | undefined): ChangeOutcome | null {
  if (lease && !(row?.lease_token === lease.token && row.lease_until !== null && row.id === lease.documentId)) {
    return 'leaseLost';
  }
  return row && row.revision === document.revision && isIn(document, row) ? null : 'stale';
}

/** Writes the fields of the changes. The documents are locked. */
async function write(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  changes: readonly LeasingChange[],
): Promise<void> {
  for (const { document, set, contents } of changes) {
    if (set.accessKey !== undefined && set.accessKey !== document.accessKey) {
      await addAccessKey(transaction, document, set.accessKey);
    }
    if (contents) await updateContents(transaction, document.id, contents);
  }
  const events = changes.flatMap(({ document, events }) => toEventRows(document, document.revision + 1, events));
  const responses = changes.flatMap(({ document, responses }) =>
    toResponseRows(document, document.revision + 1, responses),
  );
  await writeAll(transaction, traits, [
    ...documentUpdates(traits, changes),
    ...jobWrites(traits, changes),
    { table: 'sri_events', rows: events },
    { table: 'sri_responses', rows: responses },
  ]);
}

/** One statement for all changes that set the same columns. */
function documentUpdates({ takesArrays }: DialectTraits, changes: readonly DocumentChange[]): Write[] {
  const groups = Map.groupBy(
    changes.map(({ document, set, at }) => ({
      id: document.id,
      revision: document.revision + 1,
      updated_at: at.getTime(),
      ...toChangedColumns(set, document),
    })),
    (row) => Object.keys(row).join(),
  );
  return Array.from(groups.values(), (rows) => {
    const columns = Object.keys(rows[0] ?? {});
    const names = columns.map((_, index) => `column${index + 1}`).join(', ');
    const assigned = columns.slice(1).map((column, index) => `${column} = given.column${index + 2}`);
    const set = `update sri_documents set ${assigned.join(', ')} from`;
    const found = sql.raw(' where sri_documents.id = given.column1');
    const statement = takesArrays
      ? sql`${sql.raw(`${set} unnest(`)}${arrayList(rows, ARRAYS)}${sql.raw(`) as given (${names})`)}${found}`
      : sql`${sql.raw(`${set} (values `)}${rowList(rows, DECLARED)}) as given${found}`;
    return { statement, parameters: rows.length * columns.length };
  });
}

/** Types of values in a list. A value without a declared type is text. */
const DECLARED: ReadonlyMap<string, string> = new Map(
  (
    [
      'revision',
      'updated_at',
      'sequential',
      'total_cents',
      'voided_at',
      'mail_sent_at',
    ] satisfies (keyof DocumentsTable)[]
  ).map((column) => [column, 'bigint']),
);

/** The same for arrays; SQLite has no type for ids. */
const ARRAYS: ReadonlyMap<string, string> = new Map([...DECLARED, ['id', 'uuid']]);

/** Ends, starts or replaces the jobs of the changes. */
function jobWrites(traits: DialectTraits, changes: readonly LeasingChange[]): Write[] {
  const ended = idsOf(changes.filter(({ job }) => job === null));
  const rows = changes.flatMap((change) => (change.job ? [toRow(change, change.job)] : []));
  const ends = {
    statement: sql`delete from sri_jobs where ${isOneOf(traits, 'document_id', ended, 'uuid')}`,
    parameters: ended.length,
  };
  return [...(ended.length > 0 ? [ends] : []), { table: 'sri_jobs', rows, ending: REPLACING_JOB }];
}

function toRow({ document, at, leaseMs }: LeasingChange, job: Job): JobsTable {
  const row = toJobRow({ ...document, revision: document.revision + 1 }, job);
  return leaseMs === undefined ? row : toLeasedRow(row, at.getTime() + leaseMs);
}

/** All columns except the lease's token, which only increases. */
const REPLACING_JOB = ` on conflict (document_id, issuer_id) do update set ${JOB_STATE_COLUMNS.map(
  (column) => `${column} = excluded.${column}`,
).join(', ')}`;

/** Adds an access key to the document. */
async function addAccessKey(
  transaction: Transaction<CoreTables>,
  { id, issuerId }: StoredDocument,
  accessKey: string,
): Promise<void> {
  await transaction
    .insertInto('sri_access_keys')
    .values({ access_key: accessKey, issuer_id: issuerId, document_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { document_id } = await transaction
    .selectFrom('sri_access_keys')
    .select('document_id')
    .where('access_key', '=', accessKey)
    .where('issuer_id', '=', issuerId)
    .executeTakeFirstOrThrow();
  if (document_id !== id) throw new Error('The access key belongs to another document.');
}

function idsOf(changes: readonly DocumentChange[]): string[] {
  return changes.map(({ document }) => document.id);
}
