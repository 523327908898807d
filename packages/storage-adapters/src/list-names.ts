import { type Kysely, type SqlBool, sql } from 'kysely';
import { sumOf } from './figures.js';
import { holds, inScope, type Search } from './list-conditions.js';
import { countDocuments, type EntryQuery, type Group, groupByEntry, onlyFrom } from './list-groups.js';
import { EVERY_NAME, isNewName, type NameScope, toNameId, toWords } from './name-words.js';
import type { CoreTables } from './schema.js';

/** The names that hold a part. */
export interface NamesWithPart extends NameSearch {
  /** Documents of all of them. */
  readonly documents: number;
  readonly names: number;
  /** They themselves, when they had to be read anyway and are few. */
  readonly groups: readonly Group<string>[] | null;
}

/** How to find the names that hold a part. */
export interface NameSearch {
  readonly part: string;
  /** Among which names; null for all of them. Names too new to have words are looked at in any case. */
  readonly among: { readonly words: readonly number[] } | { readonly ids: readonly number[] } | null;
}

/** Counts the names that hold a part, and their documents, by the words in which it lies: those are far fewer. */
export async function findNamesWithPart(db: Kysely<CoreTables>, search: Search, part: string): Promise<NamesWithPart> {
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

/** Documents by name, lowest first unless told otherwise; of all names when there is no part. */
export async function groupByName(
  db: Kysely<CoreTables>,
  search: Search,
  names: NameSearch | null,
  { from, limit }: Omit<EntryQuery, 'kind'> = {},
): Promise<Group<string>[]> {
  if (!names) return groupByEntry(db, search, { kind: 'name', ...(from && { from }), ...(limit && { limit }) });
  let query = selectNames(db, search, names)
    .select(['entry as key', 'documents'])
    .where(onlyFrom(from))
    .orderBy('entry', from?.direction ?? 'asc');
  if (limit !== undefined) query = query.limit(limit);
  return query.execute();
}

// --- internal ---

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

/** Names that share a number are found together and compared afterwards. */
function selectNames(db: Kysely<CoreTables>, search: Search, { part, among }: NameSearch) {
  const counts = db.selectFrom('sri_counts').select(['entry', 'documents']);
  const ofPart = sql<SqlBool>`${inScope(search)} and kind = 'name' and documents > 0 and ${holds('entry', part)}`;
  if (!among) return db.selectFrom(counts.where(ofPart).as('found'));
  const known =
    'ids' in among
      ? counts.where('name_id', 'in', [NO_ID, ...among.ids])
      : counts.where(search.traits.isAmong('name_id', withOneOf(db, among.words)));
  const fresh = counts.where(isNewName(toNameScope(search)));
  // Compared in a way that no index is chosen for: the one of all names would be.
  const compared = sql<SqlBool>`case when ${ofPart} then true else false end`;
  return db.selectFrom(known.where(compared).unionAll(fresh.where(compared)).as('found'));
}

function withOneOf(db: Kysely<CoreTables>, words: readonly number[]) {
  return db
    .selectFrom('sri_name_words')
    .select('name_id')
    .where('word_id', 'in', [NO_ID, ...words]);
}

/** Keeps a list from being empty. */
const NO_ID = -1;
