import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Indexes of mails hold those that wait or were given up, which are few, and nothing that changes when one is taken. */
export const outbox: Migration = {
  name: '016-outbox',
  async up(transaction, { sweepsEarly }: DialectTraits) {
    const statements = [
      sql`drop index mail_outbox_turn`,
      sql`create index mail_outbox_turn on mail_outbox (due_at, tenant_id) where status = 'PENDING'`,
      sql`drop index mail_outbox_issuer`,
      sql`create index mail_outbox_issuer on mail_outbox (issuer_id, environment, created_at)
        where status in ('PENDING', 'FAILED')`,
      sql`create index mail_outbox_failed on mail_outbox (created_at) where status = 'FAILED'`,
      ...sweepsEarly('mail_outbox'),
      ...sweepsEarly('notifications'),
      ...sweepsEarly('webhook_deliveries'),
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
