import { sql, type Transaction } from 'kysely';
import type { Migration } from '../migrator.js';
import { INITIAL_LENGTH, toLetters } from '../name-letters.js';
import type { NameScope } from '../name-words.js';
import { insertRows } from '../row-lists.js';
import type { CoreTables, CountsTable } from '../schema.js';
import type { DialectTraits } from '../traits.js';

/** Counts documents by the letters in the names of their buyers, and lets new ones gather before they are counted so. */
export const letters: Migration = {
  name: '005-letters',
  async up(transaction, traits) {
    await sql`drop index sri_counts_new_name`.execute(transaction);
    await sql`update sri_counts set kind = 'fresh' where kind = 'name' and name_id is null`.execute(transaction);
    await sql`delete from sri_counts where kind = 'initial'`.execute(transaction);
    await sql`insert into sri_counts (issuer_id, environment, kind, entry, documents)
      select issuer_id, environment, 'initial', substr(entry, 1, ${sql.lit(INITIAL_LENGTH)}), sum(documents)
      from sri_counts where kind = 'name' group by 1, 2, 4`.execute(transaction);
    await countLetters(transaction, traits);
  },
};

// --- internal ---

/** Names that are read at a time. */
const NAMES_AT_A_TIME = 5000;

/** Goes through the names scope by scope, and keeps no more than the sums of one. */
async function countLetters(transaction: Transaction<CoreTables>, traits: DialectTraits): Promise<void> {
  let last = { issuer_id: '', environment: '', entry: '' };
  const sums = new Map<string, number>();
  for (;;) {
    const { rows } = await sql<CountsTable>`
      select issuer_id, environment, entry, documents from sri_counts
      where kind = 'name' and (issuer_id, environment, entry) > (${last.issuer_id}, ${last.environment}, ${last.entry})
      order by issuer_id, environment, entry limit ${sql.lit(NAMES_AT_A_TIME)}`.execute(transaction);
    for (const { issuer_id, environment, entry, documents } of rows) {
      if (last.issuer_id !== issuer_id || last.environment !== environment)
        await store(transaction, traits, last, sums);
      last = { issuer_id, environment, entry };
      for (const part of toLetters(entry)) sums.set(part, (sums.get(part) ?? 0) + documents);
    }
    if (rows.length === 0) break;
  }
  await store(transaction, traits, last, sums);
}

async function store(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  { issuer_id, environment }: NameScope,
  sums: Map<string, number>,
): Promise<void> {
  const rows = [...sums].map(([entry, documents]) => ({ issuer_id, environment, kind: 'letters', entry, documents }));
  await insertRows(transaction, traits, { table: 'sri_counts', rows, ending: '' });
  sums.clear();
}
