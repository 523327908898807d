import type { Job, JobLease, JobOperation, NewDocument, StoredDocument } from 'sri-core';
import type { JobsTable } from '../sql/schema.js';
import { toDate, toStorableText } from '../sql/values.js';

/** The columns of a job that are read with its document; all null without a job. */
export const SHOWN_JOB_COLUMNS = [
  'job.operation as job_operation',
  'job.status as job_status',
  'job.due_at as job_due_at',
  'job.attempt_count as job_attempt_count',
  'job.last_error as job_last_error',
  'job.unconfirmed as job_unconfirmed',
  'job.lease_until as job_lease_until',
] as const;

/** The columns of `SHOWN_JOB_COLUMNS`. */
export interface ShownJobColumns {
  job_operation: string | null;
  job_status: string | null;
  job_due_at: number | null;
  job_attempt_count: number | null;
  job_last_error: string | null;
  job_unconfirmed: number | null;
  job_lease_until: number | null;
}

export function toShownJob(row: ShownJobColumns): StoredDocument['job'] {
  if (row.job_operation === null) return null;
  return {
    operation: row.job_operation as JobOperation,
    status: row.job_status as Job['status'],
    dueAt: toDate(row.job_due_at),
    attemptCount: row.job_attempt_count ?? 0,
    lastError: row.job_last_error,
    unconfirmed: row.job_unconfirmed === 1,
    running: row.job_lease_until !== null,
  };
}

/** What is read of a job that is claimed. */
export const JOB_COLUMNS = [
  'document_id',
  'operation',
  'status',
  'due_at',
  'attempt_count',
  'last_error',
  'unconfirmed',
  'lease_token',
] as const satisfies readonly (keyof JobsTable)[];

/** The columns of `JOB_COLUMNS`. */
export type ClaimedRow = Pick<JobsTable, (typeof JOB_COLUMNS)[number]>;

export function toJob(row: ClaimedRow): Job {
  return {
    operation: row.operation as JobOperation,
    status: row.status as Job['status'],
    dueAt: toDate(row.due_at),
    attemptCount: row.attempt_count,
    lastError: row.last_error,
    unconfirmed: row.unconfirmed === 1,
  };
}

/** The columns that `toJobColumns` gives. */
export const JOB_STATE_COLUMNS = [
  'operation',
  'status',
  'due_at',
  'attempt_count',
  'last_error',
  'unconfirmed',
  'lease_until',
  'ready_at',
] as const satisfies readonly (keyof ReturnType<typeof toJobColumns>)[];

/** The columns of a free job. */
export function toJobColumns(job: Job) {
  const dueAt = job.dueAt?.getTime() ?? null;
  return {
    operation: job.operation,
    status: job.status,
    due_at: dueAt,
    attempt_count: job.attemptCount,
    last_error: toStorableText(job.lastError),
    unconfirmed: job.unconfirmed ? 1 : 0,
    lease_until: null,
    ready_at: dueAt,
  };
}

/** A job's first row. */
export function toJobRow(document: Pick<StoredDocument, 'id' | 'issuerId' | 'revision'>, job: Job): JobsTable {
  return {
    document_id: document.id,
    issuer_id: document.issuerId,
    ...toJobColumns(job),
    lease_token: document.revision * CLAIMS_PER_REVISION,
  };
}

/** The first row of a job that is leased from its start, as a claim would leave it. */
export function toLeasedRow(row: JobsTable, until: number): JobsTable {
  const readyAt = row.due_at !== null && row.due_at > until ? row.due_at : until;
  const unconfirmed = row.operation === 'SEND' ? 1 : row.unconfirmed;
  return { ...row, unconfirmed, lease_until: until, lease_token: row.lease_token + 1, ready_at: readyAt };
}

/** The job of a new document; null without one. */
export function toNewJobRow({ document, leaseMs }: NewDocument): JobsTable | null {
  if (!document.job) return null;
  const row = toJobRow(document, document.job);
  return leaseMs === undefined ? row : toLeasedRow(row, document.createdAt.getTime() + leaseMs);
}

/** The leases that new documents take, by document id. */
export function newLeases(added: readonly NewDocument[]): ReadonlyMap<string, JobLease> {
  const rows = added.filter(({ leaseMs }) => leaseMs !== undefined).map(toNewJobRow);
  return new Map(
    rows.flatMap((row) => (row ? [[row.document_id, { documentId: row.document_id, token: row.lease_token }]] : [])),
  );
}

// --- internal ---

/**
 * Tokens begin at a multiple of the document's revision, which only rises. A worker with a lease on an ended job
 * therefore never matches a later job.
 */
const CLAIMS_PER_REVISION = 1_000_000;
