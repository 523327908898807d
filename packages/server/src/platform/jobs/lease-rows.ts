import type { Tables } from '../database/tables.js';

/** A lease on a piece of timed work. Whoever takes it later has a higher token. */
export interface TaskLease {
  readonly name: string;
  readonly token: number;
}

/** What taking a lease asks. Times in milliseconds. */
export interface LeaseWish {
  readonly name: string;
  /** The process that asks. */
  readonly holder: string;
  readonly now: Date;
  readonly leaseMs: number;
  /** How long after a round the next one is due. */
  readonly everyMs: number;
}

/**
 * Takes the lease of a piece of work that is due and that nobody is doing. Of several at once one gets it; that of a
 * process that died ends by itself. What lies further ahead than it can was written before the clock was set back.
 *
 * @returns null when it is not due, or somebody is doing it.
 */
export async function takeTaskLease(
  tables: Tables,
  { name, holder, now, leaseMs, everyMs }: LeaseWish,
): Promise<TaskLease | null> {
  const at = now.getTime();
  const taken = await tables
    .insertInto('task_leases')
    .values({ name, holder, token: 1, lease_until: at + leaseMs, due_at: at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((set) => ({ holder, token: set('task_leases.token', '+', 1), lease_until: at + leaseMs }))
        .where((where) =>
          where.and([
            where.or([
              where('task_leases.lease_until', '<=', at),
              where('task_leases.lease_until', '>', at + LONGEST_SKEW * leaseMs),
            ]),
            where.or([where('task_leases.due_at', '<=', at), where('task_leases.due_at', '>', at + everyMs)]),
          ]),
        ),
    )
    .returning('token')
    .executeTakeFirst();
  return taken ? { name, token: taken.token } : null;
}

/**
 * Holds a lease until the transaction ends, and longer from now on: nobody takes it meanwhile.
 *
 * @returns false when somebody has taken it; then nothing may be stored on its strength.
 */
export async function holdTaskLease(tables: Tables, { name, token }: TaskLease, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable('task_leases')
    .set({ lease_until: until.getTime() })
    .where('name', '=', name)
    .where('token', '=', token)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives a lease back. @param dueAt when the next round is due; null after one that was not finished. */
export async function endTaskLease(tables: Tables, { name, token }: TaskLease, dueAt: Date | null): Promise<void> {
  await tables
    .updateTable('task_leases')
    .set({ lease_until: 0, ...(dueAt ? { due_at: dueAt.getTime() } : {}) })
    .where('name', '=', name)
    .where('token', '=', token)
    .execute();
}

// --- internal ---

/** Clocks of several machines differ by less than this many leases. */
const LONGEST_SKEW = 10;
