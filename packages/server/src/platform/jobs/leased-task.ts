import type { Clock } from 'sri-core';
import type { ServerDatabase, Tables } from '../database/tables.js';
import { endTaskLease, holdTaskLease, type TaskLease, takeTaskLease } from './lease-rows.js';
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
  /** This process among those on the database. */
  readonly holder: string;
  /** How long the work of a dead process stays undone. Each of its transactions restarts that time. */
  readonly leaseMs: number;
}

/**
 * A task that one process at a time runs for all on the database, once per interval however many there are. Each checks
 * at least every minute whether it is due, so that the others take over from a dead one. A round writes through the
 * given database, whose transactions hold the lease: a frozen process that resumes after its lease expired stores
 * nothing more.
 */
export function leasedTask(parts: LeasingDeps, make: (database: ServerDatabase) => Task): Task {
  const { database, clock, holder, leaseMs } = parts;
  const { name, intervalMs: everyMs } = make(database);
  return {
    name,
    intervalMs: Math.min(everyMs, LOOK_MS),
    async run(signal) {
      const started = clock.now();
      const wish = { name, holder, now: started, leaseMs, everyMs };
      const lease = await database.transaction((tables) => takeTaskLease(tables, wish));
      if (!lease) return false;
      const lost = new AbortController();
      const round = AbortSignal.any([signal, lost.signal]);
      let isDone = false;
      try {
        await make(holding(parts, lease, lost)).run(round);
        isDone = !round.aborted;
      } finally {
        // Slightly early, since loops do not wake to the millisecond.
        const dueAt = isDone ? new Date(started.getTime() + everyMs - everyMs / 10) : null;
        await database.transaction((tables) => endTaskLease(tables, lease, dueAt));
      }
      return true;
    },
  };
}

// --- internal ---

const LOOK_MS = 60_000;

/** The same database; every transaction fails without the lease. */
function holding({ database, clock, leaseMs }: LeasingDeps, lease: TaskLease, lost: AbortController): ServerDatabase {
  async function hold(tables: Tables): Promise<void> {
    if (await holdTaskLease(tables, lease, new Date(clock.now().getTime() + leaseMs))) return;
    lost.abort();
    throw new LeaseLostError(`Another process does the work "${lease.name}" now.`);
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
