import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Endpoints of accounts, and the messages to them. */
export function webhookTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  sweepsEarly,
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
      event ${text} not null,
      event_at ${bigint} not null,
      data ${text} not null
    ) ${rowTable}`,
    sql`create table webhook_deliveries (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      endpoint_id ${uuid} not null references webhook_endpoints (id),
      message_id ${uuid} not null references webhook_messages (id),
      status ${text} not null,
      attempt_count ${integer} not null,
      due_at ${bigint} not null,
      lease_until ${bigint} not null,
      lease_token ${bigint} not null,
      last_status ${integer},
      last_error ${text},
      created_at ${bigint} not null,
      delivered_at ${bigint}
    ) ${rowTable}`,
    sql`create index webhook_deliveries_failed on webhook_deliveries (created_at, id) where status = 'FAILED'`,
    // Holds only pending deliveries, by endpoint, so that a queue of one endpoint hides no other.
    sql`create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, due_at) where status = 'PENDING'`,
    sql`create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id)`,
    ...sweepsEarly('webhook_deliveries'),
  ];
}
