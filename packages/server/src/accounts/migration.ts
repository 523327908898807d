import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Accounts with their issuers, certificates, history and recoveries. */
export function accountTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
  keyedTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table tenants (
      id ${uuid} primary key,
      email ${text} not null,
      email_key ${text} not null unique,
      ruc ${text} not null unique,
      subscription_tier ${text} not null,
      status ${text} not null,
      status_before_suspension ${text},
      suspension_reason ${text},
      environment ${text} not null,
      language ${text} not null,
      verification_redirect_url ${text},
      agreement_accepted_at ${bigint},
      agreement_version ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      agreements_due ${integer} not null default 1,
      recovered_at ${bigint}
    ) ${rowTable}`,
    // An account may lack a copy of something published while `agreements_due` is 1.
    sql`create index tenants_agreements_due on tenants (agreements_due, id)`,
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
    sql`create index issuer_certificates_end on issuer_certificates (valid_to)`,
    sql`create index issuer_certificates_master_key on issuer_certificates (master_key_id, issuer_id)`,
    sql`create table tenant_events (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      event_type ${text} not null,
      detail ${text},
      created_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index tenant_events_order on tenant_events (tenant_id, created_at, id)`,
    sql`create table account_recoveries (
      token_hash ${text} primary key,
      id ${uuid} not null,
      tenant_id ${uuid} not null references tenants (id),
      previous_status ${text} not null,
      created_at ${bigint} not null,
      expires_at ${bigint} not null
    ) ${keyedTable}`,
    sql`create index account_recoveries_tenant on account_recoveries (tenant_id, created_at)`,
  ];
}
