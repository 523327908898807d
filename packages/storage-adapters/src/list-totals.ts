import type { Kysely } from 'kysely';
import { DOCUMENT_TYPES } from 'sri-core';
import { isStorable } from './documents.js';
import { FEW_OTHERS, holds, inScope, matching, matchingWithin, type Search } from './list-conditions.js';
import { countByFigures, groupByEntry, readSpan } from './list-groups.js';
import { findNamesWithPart, groupByName, type NamesWithPart } from './list-names.js';
import { BLOCK_SIZE, createPartCounter, numbersWithPart, toHead } from './number-parts.js';
import type { CoreTables } from './schema.js';
import { inNumberedScope } from './scope-numbers.js';

/** Documents among which all that match are to be found, when those are few enough to be looked at one by one. */
export interface Candidates {
  /** How many there are; infinite when nothing narrows them down. */
  readonly count: number;
  /** Their numbers, all that hold the part; null when they are not narrowed down by number. */
  readonly numbers: readonly number[] | null;
  /** The names of their buyers; null when they are not narrowed down by name. */
  readonly names: NamesWithPart | null;
}

/** How many documents match, and what is known of how to find them. */
export interface Totals {
  readonly total: number;
  /** How many match the filter, parts aside. */
  readonly filtered: number;
  readonly candidates: Candidates;
  /** The names that match; null for any. */
  readonly names: NamesWithPart | null;
}

/** Counts from figures where they tell, and else by looking at as few documents as can be. */
export async function countMatching(db: Kysely<CoreTables>, search: Search): Promise<Totals> {
  const { digits, name } = search;
  if (!isStorable(digits ?? '') || !isStorable(name ?? '')) return NOTHING;
  const filtered = await countByFigures(db, search);
  if (filtered === 0) return NOTHING;
  if (digits === null && name === null) return { ...NOTHING, total: filtered, filtered };

  const names = name === null ? null : await findNamesWithPart(db, search, { part: name, filtered });
  const named = names?.documents ?? Number.POSITIVE_INFINITY;
  const numbers = digits === null ? null : await findNumbers(db, search, digits);
  if (named === 0 || numbers?.length === 0) return NOTHING;
  const candidates: Candidates =
    numbers && numbers.length <= named
      ? { count: numbers.length, numbers, names: null }
      : names !== null && names.names <= MOST_NAMES
        ? { count: named, numbers: null, names }
        : ANY;
  const found = { filtered, candidates, names };
  return { ...found, total: await countFound(db, search, found) };
}

/**
 * The documents that match, looked for among candidates, which are found first: the limit keeps that order.
 *
 * @param columns to be read. Beside them, only what has to be compared is: what indexes hold leaves the rows alone.
 */
export async function selectMatching(
  db: Kysely<CoreTables>,
  search: Search,
  { count, numbers, names }: Candidates,
  columns: readonly ListColumn[] = [],
) {
  const isAny = !numbers && !names;
  let found = db.selectFrom('sri_documents').where(isAny ? matching(search) : inScope(search));
  if (numbers) found = found.where('sequential', 'in', numbers).where(inNumberedScope(search.traits, search.scope));
  if (names) {
    // As values, because a planner that knows little of the tables would compare every document with every name.
    const groups = names.groups ?? (await groupByName(db, search, names));
    found = found.where('buyer_name_folded', 'in', [NO_NAME, ...groups.map(({ key }) => key)]);
  }
  const left = { ...search, digits: numbers ? null : search.digits, name: names ? null : search.name };
  // Both document types may have a number, and documents may be stored meanwhile.
  found = found.$if(!isAny, (query) => query.limit(2 * count + 100));
  const narrowed = found.select([...new Set<ListColumn>(['id', ...columns, ...comparedColumns(left)])]);
  return { query: db.selectFrom(narrowed.as('found')).where(matchingWithin(left)) };
}

/** When nothing narrows the documents down. */
export const ANY: Candidates = { count: Number.POSITIVE_INFINITY, numbers: null, names: null };

/** What lists are sorted and narrowed down by. */
export type ListColumn =
  | 'id'
  | 'created_at'
  | 'issue_date'
  | 'status'
  | 'document_type'
  | 'sequential'
  | 'sequential_digits'
  | 'buyer_name_folded';

// --- internal ---

/** Counts those that match, some by a part of the number or the name. */
async function countFound(db: Kysely<CoreTables>, search: Search, found: Omit<Totals, 'total'>): Promise<number> {
  const { filtered, candidates, names } = found;
  const { status, documentType, from, to } = search.filter;
  const isDated = from !== undefined || to !== undefined;
  if (status === undefined && !isDated && !search.isUnauthorized) {
    if (search.digits === null && documentType === undefined && names) return names.documents;
    if (search.digits !== null && search.name === null) {
      const total = await countByNumbers(db, search, search.digits);
      if (total !== null) return total;
    }
  }
  // The index of dates holds all there is to compare, so that it is soon cheaper to go through than candidates are.
  const among = candidates.count < (isDated ? filtered / 2 : filtered * 2) ? candidates : ANY;
  if (status === 'AUTHORIZED' && !isDated && among.count > FEW_ROWS) {
    const total = await countAllButOthers(db, search, { ...found, candidates: among });
    if (total !== null) return total;
  }
  const { query } = await selectMatching(db, await toldByOthers(db, search, Math.min(filtered, among.count)), among);
  const { total } = await query
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * The search, so that indexes without the status answer it as well, if it is for the authorized ones and the others are
 * sooner found.
 *
 * @param rows how many would be looked up for their status.
 */
export async function toldByOthers(db: Kysely<CoreTables>, search: Search, rows: number): Promise<Search> {
  const { status } = search.filter;
  if (rows <= FEW_ROWS || status !== 'AUTHORIZED' || !search.traits.rewritesIndexes) return search;
  const inAll = await countByFigures(db, { ...search, filter: {} });
  const others = inAll - (await countByFigures(db, { ...search, filter: { status } }));
  return { ...search, isButFew: others <= Math.min(FEW_OTHERS, rows * LOOKUP_COST) };
}

/**
 * Counts the authorized ones as what remains of all without the others, which are few and by their status in an index
 * that holds what is compared.
 *
 * @returns null when they are so many that the candidates are better looked at.
 */
async function countAllButOthers(
  db: Kysely<CoreTables>,
  { filter: { status: _, ...filter }, ...search }: Search,
  found: Omit<Totals, 'total'>,
): Promise<number | null> {
  const all: Search = { ...search, filter };
  const inAll = await countByFigures(db, all);
  const inOthers = inAll - found.filtered;
  if (inOthers > found.candidates.count * LOOKUP_COST) return null;
  const total = await countFound(db, all, { ...found, filtered: inAll });
  if (inOthers === 0) return total;
  const others: Search = { ...all, isUnauthorized: true };
  return Math.max(0, total - (await countFound(db, others, { ...found, candidates: ANY, filtered: inOthers })));
}

/** Rows that are looked up sooner than it is found out how to do without. */
const FEW_ROWS = 500;

/** How many entries of an index are gone through in the time in which one row is looked up. */
const LOOKUP_COST = 6;

const NOTHING: Totals = { total: 0, filtered: 0, candidates: ANY, names: null };

function comparedColumns({ filter, digits, name, isUnauthorized, isButFew }: Search): ListColumn[] {
  const { status, documentType, from, to } = filter;
  const columns: ListColumn[] = [];
  if ((status !== undefined && !isButFew) || isUnauthorized) columns.push('status');
  if (documentType !== undefined) columns.push('document_type');
  if (from !== undefined || to !== undefined) columns.push('issue_date');
  if (digits !== null) columns.push('sequential_digits');
  if (name !== null) columns.push('buyer_name_folded');
  return columns;
}

/** About as many as can be looked up in the time that a page may take. */
const MOST_NUMBERS = 4000;

/** Names that are looked for one by one. */
const MOST_NAMES = 2000;

/** Keeps a list of names from being empty; no name holds it. */
const NO_NAME = '\n';

/** Blocks of numbers with gaps that are counted one by one. */
const MOST_BROKEN_BLOCKS = 50;

/** Numbers that hold the part, as far as numbers go in this scope; null when they are many. */
async function findNumbers(db: Kysely<CoreTables>, search: Search, digits: string): Promise<readonly number[] | null> {
  const { last } = await db
    .selectFrom('sri_documents')
    .select((expression) => expression.fn.max('sequential').as('last'))
    .where(inNumberedScope(search.traits, search.scope))
    .executeTakeFirstOrThrow();
  return numbersWithPart(digits, last ?? 0, MOST_NUMBERS);
}

/**
 * Counts numbers with a part without looking at them: where a block of numbers has no gap, arithmetic tells.
 *
 * @returns null when the numbers are too broken for that.
 */
async function countByNumbers(db: Kysely<CoreTables>, search: Search, digits: string): Promise<number | null> {
  const { documentType } = search.filter;
  const countIn = createPartCounter(digits);
  let total = 0;
  for (const kind of documentType === undefined ? DOCUMENT_TYPES : [documentType]) {
    const broken = await readBrokenBlocks(db, search, kind);
    if (broken.length > MOST_BROKEN_BLOCKS) return null;
    const span = await readSpan(db, search, kind);
    // Without a block missing in between, they need not be read to be known.
    const blocks = span.isWhole ? null : (await groupByEntry(db, search, { kind })).map(({ key }) => Number(key));
    for (let place = 0; place < span.count; place += 1) {
      const block = blocks ? blocks[place] : span.first + place;
      if (block === undefined || broken.includes(block)) continue;
      total += countIn(block) - (block === 0 && NO_NUMBER.includes(digits) ? 1 : 0);
    }
    for (const block of broken) {
      const { found } = await db
        .selectFrom('sri_documents')
        .select((expression) => expression.fn.countAll<number>().as('found'))
        .where(inNumberedScope(search.traits, search.scope))
        .where('document_type', '=', kind)
        .where('sequential', '>=', block * BLOCK_SIZE)
        .where('sequential', '<', (block + 1) * BLOCK_SIZE)
        .where(holds('sequential_digits', digits))
        .executeTakeFirstOrThrow();
      total += found;
    }
  }
  return total;
}

/** Blocks of which some numbers were not given. */
async function readBrokenBlocks(db: Kysely<CoreTables>, search: Search, kind: string): Promise<number[]> {
  const rows = await db
    .selectFrom('sri_counts')
    .select('entry')
    .where(inScope(search))
    .where('kind', '=', kind)
    .where('documents', '>', 0)
    .where((expression) =>
      expression(
        'documents',
        '<',
        expression
          .case()
          .when('entry', '=', toHead(0))
          .then(BLOCK_SIZE - 1)
          .else(BLOCK_SIZE)
          .end(),
      ),
    )
    .limit(MOST_BROKEN_BLOCKS + 1)
    .execute();
  return rows.map(({ entry }) => Number(entry));
}

/** No document has the number zero, the first of its block. */
const NO_NUMBER = `${toHead(0)}000`;
