import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** The outbox, and the daily count of document mails of each account. */
export function mailTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  keyedTable,
  sweepsEarly,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table mail_outbox (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      kind ${text} not null,
      recipient ${text} not null,
      language ${text} not null,
      data ${text} not null,
      master_key_id ${text},
      wrapped_key ${text},
      sealed_token ${text},
      status ${text} not null,
      attempt_count ${integer} not null,
      due_at ${bigint} not null,
      lease_until ${bigint} not null,
      lease_token ${bigint} not null,
      last_error ${text},
      created_at ${bigint} not null,
      sent_at ${bigint},
      document_id ${uuid},
      issuer_id ${text},
      environment ${text},
      access_key ${text},
      authorization_of ${uuid},
      requested ${integer} not null default 0,
      reports ${text} not null default '',
      counted_on ${text}
    ) ${rowTable}`,
    // An authorization causes one mail to each address; a copy on request has null here.
    sql`create unique index mail_outbox_authorization on mail_outbox (authorization_of, recipient)`,
    // These indexes hold only pending and failed mails, which are few, and no column that a claim changes.
    sql`create index mail_outbox_turn on mail_outbox (due_at, tenant_id) where status = 'PENDING'`,
    sql`create index mail_outbox_failed on mail_outbox (created_at) where status = 'FAILED'`,
    sql`create index mail_outbox_held on mail_outbox (tenant_id, environment, created_at)
      where status in ('UNVERIFIED', 'OVER_LIMIT')`,
    sql`create index mail_outbox_over_limit on mail_outbox (due_at) where status = 'OVER_LIMIT'`,
    sql`create index mail_outbox_issuer on mail_outbox (issuer_id, environment, created_at)
      where status in ('PENDING', 'FAILED', 'UNVERIFIED', 'OVER_LIMIT')`,
    sql`create index mail_outbox_master_key on mail_outbox (master_key_id, id) where master_key_id is not null`,
    sql`create table mail_days (
      tenant_id ${uuid} not null references tenants (id),
      environment ${text} not null,
      day ${text} not null,
      mail_count ${integer} not null,
      primary key (tenant_id, environment, day)
    ) ${keyedTable}`,
    ...sweepsEarly('mail_outbox'),
  ];
}
