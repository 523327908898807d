import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Tables that servers on one database share to work: jobs, limits, usage, and its master keys. */
export function operationTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  keyedTable,
  sweepsEarly,
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
    // The targets of moved counters, whose gaps are no errors.
    sql`create table counter_moves (
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      next_sequential ${integer} not null,
      moved_at ${bigint} not null,
      primary key (issuer_id, environment, document_type, next_sequential)
    ) ${keyedTable}`,
    sql`create table jobs (
      id ${uuid} primary key,
      kind ${text} not null,
      subject ${text} not null,
      lane ${text} not null,
      tenant_id ${uuid} references tenants (id),
      status ${text} not null,
      attempt_count ${integer} not null,
      due_at ${bigint} not null,
      ready_at ${bigint} not null,
      lease_until ${bigint},
      lease_token ${bigint} not null,
      last_status ${integer},
      last_error ${text},
      created_at ${bigint} not null,
      done_at ${bigint}
    ) ${rowTable}`,
    // These hold only pending and failed jobs, which are few.
    sql`create index jobs_ready on jobs (kind, ready_at, id) where status = 'PENDING'`,
    sql`create index jobs_waiting on jobs (kind, lane, ready_at, id) where status = 'PENDING'`,
    sql`create index jobs_failed on jobs (kind, created_at, id) where status = 'FAILED'`,
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
    ...sweepsEarly('jobs'),
  ];
}
