import { type Kysely, sql, type Transaction } from 'kysely';
import type { DocumentChange, Storage, StoredDocument } from 'sri-core';
import { updateContents } from './contents.js';
import { toChangedColumns } from './document-rows.js';
import { isIn } from './documents.js';
import { toEventRows, toResponseRows } from './history.js';
import { JOB_STATE_COLUMNS, toJobRow } from './job-rows.js';
import { arrayList, rowList, type Write, writeAll } from './row-lists.js';
import type { CoreTables, DocumentsTable } from './schema.js';
import { takeSequentials } from './sequentials.js';
import type { DialectTraits } from './traits.js';
import { isOneOf } from './value-lists.js';

/** What became of a change. */
export type ChangeOutcome = Awaited<ReturnType<Storage['changeDocument']>>;

/** Whether figures or counts depend on what is set. */
export function isCounted({ status, sequential, issueDate, total, counterparty }: DocumentChange['set']): boolean {
  return [status, sequential, issueDate, total, counterparty].some((field) => field !== undefined);
}

/**
 * Applies changes of different documents within a transaction, each as far as its own conditions hold: those that are
 * refused touch nothing. Locks are taken in one order: counter, documents by their ids, each with its job.
 *
 * @param changes one that takes a number is the only one, and when it is refused the transaction is to be undone.
 * @returns what became of each.
 */
export async function applyChanges(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  changes: readonly DocumentChange[],
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

/** Whether the revision that the change would make was made by this very change. */
export async function wasApplied(db: Kysely<CoreTables>, { document, events, at }: DocumentChange): Promise<boolean> {
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
  return row !== undefined;
}

// --- internal ---

/** Locks the documents that are there, and the jobs of those that are changed under a lease. */
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

/** A document as it stands, with the claim on its job when one was asked for. */
type StandingRow = Pick<DocumentsTable, 'id' | 'issuer_id' | 'environment' | 'revision'> & {
  readonly lease_token?: number;
  readonly lease_until?: number | null;
};

/** A lost lease is told first. One that has run out still holds while nobody else has taken the job. */
function refusalOf({ document, lease }: DocumentChange, row: StandingRow | undefined): ChangeOutcome | null {
  if (lease && !(row?.lease_token === lease.token && row.lease_until !== null && row.id === lease.documentId)) {
    return 'leaseLost';
  }
  return row && row.revision === document.revision && isIn(document, row) ? null : 'stale';
}

/** Writes what the changes name, with their documents locked. */
async function write(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  changes: readonly DocumentChange[],
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

/** Values beside one another take their type from no column: what is not declared is text. */
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

/** Ends, begins or replaces the jobs that are named. */
function jobWrites(traits: DialectTraits, changes: readonly DocumentChange[]): Write[] {
  const ended = idsOf(changes.filter(({ job }) => job === null));
  const rows = changes.flatMap(({ document, job }) =>
    job ? [toJobRow({ ...document, revision: document.revision + 1 }, job)] : [],
  );
  const ends = {
    statement: sql`delete from sri_jobs where ${isOneOf(traits, 'document_id', ended, 'uuid')}`,
    parameters: ended.length,
  };
  return [...(ended.length > 0 ? [ends] : []), { table: 'sri_jobs', rows, ending: REPLACING_JOB }];
}

/** Everything but the lease's token, which only rises. */
const REPLACING_JOB = ` on conflict (document_id, issuer_id) do update set ${JOB_STATE_COLUMNS.map(
  (column) => `${column} = excluded.${column}`,
).join(', ')}`;

/** From now on the document has this key as well. */
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
