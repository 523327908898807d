import { type RawBuilder, sql } from 'kysely';
import type { Migration } from '../migrator.js';

/**
 * Takes less of the disk where a key is kept beside its rows, and where a change leaves the row as it was behind, dead,
 * and its entries in every index with it.
 */
export const compact: Migration = {
  name: '006-compact',
  async up(transaction, { keepsKeysApart, rewritesIndexes, sweepsEarly }) {
    const statements = [
      ...(keepsKeysApart ? histories() : []),
      ...(rewritesIndexes ? indexes() : []),
      ...['sri_documents', 'sri_jobs', 'sri_counts', 'sri_figures'].flatMap(sweepsEarly),
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};

// --- internal ---

/**
 * Rows of a history are found by their document, and all of a document's share one entry, which with the whole key had
 * one each. That a revision is written once is seen to by the lock on its document.
 */
function histories(): RawBuilder<unknown>[] {
  return ['sri_events', 'sri_responses'].flatMap((table) => [
    sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_pkey`)}`,
    sql`create index ${sql.ref(`${table}_document`)} on ${sql.table(table)} (document_id)`,
  ]);
}

/**
 * What changes is no part of a key: then the database knows that an entry it is about to add is the same as one of a dead
 * row, lets both share one, and takes that out when the page is full. Else pages of documents that went through four
 * statuses would stay three quarters empty for good. Names, which come in any order, fill such pages again, and keep the
 * status beside their keys for whoever looks for both.
 */
function indexes(): RawBuilder<unknown>[] {
  return [
    sql`drop index sri_documents_issued`,
    sql`drop index sri_documents_buyer`,
    sql`create index sri_documents_issued on sri_documents
      (issuer_id, environment, issue_date, created_at, id, document_type, sequential_digits, buyer_name_folded)`,
    sql`create index sri_documents_buyer on sri_documents (issuer_id, environment, buyer_name_folded, created_at, id)
      include (document_type, status, issue_date)`,
  ];
}
