import { type DialectTraits, type LaneDemand, type LeaseTerms, readReadyJobs } from 'sri-storage-adapters';
import type { Tables } from '../platform/database/tables.js';
import { claimJobs, type JobKind, type JobRow, queueOf } from '../platform/jobs/job-rows.js';

/** Claims ready jobs of lanes, as a worker does. */
export async function claimReady(
  tables: Tables,
  traits: DialectTraits,
  kind: JobKind,
  wishes: readonly LaneDemand[],
  terms: LeaseTerms,
): Promise<readonly JobRow[]> {
  const look = { from: null, after: '', limit: 1_000 };
  const ready = await readReadyJobs(tables, queueOf(kind), terms.now, look);
  const jobs = await ready.of(tables, wishes);
  return claimJobs(
    tables,
    traits,
    kind,
    jobs.map(({ id }) => id),
    terms,
  );
}
