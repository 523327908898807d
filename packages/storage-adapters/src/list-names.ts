import { type Kysely, type SqlBool, sql } from 'kysely';
import { sumOf } from './figures.js';
import { holds, inScope, type Search } from './list-conditions.js';
import { countDocuments, type EntryQuery, type Group, onlyFrom } from './list-groups.js';
import { INITIAL_LENGTH, isOfLetters } from './name-letters.js';
import { EVERY_NAME, isFresh, type NameScope, toNameId, toWords } from './name-words.js';
import type { CoreTables } from './schema.js';

/** The names that hold a part. */
export interface NamesWithPart extends NameSearch {
  /** Documents of all of them. */
  readonly documents: number;
  /** About how many names; infinite when they were not looked at, being common. */
  readonly names: number;
  /** They themselves, when they had to be read anyway and are few. */
  readonly groups: readonly Group<string>[] | null;
}

/** How to find the names that hold a part. */
export interface NameSearch {
  readonly part: string;
  /** Among which names; null for all of them. Fresh names are looked at in any case. */
  readonly among: { readonly words: readonly number[] } | { readonly ids: readonly number[] } | null;
}

/**
 * Counts the documents of the names that hold a part. One of a letter or two is counted already. Else the names are found
 * by the words in which it lies: those are far fewer.
 *
 * @param filtered how many documents match the search, parts aside.
 */
export async function findNamesWithPart(
  db: Kysely<CoreTables>,
  search: Search,
  { part, filtered }: { readonly part: string; readonly filtered: number },
): Promise<NamesWithPart> {
  if (isOfLetters(part)) {
    const documents = await countByLetters(db, search, part);
    const isCommon = documents * COMMON_SHARE >= filtered;
    if (isCommon || documents === 0)
      return { part, among: null, documents, names: Number.POSITIVE_INFINITY, groups: null };
  }
  const names = { part, among: await narrowDown(db, search, part) };
  if (names.among && 'ids' in names.among) {
    const groups = await groupByName(db, search, names);
    return { ...names, documents: countDocuments(groups), names: groups.length, groups };
  }
  const counted = await selectNames(db, search, names)
    .select(({ ref, fn }) => [sumOf(ref('documents')).as('documents'), fn.countAll<number>().as('names')])
    .executeTakeFirstOrThrow();
  return { ...names, ...counted, groups: null };
}

/**
 * Documents by name, lowest first unless told otherwise; of all names when there is no part. Some may have none.
 *
 * @param query.limit fewer are given only when there are no more.
 */
export async function groupByName(
  db: Kysely<CoreTables>,
  search: Search,
  names: NameSearch | null,
  slice: Omit<EntryQuery, 'kind'> = {},
): Promise<Group<string>[]> {
  const { from, limit } = slice;
  let query = selectNames(db, search, names ?? EVERY, slice)
    .select((expression) => [expression.ref('entry').as('key'), sumOf(expression.ref('documents')).as('documents')])
    .groupBy('entry')
    .orderBy('entry', from?.direction ?? 'asc');
  if (limit !== undefined) query = query.limit(limit);
  return query.execute();
}

/** Documents by the first characters of their buyers' names, lowest first. */
export async function groupByInitial(db: Kysely<CoreTables>, search: Search): Promise<Group<string>[]> {
  const settled = db
    .selectFrom('sri_counts')
    .select(['entry', 'documents'])
    .where(inScope(search))
    .where('kind', '=', 'initial');
  const fresh = db
    .selectFrom('sri_counts')
    .select([sql<string>`substr(entry, 1, ${sql.lit(INITIAL_LENGTH)})`.as('entry'), 'documents'])
    .where(isFresh(toNameScope(search)));
  return db
    .selectFrom(settled.unionAll(fresh).as('found'))
    .select((expression) => [expression.ref('entry').as('key'), sumOf(expression.ref('documents')).as('documents')])
    .groupBy('entry')
    .orderBy('entry')
    .execute();
}

// --- internal ---

/** No name is left out. */
const EVERY: NameSearch = { part: '', among: null };

/** A part that is in one of so many documents is soon met with when they are gone through. */
const COMMON_SHARE = 50;

/** Words that are followed one by one. */
const MOST_WORDS = 300;

/** How many names in a row are looked at in the time in which one is looked up. */
const LOOKUP_COST = 3;

/** Names that are better read than counted. */
const FEW_NAMES = 200;

async function narrowDown(db: Kysely<CoreTables>, search: Search, part: string): Promise<NameSearch['among']> {
  const [longest, second] = toWords(part).toSorted((a, b) => b.length - a.length);
  const words = longest === undefined ? null : await findWords(db, search, longest);
  if (!words || second === undefined) return words && { words };
  const others = await findWords(db, search, second);
  if (!others) return { words };
  const ids = await withOneOf(db, words)
    .intersect(withOneOf(db, others))
    .limit(FEW_NAMES + 1)
    .execute();
  return ids.length > FEW_NAMES ? { words } : { ids: ids.map(({ name_id }) => name_id) };
}

/** The words that hold a part without a space; null when following them is no cheaper than looking at every name. */
async function findWords(db: Kysely<CoreTables>, search: Search, part: string): Promise<readonly number[] | null> {
  const rows = await db
    .selectFrom('sri_counts')
    .select(['entry as word', 'documents as names'])
    .where(inScope(search))
    .where('kind', '=', 'names')
    .where((expression) => expression.or([expression('entry', '=', EVERY_NAME), holds('entry', part)]))
    .orderBy('entry')
    .limit(MOST_WORDS + 1)
    .execute();
  const all = rows.find(({ word }) => word === EVERY_NAME)?.names ?? 0;
  const words = rows.filter(({ word }) => word !== EVERY_NAME);
  const named = words.reduce((sum, { names }) => sum + names, 0);
  if (words.length >= MOST_WORDS || named * LOOKUP_COST > all) return null;
  return words.map(({ word }) => toNameId(toNameScope(search), word));
}

function toNameScope({ scope }: Search): NameScope {
  return { issuer_id: scope.issuerId, environment: scope.environment };
}

/** In one statement, so that what moves on from the fresh names meanwhile is counted once. */
async function countByLetters(db: Kysely<CoreTables>, search: Search, part: string): Promise<number> {
  const counts = db.selectFrom('sri_counts').select('documents');
  const settled = counts.where(inScope(search)).where('kind', '=', 'letters').where('entry', '=', part);
  const fresh = counts.where(isFresh(toNameScope(search))).where(holds('entry', part));
  const { documents } = await db
    .selectFrom(settled.unionAll(fresh).as('found'))
    .select(({ ref }) => sumOf(ref('documents')).as('documents'))
    .executeTakeFirstOrThrow();
  return documents;
}

/**
 * The names that hold a part with what each counts; a name may be there twice. Names that share a number are found
 * together and compared afterwards.
 */
function selectNames(
  db: Kysely<CoreTables>,
  search: Search,
  { part, among }: NameSearch,
  { from, limit }: Omit<EntryQuery, 'kind'> = {},
) {
  const counts = db.selectFrom('sri_counts').select(['entry', 'documents']);
  const cut = (query: typeof counts) => {
    const behind = query.where(onlyFrom(from));
    const first = limit === undefined ? behind : behind.orderBy('entry', from?.direction ?? 'asc').limit(limit);
    return db.selectFrom(first.as('first')).select(['entry', 'documents']);
  };
  const held = part === '' ? sql<SqlBool>`1 = 1` : holds('entry', part);
  const fresh = cut(counts.where(isFresh(toNameScope(search))).where(held));
  const ofPart = sql<SqlBool>`${inScope(search)} and kind = 'name' and documents > 0 and ${held}`;
  if (!among) return db.selectFrom(cut(counts.where(ofPart)).unionAll(fresh).as('found'));
  const known =
    'ids' in among
      ? counts.where('name_id', 'in', [NO_ID, ...among.ids])
      : counts.where(search.traits.isAmong('name_id', withOneOf(db, among.words)));
  // Compared in a way that no index is chosen for: the one of all names would be.
  const compared = sql<SqlBool>`case when ${ofPart} then true else false end`;
  return db.selectFrom(cut(known.where(compared)).unionAll(fresh).as('found'));
}

function withOneOf(db: Kysely<CoreTables>, words: readonly number[]) {
  return db
    .selectFrom('sri_name_words')
    .select('name_id')
    .where('word_id', 'in', [NO_ID, ...words]);
}

/** Keeps a list from being empty. */
const NO_ID = -1;
