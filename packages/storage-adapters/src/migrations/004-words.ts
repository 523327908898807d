import { sql, type Transaction } from 'kysely';
import { EVERY_NAME, toNameId, toWords } from '../name-words.js';
import type { CoreTables, CountsTable, NameWordsTable } from '../schema.js';
import type { DialectTraits } from '../traits.js';
import { inBatches } from '../values.js';

/** Makes names findable by their words. Each name is to come here once. */
export async function indexWords(
  transaction: Transaction<CoreTables>,
  names: readonly Pick<CountsTable, 'issuer_id' | 'environment' | 'entry'>[],
  { maxParameters }: DialectTraits,
): Promise<void> {
  const pairs: NameWordsTable[] = [];
  const counts = new Map<string, CountsTable>();
  for (const { issuer_id, environment, entry } of names) {
    const scope = { issuer_id, environment };
    const name_id = toNameId(scope, entry);
    for (const word of [EVERY_NAME, ...toWords(entry)]) {
      if (word !== EVERY_NAME) pairs.push({ word_id: toNameId(scope, word), name_id });
      const key = `${issuer_id} ${environment} ${word}`;
      const documents = (counts.get(key)?.documents ?? 0) + 1;
      counts.set(key, { ...scope, kind: 'names', entry: word, documents, name_id: null });
    }
  }
  const pairsInOrder = pairs.toSorted((a, b) => a.word_id - b.word_id || a.name_id - b.name_id);
  for (const part of inBatches(pairsInOrder, maxParameters)) {
    await transaction
      .insertInto('sri_name_words')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const countsInOrder = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  for (const part of inBatches(countsInOrder, maxParameters)) {
    await transaction
      .insertInto('sri_counts')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['issuer_id', 'environment', 'kind', 'entry'])
          .doUpdateSet({ documents: sql`sri_counts.documents + excluded.documents` }),
      )
      .execute();
  }
}
