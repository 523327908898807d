import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Notifications of accounts, their order, and preferences. */
export function notificationTables(traits: DialectTraits): RawBuilder<unknown>[] {
  const { columns, rowTable, keyedTable, keepsKeysApart, sweepsEarly } = traits;
  const { uuid, text, integer, bigint } = columns;
  const key = keepsKeysApart ? sql`tenant_id, id` : sql`id`;
  return [
    sql`create table notifications (
      id ${uuid} not null,
      tenant_id ${uuid} not null references tenants (id),
      issuer_id ${text},
      environment ${text},
      type ${text} not null,
      severity ${text} not null,
      title ${text} not null,
      message ${text} not null,
      metadata ${text},
      read_at ${bigint},
      expires_at ${bigint},
      created_at ${bigint} not null,
      primary key (${key})
    ) ${rowTable}`,
    // The index of the list. Where keys are stored apart, the key itself serves.
    ...(keepsKeysApart ? [] : [sql`create index notifications_tenant on notifications (tenant_id, id)`]),
    // Nearly all notifications are about authorizations, which are only searched by time.
    sql`create index notifications_issuer on notifications (tenant_id, issuer_id, type, id)
      where type <> 'DOCUMENT_AUTHORIZED'`,
    sql`create index notifications_expiry on notifications (expires_at) where expires_at is not null`,
    sql`create table notification_cursors (
      tenant_id ${uuid} not null references tenants (id),
      last_id ${uuid} not null,
      primary key (tenant_id)
    ) ${keyedTable}`,
    sql`create table notification_preferences (
      tenant_id ${uuid} not null references tenants (id),
      type ${text} not null,
      channel ${text} not null,
      enabled ${integer} not null,
      primary key (tenant_id, type, channel)
    ) ${keyedTable}`,
    ...sweepsEarly('notifications'),
  ];
}
