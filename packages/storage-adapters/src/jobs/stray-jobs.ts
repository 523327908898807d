import { sql } from 'kysely';
import type { Storage } from 'sri-core';
import type { Session } from '../sql/transaction.js';

/** Corrects the times of jobs that a clock wrote while it ran ahead. */
export interface StrayJobs {
  /** Looks for such jobs, unless it just did. A clock that jumps causes a look at once. */
  look(claim: Parameters<Storage['claimJobs']>[0]): Promise<void>;
}

/** Such jobs are at the end of the index of times, so that few other jobs are read. */
export function createStrayJobs(session: Session): StrayJobs {
  let lastLook = Number.NEGATIVE_INFINITY;
  return {
    async look({ now, longestMs }) {
      const time = now.getTime();
      if (!longestMs || Math.abs(time - lastLook) < LOOK_MS) return;
      lastLook = time;
      const stray = sql`ready_at > ${time + longestMs.PENDING}
        and (ready_at > ${time + longestMs.FAILED} or status = 'PENDING' or lease_until is not null)`;
      const found = await session.read((db) => sql`select 1 from sri_jobs where ${stray} limit 1`.execute(db));
      if (found.rows.length === 0) return;
      await session.write((transaction) =>
        sql`update sri_jobs set due_at = ${time}, ready_at = ${time}, lease_until = null
          where ${stray}`.execute(transaction),
      );
    },
  };
}

// --- internal ---

const LOOK_MS = 10_000;
