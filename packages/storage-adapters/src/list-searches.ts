import { type Kysely, sql } from 'kysely';
import { isStorable } from './documents.js';
import { holdsParts, inFilter, inScope, type PartLookup, type Search } from './list-conditions.js';
import { type FoundPage, type Order, type Slice, selectIds } from './list-pages.js';
import { countAuthorizedNamed, countDocuments, countNamed, groupByBlock, groupByFigures } from './list-windows.js';
import { numbersWithPart } from './number-parts.js';
import type { CoreTables } from './schema.js';

/**
 * Finds a page of documents that hold a part of a name or a number, or that are sorted by one and filtered. A part that
 * few documents hold is looked up; rows are walked in the order of the list when nearly every one matches.
 */
export async function findSearchedPage(
  db: Kysely<CoreTables>,
  search: Search,
  order: Order,
  slice: Slice,
): Promise<FoundPage> {
  if (!isStorable(search.name ?? '')) return NOTHING;
  const { status, from, to } = search.filter;
  const isOfAllDays = status === undefined && from === undefined && to === undefined;
  const filtered = countDocuments(
    await (isOfAllDays ? groupByBlock(db, search, 'sequential') : groupByFigures(db, search, 'status')),
  );
  if (filtered === 0) return NOTHING;
  const named = search.name === null ? filtered : await countNamed(db, search);
  if (named === 0) return NOTHING;
  const numbers = search.digits === null ? null : await findNumbers(db, search, search.digits);
  if (numbers?.length === 0) return NOTHING;
  const lookup: PartLookup = { numbers, byName: search.name !== null && numbers === null && named <= filtered };
  const total = await countFound(db, search, { lookup, filtered, named });
  if (slice.offset >= total) return { ids: [], total };
  const walked = ((slice.offset + slice.limit) * filtered) / total;
  const isSooner = Math.min(numbers?.length ?? filtered, named) <= walked;
  const found = isSooner ? { where: holdsParts(search, lookup), gathered: total } : { where: holdsParts(search, WALK) };
  return { ids: await selectIds(db, search, { order, slice, ...found }), total };
}

// --- internal ---

const NOTHING: FoundPage = { ids: [], total: 0 };
const WALK: PartLookup = { numbers: null, byName: false };

/** Numbers that are looked up one by one. */
const MOST_NUMBERS = 10_000;

async function countFound(
  db: Kysely<CoreTables>,
  search: Search,
  { lookup, filtered, named }: { readonly lookup: PartLookup; readonly filtered: number; readonly named: number },
): Promise<number> {
  const { digits, name, filter } = search;
  if (digits === null && name === null) return filtered;
  const isByNameAlone =
    digits === null && filter.documentType === undefined && filter.from === undefined && filter.to === undefined;
  if (isByNameAlone && filter.status === undefined) return named;
  if (isByNameAlone && filter.status === 'AUTHORIZED') return countAuthorizedNamed(db, search);
  const { total } = await db
    .selectFrom('sri_documents')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(inScope(search))
    .where(inFilter(search))
    .where(holdsParts(search, lookup))
    .executeTakeFirstOrThrow();
  return total;
}

/** The numbers that hold the digits, as far as numbers go in this scope; null when they are many. */
async function findNumbers(db: Kysely<CoreTables>, search: Search, digits: string): Promise<readonly number[] | null> {
  const { last } = await db
    .selectFrom('sri_documents')
    .select(sql<number | null>`max(sequential)`.as('last'))
    .where(inScope(search))
    .executeTakeFirstOrThrow();
  return numbersWithPart(digits, last ?? 0, MOST_NUMBERS);
}
