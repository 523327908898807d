import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Recoveries that wait for their verification, and the keys that come back when one is undone. */
export const recoveries: Migration = {
  name: '019-recoveries',
  async up(transaction, { columns: { text, bigint }, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table account_recoveries (
        token_hash ${text} primary key,
        id ${text} not null,
        tenant_id ${text} not null references tenants (id),
        previous_status ${text} not null,
        created_at ${bigint} not null,
        expires_at ${bigint} not null
      ) ${keyedTable}`,
      sql`create index account_recoveries_tenant on account_recoveries (tenant_id, created_at)`,
      sql`alter table api_keys add column set_aside_by ${text}`,
      sql`alter table tenants add column recovered_at ${bigint}`,
      sql`update tenants set recovered_at = (
          select max(created_at) from tenant_events
          where tenant_events.tenant_id = tenants.id and event_type = 'ACCOUNT_RECOVERED')
        where status = 'PENDING_VERIFICATION' or status_before_suspension = 'PENDING_VERIFICATION'`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
