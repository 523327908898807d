import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** How many mails of documents an account sent in a day, and mails that wait until one may go out. */
export const mailLimits: Migration = {
  name: '024-mail-limits',
  async up(transaction, { columns: { text, integer }, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table mail_days (
        tenant_id ${text} not null references tenants (id),
        environment ${text} not null,
        day ${text} not null,
        mail_count ${integer} not null,
        primary key (tenant_id, environment, day)
      ) ${keyedTable}`,
      sql`alter table mail_outbox add column counted_on ${text}`,
      sql`create index mail_outbox_held on mail_outbox (tenant_id, environment, created_at)
        where status in ('UNVERIFIED', 'OVER_LIMIT')`,
      sql`create index mail_outbox_over_limit on mail_outbox (due_at) where status = 'OVER_LIMIT'`,
      sql`drop index mail_outbox_issuer`,
      sql`create index mail_outbox_issuer on mail_outbox (issuer_id, environment, created_at)
        where status in ('PENDING', 'FAILED', 'UNVERIFIED', 'OVER_LIMIT')`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
