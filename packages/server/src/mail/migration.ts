import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** The columns of mails in the jobs, and the daily count of document mails of each account. */
export function mailTables({ columns: { uuid, text, integer }, keyedTable }: DialectTraits): RawBuilder<unknown>[] {
  return [
    ...[
      sql`recipient ${text}`,
      sql`language ${text}`,
      sql`data ${text}`,
      sql`master_key_id ${text}`,
      sql`wrapped_key ${text}`,
      sql`sealed_token ${text}`,
      sql`document_id ${uuid}`,
      sql`issuer_id ${text}`,
      sql`environment ${text}`,
      sql`access_key ${text}`,
      sql`authorization_of ${uuid}`,
      sql`requested ${integer}`,
      sql`reports ${text}`,
      sql`counted_on ${text}`,
    ].map((column) => sql`alter table jobs add column ${column}`),
    // An authorization causes one mail to each address; a copy on request has null here.
    sql`create unique index jobs_authorization on jobs (authorization_of, recipient) where authorization_of is not null`,
    // These hold only mails that wait or failed, which are few, and no column that a claim changes.
    sql`create index jobs_held on jobs (tenant_id, environment, created_at)
      where status in ('UNVERIFIED', 'OVER_LIMIT')`,
    sql`create index jobs_over_limit on jobs (due_at) where status = 'OVER_LIMIT'`,
    sql`create index jobs_issuer on jobs (issuer_id, environment, created_at)
      where issuer_id is not null and status in ('PENDING', 'FAILED', 'UNVERIFIED', 'OVER_LIMIT')`,
    sql`create index jobs_master_key on jobs (master_key_id, id) where master_key_id is not null`,
    sql`create table mail_days (
      tenant_id ${uuid} not null references tenants (id),
      environment ${text} not null,
      day ${text} not null,
      mail_count ${integer} not null,
      primary key (tenant_id, environment, day)
    ) ${keyedTable}`,
  ];
}
