import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Sessions that were signed out. */
export function sessionTables({ columns: { uuid, bigint }, keyedTable }: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table ended_sessions (
      id ${uuid} primary key,
      expires_at ${bigint} not null
    ) ${keyedTable}`,
    sql`create index ended_sessions_expiry on ended_sessions (expires_at)`,
  ];
}
