import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { type DialectTraits, isHeld, type JobQueue, type LeaseTerms, takeJobs } from 'sri-storage-adapters';
import type { JobsTable } from '../database/operation-tables.js';
import type { Tables } from '../database/tables.js';

// Jobs of every account: no query here is scoped by account. The status and the kind are literals: a database uses a
// partial index only if the statement contains its condition.

/** The kinds of jobs that a worker attempts until it gives up: mails and deliveries of webhooks. */
export const ATTEMPTED_KINDS = ['MAIL', 'WEBHOOK'] as const;

/** A kind of jobs that a worker attempts until it gives up. */
export type AttemptedKind = (typeof ATTEMPTED_KINDS)[number];

/** The kinds of jobs: those, and timed work of the server. */
export type JobKind = AttemptedKind | 'TIMER';

/** A stored job. */
export type JobRow = Selectable<JobsTable>;

/** New values of a job's columns. */
export type JobChange = { readonly [Column in keyof JobsTable]?: JobsTable[Column] | RawBuilder<JobsTable[Column]> };

/** A job that is to be queued. */
export interface NewJob {
  /** UUIDv7. */
  readonly id: string;
  readonly kind: JobKind;
  readonly subject: string;
  readonly lane: string;
  /** Null for a job of the server itself. */
  readonly tenantId: string | null;
  readonly now: Date;
}

/** A lease on a job. A later holder's token is higher, so that a frozen worker's result is rejected. */
export interface JobLease {
  readonly id: string;
  readonly kind: JobKind;
  readonly lane: string;
  readonly token: number;
}

/** The longest delays that are scheduled for jobs of a kind. Milliseconds. */
export interface LongestTimes {
  readonly dueMs: number;
  readonly leaseMs: number;
}

/** The columns of a new job, which is due at once. */
export function toJobRow({ id, kind, subject, lane, tenantId, now }: NewJob) {
  const at = now.getTime();
  const state = { status: 'PENDING', attempt_count: 0, due_at: at, ready_at: at, lease_token: 0, created_at: at };
  return { id, kind, subject, lane, tenant_id: tenantId, ...state };
}

/** The lease of a claimed job. */
export function toLease({ id, kind, lane, lease_token: token }: JobRow): JobLease {
  return { id, kind: kind as JobKind, lane, token };
}

/** The queue of a kind. */
export function queueOf(kind: JobKind): JobQueue {
  return { table: 'jobs', id: 'id', lane: 'lane', which: isPending(kind) };
}

/** Claims the due jobs among the given jobs. Two workers never hold the same job. */
export function claimJobs(
  tables: Tables,
  traits: DialectTraits,
  kind: JobKind,
  ids: readonly string[],
  terms: LeaseTerms,
): Promise<readonly JobRow[]> {
  return take(tables, traits, ids, { ...terms, kind, dueOnly: true });
}

/** Claims one job, whether or not it is due; null when it is not pending or a worker holds it. */
export async function claimJob(
  tables: Tables,
  traits: DialectTraits,
  kind: JobKind,
  id: string,
  terms: LeaseTerms,
): Promise<JobRow | null> {
  const [row] = await take(tables, traits, [id], { ...terms, kind, dueOnly: false });
  return row ?? null;
}

/** Ends the lease on a job. A later result under it is rejected. */
export const NO_LEASE = { lease_until: null, ready_at: sql<number>`due_at` };

/** Counts the attempt that a worker has made. */
export const ONE_ATTEMPT = { attempt_count: sql<number>`attempt_count + 1` };

/**
 * Ends leases and stores the result of their jobs, the same for all.
 *
 * @returns the ids of the jobs that no other worker has taken since. The others stay as they are.
 */
export async function settleJobs(
  tables: Tables,
  leases: readonly JobLease[],
  change: JobChange,
): Promise<ReadonlySet<string>> {
  const rows = await tables
    .updateTable('jobs')
    .set({ ...change, ...NO_LEASE, ...(change.due_at === undefined ? {} : { ready_at: change.due_at }) })
    .where(areHeld(leases))
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Restarts the attempts of a job. */
export const NO_ATTEMPTS = { attempt_count: 0, last_error: null };

/** Makes jobs due at once, also finished ones. @returns their ids. */
export function restartJobs(
  tables: Tables,
  which: RawBuilder<SqlBool>,
  now: Date,
  change: JobChange = {},
): Promise<readonly string[]> {
  return changeJobs(tables, which, {
    status: 'PENDING',
    ...NO_LEASE,
    due_at: now.getTime(),
    ready_at: now.getTime(),
    ...change,
  });
}

/** Changes jobs that no lease of the caller's covers. @returns their ids. */
export async function changeJobs(
  tables: Tables,
  which: RawBuilder<SqlBool>,
  change: JobChange,
): Promise<readonly string[]> {
  const rows = await tables.updateTable('jobs').set(change).where(which).returning('id').execute();
  return rows.map(({ id }) => id);
}

/**
 * Resets due times and leases that are too far ahead: a clock that was ahead wrote them, and was corrected since.
 *
 * @param lane only the jobs of that lane; without it all of the kind.
 */
export async function endStrayTimes(
  tables: Tables,
  kind: JobKind,
  { dueMs, leaseMs }: LongestTimes,
  { now, lane }: { readonly now: Date; readonly lane?: string },
): Promise<void> {
  const at = now.getTime();
  const stray = sql<SqlBool>`${isPending(kind)} and (due_at > ${at + dueMs} or lease_until > ${at + leaseMs})`;
  const which = lane === undefined ? stray : sql<SqlBool>`${stray} and lane = ${lane}`;
  await changeJobs(tables, which, { due_at: at, ready_at: at, lease_until: null });
}

/** The condition of a pending job of a kind. */
export function isPending(kind: JobKind): RawBuilder<SqlBool> {
  return sql`status = 'PENDING' and kind = ${sql.lit(kind)}`;
}

/** The condition of a job that no worker holds. */
export function isFree(now: Date): RawBuilder<SqlBool> {
  return sql`(lease_until is null or lease_until <= ${now.getTime()})`;
}

// --- internal ---

async function take(
  tables: Tables,
  traits: DialectTraits,
  ids: readonly string[],
  { kind, ...terms }: LeaseTerms & { readonly kind: JobKind; readonly dueOnly: boolean },
): Promise<readonly JobRow[]> {
  const taken = await takeJobs<JobRow>(tables, traits, queueOf(kind), ids, { ...terms, columns: sql`*` });
  const byId = new Map(taken.map((row) => [row.id, { ...row, lease_token: row.lease_token + 1 }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Jobs whose leases still stand. All are of one kind. */
function areHeld(leases: readonly JobLease[]): RawBuilder<SqlBool> {
  const kind = leases[0]?.kind ?? 'TIMER';
  const held = leases.map((lease) => isHeld(queueOf(kind), lease));
  return sql`kind = ${sql.lit(kind)} and (${sql.join(held, sql` or `)})`;
}
