import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Environment } from 'sri-core';
import { readPage, type WantedPage } from '../platform/database/page.js';
import type { Tables } from '../platform/database/tables.js';
import { ATTEMPTED_KINDS, changeJobs, isFree, NO_ATTEMPTS, restartJobs } from '../platform/jobs/job-rows.js';

// The operator sees every account, so no query here is scoped by account.

/** The kinds of failed jobs: sending a document, asking for its authorization, and those of `jobs`. */
export const FAILED_JOB_KINDS = ['SRI_SEND', 'SRI_AUTHORIZE', ...ATTEMPTED_KINDS] as const;

/** A kind of failed jobs. */
export type FailedJobKind = (typeof FAILED_JOB_KINDS)[number];

/** A job whose attempts failed for good. */
export interface FailedJob {
  /** Of the document, mail or delivery. */
  readonly id: string;
  readonly kind: FailedJobKind;
  readonly tenantId: string;
  /** The kind of mail or the webhook's event; null for a document. */
  readonly subject: string | null;
  /** The document of the job, or null. */
  readonly accessKey: string | null;
  /** The issuer of the document, with its environment; or null. */
  readonly issuerId: string | null;
  readonly environment: Environment | null;
  /** Whether it is the mail of an authorization, whose state its document shows. */
  readonly isAuthorizationMail: boolean;
  /** The webhook's endpoint; null for other jobs. */
  readonly endpointId: string | null;
  readonly attemptCount: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
}

/** One page of failed jobs, newest first, and the total. */
export async function listFailedJobs(
  tables: Tables,
  wanted: WantedPage,
): Promise<{ readonly jobs: readonly FailedJob[]; readonly total: number }> {
  const ordered = tables
    .selectFrom(failed(tables).as('failed'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const { rows, total } = await readPage(ordered, wanted);
  return { jobs: rows.map(toJob), total };
}

/** How many documents failed, and how many mails and deliveries of the time since. */
export async function countFailedJobs(tables: Tables, since: Date): Promise<number> {
  const { total } = await tables
    .selectFrom(failed(tables).as('failed'))
    .select((count) => count.fn.countAll().as('total'))
    .where((where) => where.or([where('kind', 'not in', ATTEMPTED_KINDS), where('created_at', '>=', since.getTime())]))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The failed job of that id, or null. */
export async function findFailedJob(tables: Tables, id: string): Promise<FailedJob | null> {
  const row = await tables
    .selectFrom(failed(tables).as('failed'))
    .selectAll()
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row ? toJob(row) : null;
}

/** Makes a failed mail due at once and restarts its attempts. @returns false when it no longer exists. */
export async function requeueFailedMail(tables: Tables, id: string, now: Date): Promise<boolean> {
  const which = sql<SqlBool>`${isFailedMail(id)} and ${isFree(now)}`;
  return (await restartJobs(tables, which, now, { ...NO_ATTEMPTS, requested: 1 })).length > 0;
}

/** Marks a failed mail as replaced by another one. @returns false when it no longer exists. */
export async function replaceFailedMail(tables: Tables, id: string): Promise<boolean> {
  return (await changeJobs(tables, isFailedMail(id), { status: 'SKIPPED' })).length > 0;
}

// --- internal ---

function failed(tables: Tables) {
  const none = sql<string | null>`cast(null as text)`;
  const textOf = (id: string) => sql<string | null>`cast(${sql.ref(id)} as text)`;
  const documents = tables
    .selectFrom('sri_jobs')
    .innerJoin('sri_documents', 'sri_documents.id', 'sri_jobs.document_id')
    .innerJoin('issuers', 'issuers.id', 'sri_jobs.issuer_id')
    .select([
      'sri_documents.id',
      sql<string>`'SRI_' || sri_jobs.operation`.as('kind'),
      'issuers.tenant_id',
      none.as('subject'),
      sql<string | null>`sri_documents.access_key`.as('access_key'),
      textOf('sri_documents.issuer_id').as('issuer_id'),
      sql<string | null>`sri_documents.environment`.as('environment'),
      none.as('authorization_of'),
      none.as('endpoint_id'),
      'sri_jobs.attempt_count',
      'sri_jobs.last_error',
      'sri_documents.created_at',
    ])
    .where('sri_jobs.status', '=', 'FAILED');
  const others = tables
    .selectFrom('jobs')
    .select([
      'id',
      'kind',
      sql<string>`tenant_id`.as('tenant_id'),
      sql<string | null>`subject`.as('subject'),
      'access_key',
      textOf('issuer_id').as('issuer_id'),
      'environment',
      textOf('authorization_of').as('authorization_of'),
      sql<string | null>`case kind when 'WEBHOOK' then cast(lane as text) end`.as('endpoint_id'),
      'attempt_count',
      'last_error',
      'created_at',
    ])
    // As a literal, so that a prepared statement can use the partial index too.
    .where('status', '=', sql.lit('FAILED'));
  return documents.unionAll(others);
}

function isFailedMail(id: string): RawBuilder<SqlBool> {
  return sql`id = ${id} and kind = 'MAIL' and status = 'FAILED'`;
}

type FailedRow = Awaited<ReturnType<ReturnType<typeof failed>['execute']>>[number];

function toJob(row: FailedRow): FailedJob {
  return {
    id: row.id,
    kind: row.kind as FailedJobKind,
    tenantId: row.tenant_id,
    subject: row.subject,
    accessKey: row.access_key,
    issuerId: row.issuer_id,
    environment: row.environment as Environment | null,
    isAuthorizationMail: row.authorization_of !== null,
    endpointId: row.endpoint_id,
    attemptCount: Number(row.attempt_count),
    lastError: row.last_error,
    createdAt: new Date(Number(row.created_at)),
  };
}
