import { type Clock, uuidOf } from 'sri-core';
import { extendLease } from 'sri-storage-adapters';
import type { ServerDatabase, Tables } from '../database/tables.js';
import { claimJobs, endStrayTimes, type JobLease, queueOf, settleJobs, toJobRow, toLease } from './job-rows.js';
import type { Task } from './loop.js';

/** Another process has taken over this one's work. Nothing of the transaction is stored. */
export class LeaseLostError extends Error {
  readonly code = 'LEASE_LOST';

  override get name(): string {
    return 'LeaseLostError';
  }
}

/** The parts of leased work. */
export interface LeasingDeps {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  /** How long the work of a dead process stays undone. Each transaction of a process restarts that time. */
  readonly leaseMs: number;
}

/**
 * A task that one process at a time runs for all on the database, once per interval however many there are. Each checks
 * at least every minute whether it is due, so that the others take over from a dead one. A round writes through the
 * given database, whose transactions hold the lease: a frozen process that resumes after its lease expired stores
 * nothing more. Each of them is progress of the round.
 */
export function leasedTask(parts: LeasingDeps, make: (database: ServerDatabase) => Task): Task {
  const { database, clock } = parts;
  const { name, intervalMs: everyMs } = make(database);
  return {
    name,
    intervalMs: Math.min(everyMs, LOOK_MS),
    async run(signal, progressed = () => {}) {
      const started = clock.now();
      const lease = await database.transaction((tables) => takeTimer(tables, parts, { name, everyMs, now: started }));
      if (!lease) return false;
      const lost = new AbortController();
      const round = AbortSignal.any([signal, lost.signal]);
      let isDone = false;
      try {
        await make(holding(parts, name, { lease, lost, progressed })).run(round);
        isDone = !round.aborted;
      } finally {
        // Slightly early, since loops do not wake to the millisecond.
        const next = isDone ? { due_at: started.getTime() + everyMs - everyMs / 10 } : {};
        await database.transaction((tables) => settleJobs(tables, [lease], next));
      }
      return true;
    },
  };
}

// --- internal ---

const LOOK_MS = 60_000;

/** Clocks of several machines differ by less than this many leases. */
const LONGEST_SKEW = 10;

/** Takes the lease of a due timer; null if it is leased or not due. The first call makes the timer. */
async function takeTimer(
  tables: Tables,
  { database: { traits }, leaseMs }: LeasingDeps,
  { name, everyMs, now }: { readonly name: string; readonly everyMs: number; readonly now: Date },
): Promise<JobLease | null> {
  const id = uuidOf(name);
  await tables
    .insertInto('jobs')
    .values(toJobRow({ id, kind: 'TIMER', subject: name, lane: id, tenantId: null, now }))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await endStrayTimes(tables, 'TIMER', { dueMs: everyMs, leaseMs: LONGEST_SKEW * leaseMs }, { now, lane: id });
  const [row] = await claimJobs(tables, traits, 'TIMER', [id], { now, leaseMs });
  return row ? toLease(row) : null;
}

/** The same database; every transaction fails without the lease. */
function holding(
  { database, clock, leaseMs }: LeasingDeps,
  name: string,
  {
    lease,
    lost,
    progressed,
  }: { readonly lease: JobLease; readonly lost: AbortController; readonly progressed: () => void },
): ServerDatabase {
  async function hold(tables: Tables): Promise<void> {
    progressed();
    if (await extendLease(tables, queueOf('TIMER'), lease, new Date(clock.now().getTime() + leaseMs))) return;
    lost.abort();
    throw new LeaseLostError(`Another process does the work "${name}" now.`);
  }
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tables) => {
        await hold(tables);
        return work(tables);
      }),
    changeDocument: (change, also) =>
      database.changeDocument(change, async (tables) => {
        await hold(tables);
        await also(tables);
      }),
  };
}
