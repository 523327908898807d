import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from '../sql/traits.js';
import type { Migration, MigrationPlan } from './migrator.js';

/** Documents with their keys, contents, history and figures; jobs, counters, and how the SRI's hosts stand. */
const documents: Migration = {
  name: '001-documents',
  async up(transaction, traits) {
    const swept = ['sri_documents', 'sri_jobs', 'sri_figures', 'sri_names', 'sri_blocks'].flatMap(traits.sweepsEarly);
    for (const statement of [...tables(traits), ...walls(), ...indexes(), ...swept]) {
      await statement.execute(transaction);
    }
  },
};

/** The steps of core's own tables. */
export const CORE_MIGRATIONS: MigrationPlan = { namespace: 'sri-core', migrations: [documents] };

// --- internal ---

function tables(traits: DialectTraits) {
  const { columns, rowTable, contentsTable, keyedTable } = traits;
  const { uuid, text, integer, bigint, bytes } = columns;
  return [
    sql`create table sri_documents (
      id ${uuid} not null,
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      sequential ${integer} not null,
      access_key ${text} not null,
      status ${text} not null,
      status_group ${text},
      issue_date ${text} not null,
      total_cents ${bigint} not null,
      counterparty_id_type ${text},
      counterparty_id ${text} not null,
      counterparty_name ${text} not null,
      counterparty_name_folded ${text} not null,
      counterparty_email ${text},
      mail_copies ${text},
      modifies_type ${text},
      modifies_number ${text},
      authorization_number ${text},
      authorization_date ${text},
      void_reason ${text},
      voided_at ${bigint},
      mail_status ${text} not null,
      mail_sent_at ${bigint},
      mail_error ${text},
      idempotency_key ${text},
      payload_hash ${text} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      revision ${integer} not null,
      primary key (id, issuer_id)
    ) ${rowTable}`,
    // No reference to the document, because the database would need an index on it to let a document be deleted.
    sql`create table sri_access_keys (
      access_key ${text} not null,
      issuer_id ${text} not null,
      document_id ${uuid} not null,
      primary key (access_key, issuer_id)
    ) ${keyedTable}`,
    sql`create table sri_contents (
      document_id ${uuid} not null,
      issuer_id ${text} not null,
      signed_xml ${bytes} not null,
      request_payload ${bytes} not null,
      authorized_xml ${bytes},
      primary key (document_id, issuer_id),
      ${ofDocument}
    ) ${contentsTable}`,
    sql`create table sri_events (
      document_id ${uuid} not null,
      issuer_id ${text} not null,
      revision ${integer} not null,
      position ${integer} not null,
      event_type ${text} not null,
      from_status ${text},
      to_status ${text},
      detail ${text},
      created_at ${bigint} not null,
      primary key (document_id, revision, position, issuer_id),
      ${ofDocument}
    ) ${keyedTable}`,
    sql`create table sri_responses (
      document_id ${uuid} not null,
      issuer_id ${text} not null,
      revision ${integer} not null,
      position ${integer} not null,
      operation_type ${text} not null,
      status ${text} not null,
      messages ${text},
      created_at ${bigint} not null,
      primary key (document_id, revision, position, issuer_id),
      ${ofDocument}
    ) ${keyedTable}`,
    sql`create table sri_jobs (
      document_id ${uuid} not null,
      issuer_id ${text} not null,
      operation ${text} not null,
      status ${text} not null,
      due_at ${bigint},
      attempt_count ${integer} not null,
      last_error ${text},
      unconfirmed ${integer} not null,
      lease_token ${bigint} not null,
      lease_until ${bigint},
      ready_at ${bigint},
      primary key (document_id, issuer_id),
      ${ofDocument}
    ) ${keyedTable}`,
    sql`create table sri_sequentials (
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      next_sequential ${integer} not null,
      primary key (issuer_id, environment, document_type)
    ) ${keyedTable}`,
    // Counts and sums of documents. A figure is the sum of its parts, here and in the next two tables.
    sql`create table sri_figures (
      issuer_id ${text} not null,
      environment ${text} not null,
      status ${text} not null,
      document_type ${text} not null,
      issue_date ${text} not null,
      created_day ${integer} not null,
      part ${integer} not null,
      documents ${integer} not null,
      total_cents ${bigint} not null,
      primary key (issuer_id, environment, status, document_type, issue_date, created_day, part)
    ) ${keyedTable}`,
    // How many documents of a type are for a counterparty, and how many of them are authorized.
    sql`create table sri_names (
      issuer_id ${text} not null,
      environment ${text} not null,
      name ${text} not null,
      counterparty_id ${text} not null,
      document_type ${text} not null,
      part ${integer} not null,
      documents ${integer} not null,
      authorized ${integer} not null,
      primary key (issuer_id, environment, name, counterparty_id, document_type, part)
    ) ${keyedTable}`,
    // How many documents lie in each block of a sorted list.
    sql`create table sri_blocks (
      issuer_id ${text} not null,
      environment ${text} not null,
      sorted_by ${text} not null,
      block ${text} not null,
      document_type ${text} not null,
      part ${integer} not null,
      documents ${integer} not null,
      primary key (issuer_id, environment, sorted_by, block, document_type, part)
    ) ${keyedTable}`,
    // The state of the SRI's hosts, which all processes share.
    sql`create table sri_hosts (
      environment ${text} primary key,
      state ${text} not null,
      revision ${integer} not null
    ) ${keyedTable}`,
  ];
}

/** Rows go with their document. */
const ofDocument = sql`foreign key (document_id, issuer_id) references sri_documents (id, issuer_id) on delete cascade`;

/** Rejects a repeated number or idempotency key. With the number before the type, the first index also sorts lists. */
function walls(): RawBuilder<unknown>[] {
  return [
    sql`create unique index sri_documents_number
      on sri_documents (issuer_id, environment, sequential, document_type)`,
    sql`create unique index sri_documents_idempotency
      on sri_documents (issuer_id, environment, idempotency_key) where idempotency_key is not null`,
  ];
}

/**
 * The id completes the order of a list; number and total serve the counts of most searches. The status changes four times.
 * No index holds it, because PostgreSQL would then write all indexes of the document four times. The group of the status
 * changes once.
 */
function indexes(): RawBuilder<unknown>[] {
  return [
    sql`create index sri_jobs_ready on sri_jobs (ready_at)`,
    sql`create index sri_jobs_turn on sri_jobs (issuer_id, ready_at)`,
    sql`create index sri_jobs_failed on sri_jobs (issuer_id) where status = 'FAILED'`,
    sql`create index sri_documents_created on sri_documents (issuer_id, environment, created_at, id, total_cents)`,
    sql`create index sri_documents_issued
      on sri_documents (issuer_id, environment, issue_date, created_at, id, document_type, sequential, total_cents)`,
    sql`create index sri_documents_name
      on sri_documents (issuer_id, environment, counterparty_name_folded, created_at, id, counterparty_id, issue_date)`,
    sql`create index sri_documents_total on sri_documents (issuer_id, environment, total_cents)`,
    sql`create index sri_documents_status
      on sri_documents
      (issuer_id, environment, status_group, created_at, id, document_type, issue_date, sequential, total_cents)
      where status_group is not null`,
    sql`create index sri_documents_modifies
      on sri_documents (issuer_id, environment, modifies_number) where modifies_number is not null`,
    // Documents whose authorization came with a text that was not stored.
    sql`create index sri_events_copies on sri_events (document_id) where event_type = 'SRI_COPY_REFUSED'`,
  ];
}
