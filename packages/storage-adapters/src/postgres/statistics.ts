import { type Kysely, sql } from 'kysely';
import type { CoreTables } from '../sql/schema.js';

/** Keeps PostgreSQL's statistics in step with tables that fill fast. */
export interface Statistics {
  /** Counts finished writes of documents. Some start an analysis, which sees them and runs beside later writes. */
  wrote(count: number): void;
}

/**
 * Autovacuum analyzes a table once a minute at most. Until the first analysis the planner expects many rows per key,
 * since no unique index is on a key alone. It then reads whole tables, and a database that is filled in its first
 * minute stalls for seconds.
 */
export function createStatistics(db: Kysely<CoreTables>): Statistics {
  let written = 0;
  let next = FIRST_LOOK;
  return {
    wrote(count) {
      written += count;
      if (written < next) return;
      next = written * GROWTH;
      // When it fails, autovacuum updates the statistics later.
      analyzeGrown(db, written / GROWTH).catch(() => {});
    },
  };
}

// --- internal ---

/** The writes before the first look, and their growth from one look to the next. */
const FIRST_LOOK = 256;
const GROWTH = 4;

/** Tables whose rows are read or changed by keys while documents are issued. */
const TABLES = [
  'sri_documents',
  'sri_access_keys',
  'sri_contents',
  'sri_jobs',
  'sri_events',
  'sri_names',
] as const satisfies readonly (keyof CoreTables)[];

/** Analyzes the tables unless the last analysis saw more documents. */
async function analyzeGrown(db: Kysely<CoreTables>, documents: number): Promise<void> {
  const { rows } = await sql<{ analyzed: number }>`select reltuples as analyzed from pg_class
    where oid = to_regclass('sri_documents')`.execute(db);
  if ((rows[0]?.analyzed ?? 0) > documents) return;
  await sql`analyze (skip_locked) ${sql.join(TABLES.map((table) => sql.table(table)))}`.execute(db);
}
