import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Published agreements, and each account's own copies of them with the evidence of their acceptance. */
export const agreements: Migration = {
  name: '006-agreements',
  async up(transaction, { columns: { text, integer, bigint }, rowTable }: DialectTraits) {
    const statements = [
      sql`create table agreement_versions (
        id ${text} primary key,
        document_type ${text} not null,
        version ${text} not null,
        content_es ${text} not null,
        content_en ${text} not null,
        published_at ${bigint} not null,
        unique (document_type, version)
      ) ${rowTable}`,
      sql`create table tenant_agreements (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
        document_type ${text} not null,
        template_version ${text} not null,
        language ${text} not null,
        status ${text} not null,
        content ${text} not null,
        content_sha256 ${text} not null,
        generated_at ${bigint} not null,
        accepted_at ${bigint},
        accepted_by_name ${text},
        accepted_from_address ${text},
        accepted_user_agent ${text},
        unique (tenant_id, document_type, template_version)
      ) ${rowTable}`,
      // 1 while an account may lack a copy of something published. New accounts begin so.
      sql`alter table tenants add column agreements_due ${integer} not null default 1`,
      sql`create index tenants_agreements_due on tenants (agreements_due, id)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
