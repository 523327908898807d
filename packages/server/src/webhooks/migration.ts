import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Endpoints of accounts, and the messages to them. */
export function webhookTables({
  columns: { uuid, text, integer, bigint, bytes },
  rowTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table webhook_endpoints (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      url ${text} not null,
      event_types ${text} not null,
      active ${integer} not null,
      listed ${integer} not null,
      secret_version ${integer} not null,
      secret ${text} not null,
      former_secret ${text},
      former_until ${bigint},
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index webhook_endpoints_tenant on webhook_endpoints (tenant_id, active)`,
    sql`create table webhook_messages (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      notification_id ${uuid},
      event_at ${bigint} not null,
      data ${bytes} not null
    ) ${rowTable}`,
    // A delivery is a job in the lane of its endpoint. Past deliveries of an endpoint are listed by their ids.
    sql`alter table jobs add column message_id ${uuid} references webhook_messages (id)`,
    sql`create index jobs_deliveries on jobs (lane, id, status) where kind = 'WEBHOOK'`,
  ];
}
