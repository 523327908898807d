import { type QueryExecutorProvider, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DialectTraits } from '../sql/traits.js';
import { isOneOf } from '../sql/value-lists.js';

/**
 * Jobs that are claimed together: of the documents, or of one kind of the application. Its table has the columns
 * `due_at`, `ready_at`, `lease_until` and `lease_token` of `JobsTable`.
 */
export interface JobQueue {
  readonly table: string;
  /** The column of a job's id, a UUID. */
  readonly id: string;
  /** The column of the lane: jobs of one lane wait for each other, and lanes take turns. */
  readonly lane: string;
  /** The condition of the queue's jobs, in literals, so that a partial index serves it; null for the whole table. */
  readonly which: RawBuilder<SqlBool> | null;
}

/** The number of jobs wanted of a lane. */
export interface LaneDemand {
  readonly lane: string;
  readonly limit: number;
}

/** From when and how long a job is leased. */
export interface LeaseTerms {
  readonly now: Date;
  readonly leaseMs: number;
}

/** A job that may be claimed. */
export interface ReadyJob {
  readonly id: string;
  readonly lane: string;
}

/** The ready jobs of a queue. */
export interface ReadyJobs {
  /** Lanes with a ready job, sorted by id from a given lane on, wrapping around. */
  readonly lanes: readonly string[];
  /** The jobs of lanes that have been ready longest: the first of each lane, then the second of each, and so on. */
  of(db: QueryExecutorProvider, demands: readonly LaneDemand[]): Promise<readonly ReadyJob[]>;
  /** Since when the oldest job other than these has been ready; null when there is no other. */
  oldestBeside(ids: readonly string[]): number | null;
}

/**
 * Reads the ready jobs. When many jobs are ready, it jumps through the index from lane to lane. Its cost then depends
 * on the lanes served, not on the jobs that wait.
 *
 * @param look.from reads jobs that became ready then or later; null for all.
 * @param look.after the lane after which the lanes begin.
 * @param look.limit the most lanes.
 */
export async function readReadyJobs(
  db: QueryExecutorProvider,
  queue: JobQueue,
  now: Date,
  look: { readonly from: number | null; readonly after: string; readonly limit: number },
): Promise<ReadyJobs> {
  const { from, after, limit } = look;
  const ready = readyBetween(queue, from, now);
  const { rows } = await sql<ReadyRow>`select ${sql.ref(queue.id)} as id, ${sql.ref(queue.lane)} as lane, ready_at
    ${ready} order by ready_at limit ${FEW}`.execute(db);
  const sorted = rows.toSorted((a, b) => a.ready_at - b.ready_at || (a.id < b.id ? -1 : 1));
  const oldestBeside = (ids: readonly string[]) => {
    const taken = new Set(ids);
    const left = sorted.find(({ id }) => !taken.has(id));
    return (left ?? (rows.length < FEW ? undefined : sorted.at(-1)))?.ready_at ?? null;
  };
  if (rows.length === FEW) {
    const lanes = await readyLanes(db, queue, ready, { limit, after });
    return { lanes, of: (reader, demands) => readyJobs(reader, queue, ready, demands), oldestBeside };
  }
  const byLane = Map.groupBy(sorted, ({ lane }) => lane);
  const lanes = [...byLane.keys()].toSorted();
  const rotated = [...lanes.filter((lane) => lane > after), ...lanes.filter((lane) => lane <= after)];
  return { lanes: rotated.slice(0, limit), of: async (_, demands) => dealRounds(byLane, demands), oldestBeside };
}

/**
 * Leases the jobs that no other worker holds. The returned rows precede the lease: the token of a lease is one higher.
 *
 * @param options.dueOnly skips jobs that are not due; otherwise only held jobs are skipped.
 * @param options.columns the columns to read.
 * @param options.also more assignments, each after a comma.
 */
export async function takeJobs<Row>(
  transaction: QueryExecutorProvider,
  traits: DialectTraits,
  queue: JobQueue,
  ids: readonly string[],
  options: LeaseTerms & {
    readonly dueOnly: boolean;
    readonly columns: RawBuilder<unknown>;
    readonly also?: RawBuilder<unknown>;
  },
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const { now, leaseMs, dueOnly, columns, also = sql`` } = options;
  const table = sql.table(queue.table);
  const time = now.getTime();
  // `+ 0` keeps the planner from also reading the index of all ready jobs.
  const isFree = dueOnly
    ? sql`ready_at + 0 <= ${time}`
    : sql`(lease_until is null or lease_until <= ${time} or lease_until > ${time + STRAY_LEASES * leaseMs})`;
  // `is true` keeps the planner from also reading the queue's partial index.
  const queued = queue.which ? sql`(${queue.which}) is true and ` : sql``;
  const among = isOneOf(traits, queue.id, ids, 'uuid');
  const lock = sql.raw(traits.skipLocked ? ' for update skip locked' : '');
  const { rows } = await sql<Row>`select ${columns} from ${table} where ${among} and ${queued}${isFree}${lock}`.execute(
    transaction,
  );
  if (rows.length === 0) return [];
  const taken = rows.map((row) => (row as Record<string, string>)[queue.id] ?? '');
  const until = time + leaseMs;
  await sql`update ${table} set lease_token = lease_token + 1, lease_until = ${until}, ready_at = ${readyAt(until)}${also}
    where ${isOneOf(traits, queue.id, taken, 'uuid')}`.execute(transaction);
  return rows;
}

/** The condition that a lease stands: no other worker took the job, and it was neither ended nor replaced. */
export function isHeld(queue: JobQueue, { id, token }: { readonly id: string; readonly token: number }) {
  return sql<SqlBool>`(${sql.ref(queue.id)} = ${id} and lease_token = ${token} and lease_until is not null)`;
}

/** Extends a lease, and locks its job until the transaction ends. @returns false when the lease no longer stands. */
export async function extendLease(
  transaction: QueryExecutorProvider,
  queue: JobQueue,
  lease: { readonly id: string; readonly token: number },
  until: Date,
): Promise<boolean> {
  const time = until.getTime();
  const { numAffectedRows } = await sql`update ${sql.table(queue.table)}
    set lease_until = ${time}, ready_at = ${readyAt(time)} where ${isHeld(queue, lease)}`.execute(transaction);
  return numAffectedRows === 1n;
}

// --- internal ---

/** A lease that ends later than this many durations from now comes from a clock that was ahead. */
const STRAY_LEASES = 10;

/** A held job is ready after its lease, in case its worker is gone, but not before its own time. */
function readyAt(until: number): RawBuilder<number> {
  return sql<number>`case when due_at > ${until} then due_at else ${until} end`;
}

interface ReadyRow extends ReadyJob {
  readonly ready_at: number;
}

/** Up to this many ready jobs, reading them costs less than jumping from lane to lane. */
const FEW = 256;

/** SQLite takes no more queries in one `union all`. */
const MOST_IN_UNION = 500;

/**
 * Lanes with a ready job, sorted by id from `after` on, wrapping around. It jumps through the index from lane to lane.
 * The cost depends on the lanes served, not on the jobs that wait.
 */
async function readyLanes(
  db: QueryExecutorProvider,
  queue: JobQueue,
  ready: RawBuilder<unknown>,
  { limit, after }: { readonly limit: number; readonly after: string },
): Promise<string[]> {
  const behind = await lanesBehind(db, queue, ready, { limit, after });
  if (behind.length === limit || after === '') return behind;
  const rest = await lanesBehind(db, queue, ready, { limit: limit - behind.length, after: '' });
  return [...behind, ...rest.filter((lane) => lane <= after)];
}

/** The jobs of lanes that have been ready longest: the first of each lane, then the second of each, and so on. */
async function readyJobs(
  db: QueryExecutorProvider,
  queue: JobQueue,
  ready: RawBuilder<unknown>,
  demands: readonly LaneDemand[],
): Promise<readonly ReadyJob[]> {
  const id = sql.ref(queue.id);
  const lane = sql.ref(queue.lane);
  const lines = demands.map(
    (demand) => sql`select * from (
      select ${id} as id, ${lane} as lane ${ready} and ${lane} = ${demand.lane}
      order by ready_at, ${id} limit ${demand.limit}
    ) as line`,
  );
  const rows: ReadyJob[] = [];
  for (let start = 0; start < lines.length; start += MOST_IN_UNION) {
    const some = sql.join(lines.slice(start, start + MOST_IN_UNION), sql` union all `);
    rows.push(...(await sql<ReadyJob>`${some}`.execute(db)).rows);
  }
  return dealRounds(
    Map.groupBy(rows, (row) => row.lane),
    demands,
  );
}

/** The first job of each lane, then the second of each, and so on. */
function dealRounds(
  byLane: ReadonlyMap<string, readonly ReadyJob[]>,
  demands: readonly LaneDemand[],
): readonly ReadyJob[] {
  const longest = Math.max(0, ...demands.map(({ limit }) => limit));
  return Array.from({ length: longest }, (_, round) =>
    demands.flatMap(({ lane, limit }) => (round < limit ? (byLane.get(lane)?.slice(round, round + 1) ?? []) : [])),
  ).flat();
}

/** The ready jobs that a look sees: jobs that became ready from a time on. */
function readyBetween({ table, which }: JobQueue, from: number | null, now: Date): RawBuilder<unknown> {
  const queued = which ? sql`${which} and ` : sql``;
  const since = from === null ? sql`` : sql` and ready_at >= ${from}`;
  return sql`from ${sql.table(table)} where ${queued}ready_at <= ${now.getTime()}${since}`;
}

async function lanesBehind(
  db: QueryExecutorProvider,
  queue: JobQueue,
  ready: RawBuilder<unknown>,
  { limit, after }: { readonly limit: number; readonly after: string },
): Promise<string[]> {
  const lane = sql.ref(queue.lane);
  const { rows } = await sql<{ lane: string }>`
    with recursive turns (lane, turn) as (
      select * from (select ${lane} as lane, 1 as turn ${ready} and ${lane} > ${after} order by ${lane} limit 1) as first_turn
      union all
      select (select ${lane} ${ready} and ${lane} > turns.lane order by ${lane} limit 1), turn + 1
      from turns where turns.lane is not null and turn < ${limit}
    )
    select lane from turns where lane is not null`.execute(db);
  return rows.map((row) => row.lane);
}
