import { sql } from 'kysely';
import type { Migration } from '../migrator.js';
import type { DialectTraits } from '../traits.js';

/**
 * What lists need to stay fast however many documents an issuer has: figures by day, counts by number and name, and
 * indexes that hold the whole order. Fills them from the documents there are.
 */
export const lists: Migration = {
  name: '002-lists',
  async up(transaction, traits) {
    for (const statement of [...tables(traits), ...contents(), ...indexes()]) await statement.execute(transaction);
  },
};

// --- internal ---

function tables({ columns: { text, integer, bigint }, keyedTable }: DialectTraits) {
  return [
    sql`create table sri_figures (
      issuer_id ${text} not null,
      environment ${text} not null,
      issue_date ${text} not null,
      document_type ${text} not null,
      status ${text} not null,
      created_day ${integer} not null,
      documents ${integer} not null,
      total_cents ${bigint} not null,
      primary key (issuer_id, environment, issue_date, document_type, status, created_day)
    ) ${keyedTable}`,
    sql`create table sri_counts (
      issuer_id ${text} not null,
      environment ${text} not null,
      kind ${text} not null,
      entry ${text} not null,
      documents ${integer} not null,
      primary key (issuer_id, environment, kind, entry)
    ) ${keyedTable}`,
  ];
}

function contents() {
  const counted = [
    [sql`document_type`, sql`substr(sequential_digits, 1, 6)`],
    [sql`'name'`, sql`buyer_name_folded`],
    [sql`'initial'`, sql`substr(buyer_name_folded, 1, 3)`],
    [sql`'status'`, sql`status`],
    [sql`'issued'`, sql`issue_date`],
    [sql`'created'`, sql`cast(created_at / 86400000 as text)`],
    [sql`'created ' || status`, sql`cast(created_at / 86400000 as text)`],
    [sql`'created ' || document_type`, sql`cast(created_at / 86400000 as text)`],
  ] as const;
  return [
    sql`insert into sri_figures
      select issuer_id, environment, issue_date, document_type, status, created_at / 86400000, count(*), sum(total_cents)
      from sri_documents group by 1, 2, 3, 4, 5, 6`,
    ...counted.map(
      ([kind, entry]) => sql`insert into sri_counts
        select issuer_id, environment, ${kind}, ${entry}, count(*) from sri_documents group by 1, 2, 3, 4`,
    ),
  ];
}

/** With the id at the end they hold the whole order; with type and status as well, most filters need nothing else; names, of which parts are searched together with other filters, hold what those need. */
function indexes() {
  return [
    sql`drop index sri_documents_created`,
    sql`drop index sri_documents_status`,
    sql`drop index sri_documents_issued`,
    sql`drop index sri_documents_buyer`,
    sql`create index sri_documents_created
      on sri_documents (issuer_id, environment, created_at, id, document_type, sequential_digits)`,
    sql`create index sri_documents_status
      on sri_documents (issuer_id, environment, status, created_at, id, document_type)`,
    sql`create index sri_documents_issued
      on sri_documents (issuer_id, environment, issue_date, created_at, id, document_type)`,
    sql`create index sri_documents_buyer
      on sri_documents (issuer_id, environment, buyer_name_folded, created_at, id, document_type, status, issue_date)`,
  ];
}
