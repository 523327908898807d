import { type Kysely, sql, type Transaction } from 'kysely';
import type { ClaimedJob, JobLease, Storage, StoredDocument } from 'sri-core';
import {
  extendLease as extend,
  isHeld,
  type JobQueue,
  type LeaseTerms,
  type ReadyJob,
  type ReadyJobs,
  readReadyJobs,
  takeJobs as takeRows,
} from '../jobs/job-queue.js';
import { type ClaimedRow, JOB_COLUMNS, toJob, toJobColumns } from '../jobs/job-rows.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { findByIds } from './find-documents.js';

/** How many jobs to find, behind which issuer, and in which order of issuers. */
export interface FindTerms {
  /** As that of `readReadyJobs`. */
  readonly from: number | null;
  readonly limit: number;
  readonly after: string;
  readonly inTurns: Parameters<Storage['claimJobs']>[0]['inTurns'] | undefined;
}

/** Documents with a job that is ready, in the order in which their issuers are served. */
export async function findTurns(
  db: Kysely<CoreTables>,
  now: Date,
  { from, limit, after, inTurns }: FindTerms,
): Promise<{ readonly turns: readonly ReadyJob[]; readonly ready: ReadyJobs }> {
  const most = inTurns ? Math.max(limit, MOST_ORDERED) : limit;
  const ready = await readReadyJobs(db, DOCUMENT_JOBS, now, { from, after, limit: most });
  const issuers = (inTurns ? await inTurns(ready.lanes) : ready.lanes).slice(0, limit);
  // With one job for each issuer, this is the most that is left for any of them.
  const each = limit - issuers.length + 1;
  const jobs = await ready.of(
    db,
    issuers.map((lane) => ({ lane, limit: each })),
  );
  return { turns: jobs.slice(0, limit), ready };
}

/**
 * Leases the jobs that no worker holds, in the given order.
 *
 * @param terms.dueOnly skips jobs that are not due; otherwise only held jobs are skipped.
 */
export async function takeJobs(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  documentIds: readonly string[],
  terms: LeaseTerms & { readonly dueOnly: boolean },
): Promise<readonly ClaimedJob[]> {
  const jobs = await takeRows<ClaimedRow>(transaction, traits, DOCUMENT_JOBS, documentIds, {
    ...terms,
    columns: sql.join(JOB_COLUMNS.map((column) => sql.ref(column))),
    // From here on a crash leaves it unknown whether the SRI received the document.
    also: sql`, unconfirmed = case when operation = 'SEND' then 1 else unconfirmed end`,
  });
  const taken = new Map(jobs.map((job) => [job.document_id, job]));
  const ids = documentIds.filter((id) => taken.has(id));
  const documents = await findByIds(transaction, traits, ids);
  return documents.flatMap((document) => toClaimed(taken.get(document.id), document));
}

/** @returns false when another worker holds the job, or the job was ended or replaced. */
export function extendLease(transaction: Transaction<CoreTables>, lease: JobLease, until: Date): Promise<boolean> {
  return extend(transaction, DOCUMENT_JOBS, { id: lease.documentId, token: lease.token }, until);
}

/** Undoes a claim, unless another worker holds the job. */
export async function returnJob(transaction: Transaction<CoreTables>, { lease, job }: ClaimedJob): Promise<void> {
  await transaction
    .updateTable('sri_jobs')
    .set(toJobColumns(job))
    .where(isHeld(DOCUMENT_JOBS, { id: lease.documentId, token: lease.token }))
    .execute();
}

/** When the next job is ready. @param from as that of `readReadyJobs`. */
export async function nextReadyAt(db: Kysely<CoreTables>, from: number | null): Promise<Date | null> {
  const row = await db
    .selectFrom('sri_jobs')
    .select('ready_at')
    .where('ready_at', from === null ? 'is not' : '>=', from)
    .orderBy('ready_at')
    .limit(1)
    .executeTakeFirst();
  return row?.ready_at == null ? null : new Date(row.ready_at);
}

// --- internal ---

const DOCUMENT_JOBS: JobQueue = { table: 'sri_jobs', id: 'document_id', lane: 'issuer_id', which: null };

/** The most issuers that the caller of a claim orders. Each costs a jump through the index. */
const MOST_ORDERED = 256;

function toClaimed(job: ClaimedRow | undefined, document: StoredDocument): ClaimedJob[] {
  if (!job) return [];
  return [{ lease: { documentId: document.id, token: job.lease_token + 1 }, job: toJob(job), document }];
}
