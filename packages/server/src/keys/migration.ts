import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** API keys with their use. */
export function keyTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  keyedTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table api_keys (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      token_hash ${text} not null unique,
      last4 ${text} not null,
      label ${text},
      environment ${text} not null,
      scopes ${text} not null,
      active ${integer} not null,
      listed ${integer} not null,
      request_count ${bigint} not null,
      last_used_at ${bigint},
      created_at ${bigint} not null,
      revoked_at ${bigint},
      set_aside_by ${uuid}
    ) ${rowTable}`,
    sql`create index api_keys_tenant on api_keys (tenant_id, created_at)`,
    sql`create table api_key_usage (
      key_id ${uuid} not null references api_keys (id),
      day ${text} not null,
      request_count ${bigint} not null,
      primary key (key_id, day)
    ) ${keyedTable}`,
  ];
}
