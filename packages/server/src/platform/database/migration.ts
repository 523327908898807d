import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Tables that servers on one database share to work: limits, usage, leases, and its master keys. */
export function operationTables({
  columns: { uuid, text, integer, bigint },
  keyedTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table rate_limits (
      bucket ${text} primary key,
      uses ${bigint} not null,
      hits ${text} not null,
      expires_at ${bigint} not null
    ) ${keyedTable}`,
    sql`create index rate_limits_expiry on rate_limits (expires_at)`,
    sql`create table document_usage (
      tenant_id ${uuid} not null references tenants (id),
      environment ${text} not null,
      period ${text} not null,
      document_count ${bigint} not null,
      primary key (tenant_id, environment, period)
    ) ${keyedTable}`,
    // The targets of moved counters: such a gap is not an error.
    sql`create table counter_moves (
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      next_sequential ${integer} not null,
      moved_at ${bigint} not null,
      primary key (issuer_id, environment, document_type, next_sequential)
    ) ${keyedTable}`,
    // The process that does a piece of timed work, and its next due time.
    sql`create table task_leases (
      name ${text} primary key,
      holder ${text} not null,
      token ${bigint} not null,
      lease_until ${bigint} not null,
      due_at ${bigint} not null
    ) ${keyedTable}`,
    // The master keys that seal the database: one row, read by each transaction that seals.
    sql`create table remembered_keys (
      name ${text} primary key,
      check_values ${text} not null,
      sealed_at ${bigint} not null
    ) ${keyedTable}`,
    sql`insert into remembered_keys (name, check_values, sealed_at) values ('master', '{}', 0)`,
    // A row that servers write to test whether writes succeed.
    sql`create table write_probes (
      name ${text} primary key,
      written_at ${bigint} not null
    ) ${keyedTable}`,
    sql`insert into write_probes (name, written_at) values ('readiness', 0)`,
  ];
}
