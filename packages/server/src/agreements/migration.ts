import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Published agreements, and each account's own copies of them with the evidence of their acceptance. */
export function agreementTables({ columns: { uuid, text, bigint }, rowTable }: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table agreement_versions (
      id ${uuid} primary key,
      document_type ${text} not null,
      version ${text} not null,
      content_es ${text} not null,
      content_en ${text} not null,
      published_at ${bigint} not null,
      unique (document_type, version)
    ) ${rowTable}`,
    sql`create table tenant_agreements (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
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
  ];
}
