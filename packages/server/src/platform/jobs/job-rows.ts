import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { JobsTable } from '../database/operation-tables.js';
import type { Tables } from '../database/tables.js';

// Jobs of every account: no query here is scoped by account. The status and the kind are literals: a database uses a
// partial index only if the statement contains its condition.

/** The kinds of jobs: mails, deliveries of webhooks, and timed work of the server. */
export type JobKind = 'MAIL' | 'WEBHOOK' | 'TIMER';

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

/** From when and how long a job is leased. */
export interface LeaseTerms {
  readonly now: Date;
  readonly leaseMs: number;
}

/** The number of jobs to claim of a lane. */
export interface LaneWish {
  readonly lane: string;
  readonly limit: number;
}

/** The longest delays that are scheduled for jobs of a kind. Milliseconds. */
export interface LongestTimes {
  readonly dueMs: number;
  readonly leaseMs: number;
}

/** The columns of a new job, which is due at once. */
export function toJobRow({ id, kind, subject, lane, tenantId, now }: NewJob) {
  const at = now.getTime();
  const state = { status: 'PENDING', attempt_count: 0, due_at: at, lease_until: 0, lease_token: 0, created_at: at };
  return { id, kind, subject, lane, tenant_id: tenantId, ...state };
}

/** The lease of a claimed job. */
export function toLease({ id, kind, lane, lease_token: token }: JobRow): JobLease {
  return { id, kind: kind as JobKind, lane, token };
}

/**
 * Lanes with due jobs, in the order of their ids. Skips from one lane with pending jobs to the next, so that a long
 * queue costs nothing.
 */
export async function listDueLanes(tables: Tables, kind: JobKind, now: Date): Promise<readonly string[]> {
  const pending = isPending(kind);
  const { rows } = await sql<{ lane: string }>`
    with recursive waiting (lane) as (
      select * from (select lane from jobs where ${pending} order by lane limit 1) as first_one
      union all
      select (select lane from jobs where ${pending} and lane > waiting.lane order by lane limit 1)
      from waiting where waiting.lane is not null
    )
    select lane from waiting where lane is not null
      and exists (select 1 from jobs where ${pending} and lane = waiting.lane and ${isFree(now)} and due_at <= ${now.getTime()})
  `.execute(tables);
  return rows.map(({ lane }) => lane);
}

/** Claims the longest due jobs of some lanes. Two workers never hold the same job. */
export async function claimJobs(
  tables: Tables,
  kind: JobKind,
  wishes: readonly LaneWish[],
  terms: LeaseTerms,
): Promise<readonly JobRow[]> {
  if (wishes.length === 0) return [];
  const at = terms.now.getTime();
  const picked = wishes.map(
    ({ lane, limit }) => sql`select id from (
      select id from jobs where ${isPending(kind)} and lane = ${lane} and due_at <= ${at} and ${isFree(terms.now)}
      order by due_at, id limit ${limit}
    ) as longest_due`,
  );
  return take(tables, sql.join(picked, sql` union all `), terms);
}

/** Claims one job, whether or not it is due; null when it is not pending or a worker holds it. */
export async function claimJob(tables: Tables, kind: JobKind, id: string, terms: LeaseTerms): Promise<JobRow | null> {
  const [row] = await take(tables, sql`select id from jobs where id = ${id} and ${isPending(kind)}`, terms);
  return row ?? null;
}

/** Locks a job until the transaction ends, and extends its lease. @returns false when another worker has taken it. */
export async function extendLease(tables: Tables, lease: JobLease, until: Date): Promise<boolean> {
  const result = await tables
    .updateTable('jobs')
    .set({ lease_until: until.getTime() })
    .where(isHeld([lease]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends the lease on a job. A later result under it is rejected. */
export const NO_LEASE = { lease_until: 0, lease_token: sql<number>`lease_token + 1` };

/** Counts the attempt that a worker has made. */
export const ONE_ATTEMPT = { attempt_count: sql<number>`attempt_count + 1` };

/**
 * Ends leases and stores what became of their jobs, the same for all.
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
    .set({ ...change, ...NO_LEASE })
    .where(isHeld(leases))
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
  return changeJobs(tables, which, { status: 'PENDING', due_at: now.getTime(), ...NO_LEASE, ...change });
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
 * @param which more conditions.
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
  await changeJobs(tables, which, { due_at: at, lease_until: 0 });
}

/** The condition of a pending job of a kind. */
export function isPending(kind: JobKind): RawBuilder<SqlBool> {
  return sql`status = 'PENDING' and kind = ${sql.lit(kind)}`;
}

/** The condition of a job that no worker holds. */
export function isFree(now: Date): RawBuilder<SqlBool> {
  return sql`lease_until <= ${now.getTime()}`;
}

// --- internal ---

async function take(
  tables: Tables,
  ids: RawBuilder<unknown>,
  { now, leaseMs }: LeaseTerms,
): Promise<readonly JobRow[]> {
  const rows = await tables
    .updateTable('jobs')
    .set((set) => ({ lease_until: now.getTime() + leaseMs, lease_token: set('lease_token', '+', 1) }))
    .where('id', 'in', sql<string>`(${ids})`)
    // A faster worker has moved the lease. Without the kind, so that the rows are found by their ids.
    .where('status', '=', 'PENDING')
    .where(isFree(now))
    .returningAll()
    .execute();
  return rows.toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1));
}

/** Jobs whose leases still stand. All are of one kind. */
function isHeld(leases: readonly JobLease[]): RawBuilder<SqlBool> {
  const pairs = leases.map(({ id, token }) => sql`(id = ${id} and lease_token = ${token})`);
  const kind = sql.lit(leases[0]?.kind ?? '');
  return sql`kind = ${kind} and (${sql.join(pairs, sql` or `)})`;
}
