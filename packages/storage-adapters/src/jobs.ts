import { type Kysely, sql, type Transaction } from 'kysely';
import type { ClaimedJob, JobLease, Storage, StoredDocument } from 'sri-core';
import { findByIds } from './documents.js';
import { type ClaimedRow, JOB_COLUMNS, toJob, toJobColumns } from './job-rows.js';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';
import { isOneOf } from './value-lists.js';

/** How many jobs are looked for, behind which issuer, and who puts the issuers in order. */
export interface FindTerms {
  readonly limit: number;
  readonly after: string;
  readonly inTurns: Parameters<Storage['claimJobs']>[0]['inTurns'] | undefined;
}

/** How long and from when a job is taken. */
export interface ClaimTerms {
  readonly now: Date;
  readonly leaseMs: number;
}

/** Documents whose jobs may be taken now, in the order in which their issuers are served. */
export async function findTurns(
  db: Kysely<CoreTables>,
  now: Date,
  { limit, after, inTurns }: FindTerms,
): Promise<readonly { readonly documentId: string; readonly issuerId: string }[]> {
  const ready = await readyIssuers(db, now, { limit: inTurns ? Math.max(limit, MOST_ORDERED) : limit, after });
  const issuers = (inTurns ? await inTurns(ready) : ready).slice(0, limit);
  if (issuers.length === 0) return [];
  // With one job for each issuer, this is the most that is left for any of them.
  const most = limit - issuers.length + 1;
  const queues = issuers.map((issuerId) =>
    db
      .selectFrom((builder) =>
        builder
          .selectFrom('sri_jobs')
          .select(['document_id', 'issuer_id'])
          .where('issuer_id', '=', issuerId)
          .where('ready_at', '<=', now.getTime())
          .orderBy('ready_at')
          .orderBy('document_id')
          .limit(most)
          .as('queue'),
      )
      .select(['document_id', 'issuer_id']),
  );
  const rows = await queues.reduce((all, queue) => all.unionAll(queue)).execute();
  const lines = issuers.map((issuerId) => rows.filter((row) => row.issuer_id === issuerId));
  const rounds = Array.from({ length: most }, (_, round) => lines.flatMap((line) => line.slice(round, round + 1)));
  return rounds
    .flat()
    .slice(0, limit)
    .map((row) => ({ documentId: row.document_id, issuerId: row.issuer_id }));
}

/**
 * Takes those of the jobs that are still to be had, in the order given.
 *
 * @param terms.dueOnly leaves jobs alone whose time has not come; else only held ones are left alone.
 */
export async function takeJobs(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  documentIds: readonly string[],
  { now, leaseMs, dueOnly }: ClaimTerms & { readonly dueOnly: boolean },
): Promise<readonly ClaimedJob[]> {
  if (documentIds.length === 0) return [];
  const time = now.getTime();
  const jobs = await transaction
    .selectFrom('sri_jobs')
    .select(JOB_COLUMNS)
    .where(isOneOf(traits, 'document_id', documentIds, 'uuid'))
    .where((expression) =>
      dueOnly
        ? expression(BESIDE_ITS_INDEX, '<=', time)
        : expression.or([
            expression('lease_until', 'is', null),
            expression('lease_until', '<=', time),
            expression('lease_until', '>', time + STRAY_LEASES * leaseMs),
          ]),
    )
    .$if(traits.skipLocked, (query) => query.forUpdate().skipLocked())
    .execute();
  if (jobs.length === 0) return [];

  const taken = new Map(jobs.map((job) => [job.document_id, job]));
  const until = time + leaseMs;
  await transaction
    .updateTable('sri_jobs')
    .set((expression) => ({
      lease_token: expression('lease_token', '+', 1),
      lease_until: until,
      ready_at: readyAt(until),
      // From here on a crash leaves it open whether the SRI was told.
      unconfirmed: expression.case().when('operation', '=', 'SEND').then(1).else(expression.ref('unconfirmed')).end(),
    }))
    .where(isOneOf(traits, 'document_id', [...taken.keys()], 'uuid'))
    .execute();

  const documents = new Map(
    (await findByIds(transaction, traits, [...taken.keys()])).map((found) => [found.id, found]),
  );
  return documentIds.flatMap((documentId) => toClaimed(taken.get(documentId), documents.get(documentId)));
}

/** @returns false when another worker has the job, or it was ended or set anew. */
export async function extendLease(
  transaction: Transaction<CoreTables>,
  lease: JobLease,
  until: Date,
): Promise<boolean> {
  const result = await transaction
    .updateTable('sri_jobs')
    .set({ lease_until: until.getTime(), ready_at: readyAt(until.getTime()) })
    .where('document_id', '=', lease.documentId)
    .where('lease_token', '=', lease.token)
    .where('lease_until', 'is not', null)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Undoes a claim, unless somebody else has the job by now. */
export async function returnJob(transaction: Transaction<CoreTables>, { lease, job }: ClaimedJob): Promise<void> {
  await transaction
    .updateTable('sri_jobs')
    .set(toJobColumns(job))
    .where('document_id', '=', lease.documentId)
    .where('lease_token', '=', lease.token)
    .where('lease_until', 'is not', null)
    .execute();
}

/** When the next job can be taken. */
export async function nextReadyAt(db: Kysely<CoreTables>): Promise<Date | null> {
  const row = await db
    .selectFrom('sri_jobs')
    .select('ready_at')
    .where('ready_at', 'is not', null)
    .orderBy('ready_at')
    .limit(1)
    .executeTakeFirst();
  return row?.ready_at == null ? null : new Date(row.ready_at);
}

// --- internal ---

/** A lease that ends later than so many of them was given by a clock that was ahead. */
const STRAY_LEASES = 10;

/** Issuers that the caller of a claim puts in order. Each costs a jump through the index. */
const MOST_ORDERED = 256;

/** `ready_at` of a row that its key finds. Its own index would be read as well, for all jobs that are due. */
const BESIDE_ITS_INDEX = sql<number | null>`ready_at + 0`;

/** A held job waits for the end of its lease, in case its worker is gone, and for its own time if that is later. */
function readyAt(until: number) {
  return sql<number>`case when due_at > ${until} then due_at else ${until} end`;
}

/**
 * Issuers with a job to be had, beginning behind `after` and going round. Jumps through the index from one issuer to the
 * next, so that the cost is in the issuers served and not in the jobs that wait.
 */
async function readyIssuers(
  db: Kysely<CoreTables>,
  now: Date,
  { limit, after }: { readonly limit: number; readonly after: string },
): Promise<string[]> {
  const behind = await issuersBehind(db, now, { limit, after });
  if (behind.length === limit || after === '') return behind;
  const rest = await issuersBehind(db, now, { limit: limit - behind.length, after: '' });
  return [...behind, ...rest.filter((issuerId) => issuerId <= after)];
}

async function issuersBehind(
  db: Kysely<CoreTables>,
  now: Date,
  { limit, after }: { readonly limit: number; readonly after: string },
): Promise<string[]> {
  const ready = sql`from sri_jobs where ready_at <= ${now.getTime()} and issuer_id`;
  const { rows } = await sql<{ issuer_id: string }>`
    with recursive turns (issuer_id, turn) as (
      select * from (select issuer_id, 1 ${ready} > ${after} order by issuer_id limit 1) as first_turn
      union all
      select (select issuer_id ${ready} > turns.issuer_id order by issuer_id limit 1), turn + 1
      from turns where turns.issuer_id is not null and turn < ${limit}
    )
    select issuer_id from turns where issuer_id is not null`.execute(db);
  return rows.map((row) => row.issuer_id);
}

function toClaimed(job: ClaimedRow | undefined, document: StoredDocument | undefined): ClaimedJob[] {
  if (!job || !document) return [];
  return [{ lease: { documentId: document.id, token: job.lease_token + 1 }, job: toJob(job), document }];
}
