import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** What accounts are told, in which order, and what they switched off. */
export const notifications: Migration = {
  name: '009-notifications',
  async up(transaction, { columns: { text, integer, bigint }, rowTable, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table notifications (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
        issuer_id ${text},
        environment ${text},
        type ${text} not null,
        severity ${text} not null,
        title ${text} not null,
        message ${text} not null,
        metadata ${text},
        read_at ${bigint},
        expires_at ${bigint},
        created_at ${bigint} not null
      ) ${rowTable}`,
      sql`create index notifications_tenant on notifications (tenant_id, id)`,
      sql`create index notifications_issuer on notifications (tenant_id, issuer_id, type, id)`,
      sql`create table notification_cursors (
        tenant_id ${text} not null references tenants (id),
        last_id ${text} not null,
        primary key (tenant_id)
      ) ${keyedTable}`,
      sql`create table notification_preferences (
        tenant_id ${text} not null references tenants (id),
        type ${text} not null,
        channel ${text} not null,
        enabled ${integer} not null,
        primary key (tenant_id, type, channel)
      ) ${keyedTable}`,
      // What ends soon is looked for every hour.
      sql`create index issuer_certificates_end on issuer_certificates (valid_to)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
