import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { CoreTables, CountsTable, NameWordsTable } from './schema.js';
import type { DialectTraits } from './traits.js';
import { inBatches } from './values.js';

/** Whose names. */
export type NameScope = Pick<CountsTable, 'issuer_id' | 'environment'>;

/**
 * Stands for a name, or a word, of a scope: computed, so that nobody has to look it up. Should two of them share one,
 * whoever follows it finds both, and compares.
 */
export function toNameId({ issuer_id, environment }: NameScope, text: string): number {
  const digest = createHash('sha256').update(`${issuer_id} ${environment} ${text}`).digest();
  return Number(digest.readBigUInt64BE() >> SPARE_BITS);
}

/** The words of a name, each once. Only a space parts them, so that a part without one lies within a word. */
export function toWords(name: string): readonly string[] {
  return [...new Set(name.split(' '))].filter((word) => word !== '');
}

/** How many names of a scope have words is kept under the word that none has. */
export const EVERY_NAME = '';

/**
 * Whether it is the turn of a document to give the names that are new their words. They are given them together, which is
 * far cheaper, and until then they are looked at one by one.
 */
export function isTurn({ sequential }: { readonly sequential: number }): boolean {
  return sequential % DOCUMENTS_A_TURN === 0;
}

/** New names of a scope, which have an index of their own: by what they are, a planner would look at all of the scope. */
export function isNewName({ issuer_id, environment }: NameScope): RawBuilder<SqlBool> {
  return sql`issuer_id || ' ' || environment = ${`${issuer_id} ${environment}`} and kind = 'name' and name_id is null`;
}

/** Makes the new names of a scope findable by their words. Those that another transaction writes are left for later. */
export async function indexNewNames(
  transaction: Transaction<CoreTables>,
  { issuer_id, environment }: NameScope,
  traits: DialectTraits,
): Promise<void> {
  const names = await transaction
    .selectFrom('sri_counts')
    .select(['issuer_id', 'environment', 'kind', 'entry', 'documents'])
    .where(isNewName({ issuer_id, environment }))
    .orderBy('entry')
    .limit(MOST_A_TURN)
    .$if(traits.skipLocked, (query) => query.forUpdate().skipLocked())
    .execute();
  if (names.length === 0) return;
  await transaction
    .insertInto('sri_counts')
    .values(names.map((row) => ({ ...row, name_id: toNameId(row, row.entry) })))
    .onConflict((conflict) =>
      conflict.columns(['issuer_id', 'environment', 'kind', 'entry']).doUpdateSet({ name_id: sql`excluded.name_id` }),
    )
    .execute();
  await indexWords(transaction, names, traits);
}

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

// --- internal ---

/** Of 64, so that a number holds the others exactly. */
const SPARE_BITS = 11n;

/** As many new names as are read in no time. */
const DOCUMENTS_A_TURN = 64;

/** Keeps a transaction short when more have come together. */
const MOST_A_TURN = 1000;
