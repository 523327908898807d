import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { toInitial, toLetters } from './name-letters.js';
import { insertRows } from './row-lists.js';
import type { CoreTables, CountsTable, NameWordsTable } from './schema.js';
import type { DialectTraits } from './traits.js';

/** Whose names. */
export type NameScope = Pick<CountsTable, 'issuer_id' | 'environment'>;

/** A name with documents that have come to it. */
export type NameCount = Pick<CountsTable, 'entry' | 'documents'>;

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
 * Whether it is the turn of a document to settle the fresh names. That is done for many together, which is far cheaper,
 * and until then they are looked at one by one.
 */
export function isTurn({ sequential }: { readonly sequential: number }): boolean {
  return sequential % DOCUMENTS_A_TURN === 0;
}

/** Rows of fresh names of a scope. */
export function isFresh({ issuer_id, environment }: NameScope): RawBuilder<SqlBool> {
  return sql`issuer_id = ${issuer_id} and environment = ${environment} and kind = 'fresh'`;
}

/**
 * Moves the fresh names of a scope to where they are found by words, letters and initials. Those that another transaction
 * writes are left for later. Rows are locked in one order, and fresh ones first, for which nobody waits who holds others.
 */
export async function settleNames(
  transaction: Transaction<CoreTables>,
  scope: NameScope,
  traits: DialectTraits,
): Promise<void> {
  const fresh = await transaction
    .selectFrom('sri_counts')
    .select(['entry', 'documents'])
    .where(isFresh(scope))
    .orderBy('entry')
    .limit(MOST_A_TURN)
    .$if(traits.skipLocked, (query) => query.forUpdate().skipLocked())
    .execute();
  if (fresh.length === 0) return;
  const entries = fresh.map(({ entry }) => entry);
  await transaction.deleteFrom('sri_counts').where(isFresh(scope)).where('entry', 'in', entries).execute();
  const known = await transaction
    .selectFrom('sri_counts')
    .select('entry')
    .where('issuer_id', '=', scope.issuer_id)
    .where('environment', '=', scope.environment)
    .where('kind', '=', 'name')
    .where('entry', 'in', entries)
    .execute();
  const isKnown = new Set(known.map(({ entry }) => entry));
  const isNew = ({ entry }: NameCount) => !isKnown.has(entry);
  await addNames(transaction, scope, { names: fresh, added: fresh.filter(isNew) }, traits);
}

/** Adds to what is counted of names. @param names all of them. @param added those that were not there before. */
export async function addNames(
  transaction: Transaction<CoreTables>,
  { issuer_id, environment }: NameScope,
  { names, added }: { readonly names: readonly NameCount[]; readonly added: readonly NameCount[] },
  traits: DialectTraits,
): Promise<void> {
  const scope = { issuer_id, environment };
  const sums = new Map<string, CountsTable>();
  const add = (kind: string, entry: string, documents: number, name_id: number | null = null) => {
    const key = `${kind} ${entry}`;
    sums.set(key, { ...scope, kind, entry, documents: (sums.get(key)?.documents ?? 0) + documents, name_id });
  };
  for (const { entry, documents } of names) {
    add('name', entry, documents, toNameId(scope, entry));
    add('initial', toInitial(entry), documents);
    for (const letters of toLetters(entry)) add('letters', letters, documents);
  }
  const pairs: NameWordsTable[] = [];
  for (const { entry } of added) {
    add('names', EVERY_NAME, 1);
    for (const word of toWords(entry)) {
      add('names', word, 1);
      pairs.push({ word_id: toNameId(scope, word), name_id: toNameId(scope, entry) });
    }
  }
  const rows = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await insertRows(transaction, traits, { table: 'sri_counts', rows, ending: ADDING_COUNTS });
  const pairsInOrder = pairs.toSorted((a, b) => a.word_id - b.word_id || a.name_id - b.name_id);
  if (pairs.length === 0) return;
  await insertRows(transaction, traits, {
    table: 'sri_name_words',
    rows: pairsInOrder,
    ending: ' on conflict do nothing',
  });
}

/** Adds the counts of inserted rows to those of the rows that are there. */
export const ADDING_COUNTS =
  ' on conflict (issuer_id, environment, kind, entry) do update set documents = sri_counts.documents + excluded.documents';

// --- internal ---

/** Of 64, so that a number holds the others exactly. */
const SPARE_BITS = 11n;

/** As many fresh names as are read in no time, and so many that settling them costs each hardly anything. */
const DOCUMENTS_A_TURN = 256;

/** Keeps a transaction short when more have come together. */
const MOST_A_TURN = 1000;
