import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Issuers with their logos, document types and certificates. */
export function issuerTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  keyedTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    // A taxpayer numbers the documents of a branch and point once, so the pair is unique, in use or not.
    sql`create table issuers (
      id ${text} primary key,
      tenant_id ${uuid} not null references tenants (id),
      ruc ${text} not null,
      business_name ${text} not null,
      trade_name ${text},
      main_address ${text},
      branch_code ${text} not null,
      issue_point_code ${text} not null,
      branch_address ${text},
      required_accounting ${integer} not null,
      special_taxpayer ${text},
      withholding_agent ${text},
      rimpe ${text},
      can_issue ${integer} not null,
      active ${integer} not null,
      logo_hash ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      unique (ruc, branch_code, issue_point_code)
    ) ${rowTable}`,
    sql`create index issuers_tenant on issuers (tenant_id, created_at)`,
    sql`create table issuer_logos (
      issuer_id ${text} primary key references issuers (id),
      image ${text} not null
    ) ${rowTable}`,
    sql`create table issuer_document_types (
      issuer_id ${text} not null references issuers (id),
      document_type ${text} not null,
      active ${integer} not null,
      initial_sequential ${integer},
      primary key (issuer_id, document_type)
    ) ${keyedTable}`,
    sql`create table issuer_certificates (
      issuer_id ${text} primary key references issuers (id),
      tenant_id ${uuid} not null references tenants (id),
      fingerprint ${text} not null,
      ruc ${text},
      valid_from ${bigint} not null,
      valid_to ${bigint} not null,
      certificate ${text} not null,
      chain ${text} not null,
      key_version ${integer} not null,
      master_key_id ${text} not null,
      wrapped_key ${text} not null,
      sealed_key ${text} not null,
      created_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index issuer_certificates_end on issuer_certificates (valid_to, issuer_id)`,
    sql`create index issuer_certificates_master_key on issuer_certificates (master_key_id, issuer_id)`,
  ];
}
