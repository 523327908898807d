import { type RawBuilder, sql } from 'kysely';
import type { Migration } from '../migrator.js';
import { scopeNumberOfRow } from '../scope-numbers.js';

/**
 * Makes indexes smaller where each step that a document takes leaves an entry in all of them, and every entry repeats the
 * whole key.
 */
export const narrow: Migration = {
  name: '007-narrow',
  async up(transaction, traits) {
    const scope = scopeNumberOfRow(traits);
    const statements = [...(traits.rewritesIndexes ? indexes() : []), ...(scope ? walls(scope) : [])];
    for (const statement of statements) await statement.execute(transaction);
  },
};

// --- internal ---

/**
 * Nearly all documents are authorized in the end, and those are found in the order of their creation. Without the status,
 * and with nothing beside its key, an entry of a name is the same for every version of a row, which lets all share one.
 */
function indexes(): RawBuilder<unknown>[] {
  return [
    sql`drop index sri_documents_status`,
    sql`drop index sri_documents_buyer`,
    sql`create index sri_documents_status on sri_documents
      (issuer_id, environment, status, created_at, id, document_type, sequential_digits, buyer_name_folded)
      where status <> 'AUTHORIZED'`,
    sql`create index sri_documents_buyer on sri_documents
      (issuer_id, environment, buyer_name_folded, created_at, id, document_type, issue_date)`,
  ];
}

/**
 * The walls against a number given twice and an order made twice. Should two scopes ever share a number, they only keep
 * out more than they have to.
 */
function walls(scope: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return [
    sql`drop index sri_documents_number`,
    sql`drop index sri_documents_idempotency`,
    sql`create unique index sri_documents_number on sri_documents ((${scope}), sequential, document_type)`,
    sql`create unique index sri_documents_idempotency on sri_documents (idempotency_key, (${scope}))
      where idempotency_key is not null`,
  ];
}
