import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Migration } from '../migrator.js';
import { toNameId } from '../name-words.js';
import type { CoreTables, CountsTable } from '../schema.js';
import type { DialectTraits } from '../traits.js';
import { indexWords } from './004-words.js';

/**
 * Finds parts of names by their words instead of by looking at every name, figures of one status without reading those
 * of the others, and documents of a status or a time by name and number without reading their rows.
 */
export const search: Migration = {
  name: '004-search',
  async up(transaction, traits) {
    for (const statement of [...figures(traits), ...names(traits)]) await statement.execute(transaction);
    await moveNames(transaction, traits);
    for (const statement of indexes(traits)) await statement.execute(transaction);
  },
};

// --- internal ---

/** Names that are given their words at a time. */
const NAMES_AT_A_TIME = 1000;

function figures({ columns: { text, integer, bigint }, keyedTable }: DialectTraits): readonly RawBuilder<unknown>[] {
  return [
    sql`alter table sri_figures rename to sri_figures_before`,
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
    sql`insert into sri_figures
      (issuer_id, environment, status, document_type, issue_date, created_day, documents, total_cents)
      select issuer_id, environment, status, document_type, issue_date, created_day, documents, total_cents
      from sri_figures_before order by 1, 2, 3, 4, 5, 6`,
    sql`drop table sri_figures_before`,
  ];
}

/** Moved rather than changed, because PostgreSQL would keep the room of the old rows for good. */
function names({ columns: { text, integer, bigint }, keyedTable }: DialectTraits): readonly RawBuilder<unknown>[] {
  return [
    sql`alter table sri_counts rename to sri_counts_before`,
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
    sql`insert into sri_counts (issuer_id, environment, kind, entry, documents)
      select issuer_id, environment, kind, entry, documents
      from sri_counts_before where kind <> 'name' order by 1, 2, 3, 4`,
  ];
}

async function moveNames(transaction: Transaction<CoreTables>, traits: DialectTraits): Promise<void> {
  let last = { issuer_id: '', environment: '', entry: '' };
  for (;;) {
    const { rows } = await sql<Omit<CountsTable, 'name_id'>>`
      select issuer_id, environment, kind, entry, documents from sri_counts_before
      where kind = 'name' and (issuer_id, environment, entry) > (${last.issuer_id}, ${last.environment}, ${last.entry})
      order by issuer_id, environment, entry limit ${sql.lit(NAMES_AT_A_TIME)}`.execute(transaction);
    const end = rows.at(-1);
    if (!end) break;
    const moved = rows.map((row) => ({ ...row, name_id: toNameId(row, row.entry) }));
    await transaction.insertInto('sri_counts').values(moved).execute();
    await indexWords(transaction, moved, traits);
    last = end;
  }
  await sql`drop table sri_counts_before`.execute(transaction);
}

function indexes({ rewritesIndexes }: DialectTraits): readonly RawBuilder<unknown>[] {
  // Where indexes are written anew when what they hold changes, what changes with every document stays out of them.
  const counted = rewritesIndexes ? sql`name_id` : sql`name_id, documents`;
  return [
    sql`create index sri_counts_name on sri_counts (${counted}) where name_id is not null`,
    sql`create index sri_counts_new_name on sri_counts ((issuer_id || ' ' || environment))
      where kind = 'name' and name_id is null`,
    sql`drop index sri_documents_status`,
    sql`drop index sri_documents_issued`,
    sql`create index sri_documents_status on sri_documents
      (issuer_id, environment, status, created_at, id, document_type, sequential_digits, buyer_name_folded)`,
    sql`create index sri_documents_issued on sri_documents
      (issuer_id, environment, issue_date, created_at, id, document_type, status, sequential_digits, buyer_name_folded)`,
  ];
}
