import { sql } from 'kysely';
import type { DialectTraits, Migration, MigrationPlan } from 'sri-storage-adapters';
import { agreements } from './agreement-migration.js';
import { billing } from './billing-migration.js';
import { billingTimes } from './billing-times-migration.js';
import { counterMoves } from './counter-migration.js';
import { fewerNotifications } from './fewer-notifications-migration.js';
import { leases } from './lease-migration.js';
import { mailLimits } from './mail-limits-migration.js';
import { masterKeys } from './master-key-migration.js';
import { notificationExpiry } from './notification-expiry-migration.js';
import { notifications } from './notification-migration.js';
import { operator } from './operator-migration.js';
import { outbox } from './outbox-migration.js';
import { recoveries } from './recovery-migration.js';
import { rememberedKeys } from './remembered-keys-migration.js';
import { webhooks } from './webhook-migration.js';
import { writeProbe } from './write-probe-migration.js';

const accounts: Migration = {
  name: '001-accounts',
  async up(transaction, { columns: { text, integer, bigint }, rowTable, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table tenants (
        id ${text} primary key,
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
        updated_at ${bigint} not null
      ) ${rowTable}`,
      // A branch and point of a taxpayer number their documents once, so they exist once, whether in use or not.
      sql`create table issuers (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
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
        tenant_id ${text} not null references tenants (id),
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
      sql`create table tenant_events (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
        event_type ${text} not null,
        detail ${text},
        created_at ${bigint} not null
      ) ${rowTable}`,
      sql`create index tenant_events_order on tenant_events (tenant_id, created_at, id)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

const keys: Migration = {
  name: '002-keys',
  async up(transaction, { columns: { text, integer, bigint }, rowTable, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table api_keys (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
        token_hash ${text} not null unique,
        last4 ${text} not null,
        label ${text},
        environment ${text} not null,
        scopes ${text} not null,
        active ${integer} not null,
        listed ${integer} not null,
        request_count ${bigint} not null,
        last_used_at ${bigint},
        created_at ${bigint} not null,
        revoked_at ${bigint}
      ) ${rowTable}`,
      sql`create index api_keys_tenant on api_keys (tenant_id, created_at)`,
      sql`create table api_key_usage (
        key_id ${text} not null references api_keys (id),
        day ${text} not null,
        request_count ${bigint} not null,
        primary key (key_id, day)
      ) ${keyedTable}`,
      sql`create table verification_tokens (
        token_hash ${text} primary key,
        tenant_id ${text} not null references tenants (id),
        created_at ${bigint} not null,
        expires_at ${bigint} not null,
        ended_at ${bigint}
      ) ${keyedTable}`,
      sql`create index verification_tokens_tenant on verification_tokens (tenant_id, created_at)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

const mailAndLimits: Migration = {
  name: '003-mail-and-limits',
  async up(transaction, { columns: { text, integer, bigint }, rowTable, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table mail_outbox (
        id ${text} primary key,
        tenant_id ${text} not null references tenants (id),
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
        sent_at ${bigint}
      ) ${rowTable}`,
      sql`create index mail_outbox_due on mail_outbox (status, due_at)`,
      sql`create table rate_limits (
        bucket ${text} primary key,
        uses ${bigint} not null,
        hits ${text} not null,
        expires_at ${bigint} not null
      ) ${keyedTable}`,
      sql`create index rate_limits_expiry on rate_limits (expires_at)`,
      sql`create table document_usage (
        tenant_id ${text} not null references tenants (id),
        environment ${text} not null,
        period ${text} not null,
        document_count ${bigint} not null,
        primary key (tenant_id, environment, period)
      ) ${keyedTable}`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

const documentMail: Migration = {
  name: '004-document-mail',
  async up(transaction, { columns: { text, integer } }: DialectTraits) {
    const statements = [
      sql`alter table mail_outbox add column document_id ${text}`,
      sql`alter table mail_outbox add column issuer_id ${text}`,
      sql`alter table mail_outbox add column environment ${text}`,
      sql`alter table mail_outbox add column access_key ${text}`,
      sql`alter table mail_outbox add column authorization_of ${text}`,
      sql`alter table mail_outbox add column requested ${integer} not null default 0`,
      // An authorization is told once; a copy to another address carries null here.
      sql`create unique index mail_outbox_authorization on mail_outbox (authorization_of)`,
      sql`create index mail_outbox_issuer on mail_outbox (issuer_id, environment, status, created_at)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

const mailReports: Migration = {
  name: '008-mail-reports',
  async up(transaction, { columns: { text } }: DialectTraits) {
    const statements = [
      sql`alter table mail_outbox add column reports ${text} not null default ''`,
      // The next due mail of any account but some is found in the index alone, however long the queue of those is.
      sql`drop index mail_outbox_due`,
      sql`create index mail_outbox_turn on mail_outbox (status, due_at, lease_until, tenant_id)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

/** The server's tables, step by step. A step that was released is never edited; a change is a new step. */
export const SERVER_MIGRATIONS: MigrationPlan = {
  namespace: 'sri-server',
  migrations: [
    accounts,
    keys,
    mailAndLimits,
    documentMail,
    agreements,
    mailReports,
    notifications,
    webhooks,
    billing,
    operator,
    leases,
    masterKeys,
    counterMoves,
    outbox,
    fewerNotifications,
    billingTimes,
    rememberedKeys,
    recoveries,
    notificationExpiry,
    writeProbe,
    mailLimits,
  ],
};
