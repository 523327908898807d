import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Tokens of links that verify an address, and recoveries of accounts that can be undone. */
export function onboardingTables({
  columns: { uuid, text, bigint },
  keyedTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table verification_tokens (
      token_hash ${text} primary key,
      tenant_id ${uuid} not null references tenants (id),
      created_at ${bigint} not null,
      expires_at ${bigint} not null,
      ended_at ${bigint}
    ) ${keyedTable}`,
    sql`create index verification_tokens_tenant on verification_tokens (tenant_id, created_at)`,
    sql`create table account_recoveries (
      token_hash ${text} primary key,
      id ${uuid} not null,
      tenant_id ${uuid} not null references tenants (id),
      previous_status ${text} not null,
      created_at ${bigint} not null,
      expires_at ${bigint} not null
    ) ${keyedTable}`,
    sql`create index account_recoveries_tenant on account_recoveries (tenant_id, created_at)`,
  ];
}
