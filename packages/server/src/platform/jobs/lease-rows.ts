import type { Tables } from '../database/tables.js';

/** A lease on a piece of timed work. Each later lease has a higher token. */
export interface TaskLease {
  readonly name: string;
  readonly token: number;
}

/** The parameters of a lease. Times in milliseconds. */
export interface LeaseWish {
  readonly name: string;
  /** The process that takes it. */
  readonly holder: string;
  readonly now: Date;
  readonly leaseMs: number;
  /** The delay from a round to the next one. */
  readonly everyMs: number;
}

/**
 * Takes the lease of a due piece of work that is not leased. Of several concurrent calls one gets it; the lease of a
 * dead process expires. A due time beyond the possible maximum was written before the clock was set back.
 * @returns null if it is not due, or leased.
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
 * Locks a lease until the transaction ends, and extends it: no other process takes it during that time.
 * @returns false if another process has taken it; then nothing may be stored on its strength.
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

/** Returns a lease. @param dueAt when the next round is due; null after an incomplete one. */
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
