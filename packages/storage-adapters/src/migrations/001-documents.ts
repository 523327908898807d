import { sql } from 'kysely';
import type { Migration } from '../migrator.js';
import type { DialectTraits } from '../traits.js';

/** Documents with their keys, contents and history, jobs and counters. */
export const documents: Migration = {
  name: '001-documents',
  async up(transaction, traits) {
    for (const statement of [...tables(traits), ...indexes()]) await statement.execute(transaction);
  },
};

// --- internal ---

function tables({ columns: { text, integer, bigint, bytes }, rowTable, keyedTable }: DialectTraits) {
  return [
    sql`create table sri_documents (
      id ${text} primary key,
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      sequential ${integer} not null,
      sequential_digits ${text} not null,
      access_key ${text} not null,
      status ${text} not null,
      issue_date ${text} not null,
      total_cents ${bigint} not null,
      buyer_id_type ${text} not null,
      buyer_id ${text} not null,
      buyer_name ${text} not null,
      buyer_name_folded ${text} not null,
      buyer_email ${text} not null,
      original_type ${text},
      original_number ${text},
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
      revision ${integer} not null
    ) ${rowTable}`,
    // No reference to the document, because the database would need an index on it to let a document be deleted.
    sql`create table sri_access_keys (
      access_key ${text} primary key,
      document_id ${text} not null
    ) ${keyedTable}`,
    sql`create table sri_dictionaries (
      id ${text} primary key,
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      certificate ${text} not null,
      body ${bytes} not null
    ) ${rowTable}`,
    sql`create table sri_contents (
      document_id ${text} primary key references sri_documents (id) on delete cascade,
      dictionary_id ${text} references sri_dictionaries (id),
      body ${bytes} not null
    ) ${rowTable}`,
    sql`create table sri_events (
      document_id ${text} not null references sri_documents (id) on delete cascade,
      revision ${integer} not null,
      position ${integer} not null,
      id ${text} not null,
      event_type ${text} not null,
      from_status ${text},
      to_status ${text},
      detail ${text},
      created_at ${bigint} not null,
      primary key (document_id, revision, position)
    ) ${keyedTable}`,
    sql`create table sri_responses (
      document_id ${text} not null references sri_documents (id) on delete cascade,
      revision ${integer} not null,
      position ${integer} not null,
      id ${text} not null,
      operation_type ${text} not null,
      status ${text} not null,
      messages ${text},
      created_at ${bigint} not null,
      primary key (document_id, revision, position)
    ) ${keyedTable}`,
    sql`create table sri_jobs (
      document_id ${text} primary key references sri_documents (id) on delete cascade,
      issuer_id ${text} not null,
      operation ${text} not null,
      status ${text} not null,
      due_at ${bigint},
      attempt_count ${integer} not null,
      last_error ${text},
      unconfirmed ${integer} not null,
      lease_token ${bigint} not null,
      lease_until ${bigint},
      ready_at ${bigint}
    ) ${keyedTable}`,
    sql`create table sri_sequentials (
      issuer_id ${text} not null,
      environment ${text} not null,
      document_type ${text} not null,
      next_sequential ${integer} not null,
      primary key (issuer_id, environment, document_type)
    ) ${keyedTable}`,
  ];
}

function indexes() {
  return [
    // The wall against a number given twice; with the number before the type it also serves the order by number.
    sql`create unique index sri_documents_number
      on sri_documents (issuer_id, environment, sequential, document_type)`,
    sql`create unique index sri_documents_idempotency
      on sri_documents (issuer_id, environment, idempotency_key) where idempotency_key is not null`,
    sql`create index sri_documents_created on sri_documents (issuer_id, environment, created_at)`,
    sql`create index sri_documents_status on sri_documents (issuer_id, environment, status, created_at)`,
    sql`create index sri_documents_issued on sri_documents (issuer_id, environment, issue_date, created_at)`,
    sql`create index sri_documents_buyer on sri_documents (issuer_id, environment, buyer_name_folded, created_at)`,
    sql`create index sri_dictionaries_use
      on sri_dictionaries (issuer_id, environment, document_type, certificate)`,
    sql`create index sri_jobs_ready on sri_jobs (ready_at)`,
    sql`create index sri_jobs_turn on sri_jobs (issuer_id, ready_at)`,
  ];
}
