import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Accounts and their history. */
export function accountTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table tenants (
      id ${uuid} primary key,
      email ${text} not null,
      email_key ${text} not null unique,
      ruc ${text} not null unique,
      subscription_tier ${text} not null,
      status ${text} not null,
      status_before_suspension ${text},
      suspension_reason ${text},
      environment ${text} not null,
      language ${text} not null,
      verification_redirect_url ${text},
      agreement_accepted_at ${bigint},
      agreement_version ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      agreements_due ${integer} not null default 1,
      recovered_at ${bigint}
    ) ${rowTable}`,
    // An account may lack a copy of something published while `agreements_due` is 1.
    sql`create index tenants_agreements_due on tenants (agreements_due, id)`,
    sql`create table tenant_events (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      event_type ${text} not null,
      detail ${text},
      created_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index tenant_events_order on tenant_events (tenant_id, created_at, id)`,
  ];
}
