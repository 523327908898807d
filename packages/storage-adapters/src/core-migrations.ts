import { type RawBuilder, sql } from 'kysely';
import type { Migration, MigrationPlan } from './migrator.js';
import { scopeNumberOfRow } from './scope-numbers.js';
import type { DialectTraits } from './traits.js';

/** Documents with their keys, contents, history and figures; jobs, counters, and how the SRI's hosts stand. */
const documents: Migration = {
  name: '001-documents',
  async up(transaction, traits) {
    const swept = ['sri_documents', 'sri_jobs', 'sri_counts', 'sri_figures'].flatMap(traits.sweepsEarly);
    for (const statement of [...tables(traits), ...walls(traits), ...indexes(traits), ...swept]) {
      await statement.execute(transaction);
    }
  },
};

/** The steps of core's own tables. */
export const CORE_MIGRATIONS: MigrationPlan = { namespace: 'sri-core', migrations: [documents] };

// --- internal ---

function tables(traits: DialectTraits) {
  const { columns, rowTable, keyedTable } = traits;
  const { text, integer, bigint, bytes } = columns;
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
      buyer_email ${text},
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
      created_at ${bigint} not null${historyKey(traits)}
    ) ${keyedTable}`,
    sql`create table sri_responses (
      document_id ${text} not null references sri_documents (id) on delete cascade,
      revision ${integer} not null,
      position ${integer} not null,
      id ${text} not null,
      operation_type ${text} not null,
      status ${text} not null,
      messages ${text},
      created_at ${bigint} not null${historyKey(traits)}
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
    // How many documents there are and what they add up to.
    sql`create table sri_figures (
      issuer_id ${text} not null,
      environment ${text} not null,
      status ${text} not null,
      document_type ${text} not null,
      issue_date ${text} not null,
      created_day ${integer} not null,
      documents ${integer} not null,
      total_cents ${bigint} not null,
      primary key (issuer_id, environment, status, document_type, issue_date, created_day)
    ) ${keyedTable}`,
    // How many documents share a name, a word of it, letters of it, the first digits of a number, a status or a day.
    sql`create table sri_counts (
      issuer_id ${text} not null,
      environment ${text} not null,
      kind ${text} not null,
      entry ${text} not null,
      documents ${integer} not null,
      name_id ${bigint},
      primary key (issuer_id, environment, kind, entry)
    ) ${keyedTable}`,
    sql`create table sri_name_words (
      word_id ${bigint} not null,
      name_id ${bigint} not null,
      primary key (word_id, name_id)
    ) ${keyedTable}`,
    // What all processes know together of the SRI's hosts.
    sql`create table sri_hosts (
      environment ${text} primary key,
      state ${text} not null,
      revision ${integer} not null
    ) ${keyedTable}`,
  ];
}

/**
 * The key of a history, where rows lie in its order. Elsewhere rows are found by their document: all of a document's share
 * one entry, and the lock on the document keeps a revision from being written twice.
 */
function historyKey({ keepsKeysApart }: DialectTraits): RawBuilder<unknown> {
  return keepsKeysApart
    ? sql``
    : sql`,
      primary key (document_id, revision, position)`;
}

/**
 * No number is given twice and no order made twice. Two scopes that share a scope number are refused more than needed,
 * never less.
 */
function walls(traits: DialectTraits): RawBuilder<unknown>[] {
  const scope = scopeNumberOfRow(traits);
  if (scope) {
    return [
      sql`create unique index sri_documents_number on sri_documents ((${scope}), sequential, document_type)`,
      sql`create unique index sri_documents_idempotency on sri_documents (idempotency_key, (${scope}))
        where idempotency_key is not null`,
    ];
  }
  return [
    // With the number before the type it also serves the order by number.
    sql`create unique index sri_documents_number
      on sri_documents (issuer_id, environment, sequential, document_type)`,
    sql`create unique index sri_documents_idempotency
      on sri_documents (issuer_id, environment, idempotency_key) where idempotency_key is not null`,
  ];
}

/** With the id they hold the whole order of a list; with type, number and name most filters need nothing else. */
function indexes(traits: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create index sri_dictionaries_use
      on sri_dictionaries (issuer_id, environment, document_type, certificate)`,
    sql`create index sri_jobs_ready on sri_jobs (ready_at)`,
    sql`create index sri_jobs_turn on sri_jobs (issuer_id, ready_at)`,
    sql`create index sri_documents_created
      on sri_documents (issuer_id, environment, created_at, id, document_type, sequential_digits)`,
    ...(traits.rewritesIndexes ? unchangingIndexes() : indexesWithStatus()),
    ...(traits.keepsKeysApart ? histories() : []),
    sql`create index sri_documents_original
      on sri_documents (issuer_id, environment, original_number) where original_number is not null`,
    sql`create index sri_jobs_failed on sri_jobs (issuer_id) where status = 'FAILED'`,
    // Documents whose authorization came with a text that was not kept.
    sql`create index sri_events_copies on sri_events (document_id) where event_type = 'SRI_COPY_REFUSED'`,
  ];
}

function indexesWithStatus(): RawBuilder<unknown>[] {
  return [
    sql`create index sri_documents_buyer
      on sri_documents (issuer_id, environment, buyer_name_folded, created_at, id, document_type, status, issue_date)`,
    sql`create index sri_counts_name on sri_counts (name_id, documents) where name_id is not null`,
    sql`create index sri_documents_status on sri_documents
      (issuer_id, environment, status, created_at, id, document_type, sequential_digits, buyer_name_folded)`,
    sql`create index sri_documents_issued on sri_documents
      (issuer_id, environment, issue_date, created_at, id, document_type, status, sequential_digits, buyer_name_folded)`,
  ];
}

/**
 * What changes is in no index. The database then knows that the entry of a changed row equals the one of its dead version,
 * lets both share one, and removes that when the page is full. Nearly all documents are authorized in the end; those are
 * found in the order of their creation.
 */
function unchangingIndexes(): RawBuilder<unknown>[] {
  return [
    sql`create index sri_documents_buyer on sri_documents
      (issuer_id, environment, buyer_name_folded, created_at, id, document_type, issue_date)`,
    sql`create index sri_counts_name on sri_counts (name_id) where name_id is not null`,
    sql`create index sri_documents_status on sri_documents
      (issuer_id, environment, status, created_at, id, document_type, sequential_digits, buyer_name_folded)
      where status <> 'AUTHORIZED'`,
    sql`create index sri_documents_issued on sri_documents
      (issuer_id, environment, issue_date, created_at, id, document_type, sequential_digits, buyer_name_folded)`,
  ];
}

function histories(): RawBuilder<unknown>[] {
  return ['sri_events', 'sri_responses'].map(
    (table) => sql`create index ${sql.ref(`${table}_document`)} on ${sql.table(table)} (document_id)`,
  );
}
