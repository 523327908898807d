import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import { DAY_MS } from './figures.js';
import { findBlocks } from './list-blocks.js';
import type { Search } from './list-conditions.js';
import {
  boundsOf,
  countByFigures,
  countDocuments,
  type Direction,
  findCreatedDays,
  findWindow,
  type Group,
  groupByFigures,
  inDirection,
  type PageWindow,
} from './list-groups.js';
import { groupByInitial, groupByName, type NamesWithPart } from './list-names.js';
import { byCreation, type Order, orderOf, type Slice, selectNearby, selectSlice, toIds } from './list-slices.js';
import { ANY, selectMatching, type Totals, toldByOthers } from './list-totals.js';
import { BLOCK_SIZE } from './number-parts.js';
import type { CoreTables } from './schema.js';

/**
 * The ids of one page, in order. Figures tell in which days, statuses, numbers or names it lies, so that only those are
 * gone through and not all that comes before.
 */
export async function findPage(
  db: Kysely<CoreTables>,
  search: Search,
  { sortBy = 'createdAt', sortDirection = 'desc' }: DocumentQuery,
  { slice, totals }: { readonly slice: Slice; readonly totals: Totals },
): Promise<readonly string[]> {
  const { status, documentType, from, to } = search.filter;
  const isFiltered = status !== undefined || from !== undefined || to !== undefined;
  const hasPart = search.name !== null || search.digits !== null;
  if (!hasPart) {
    if (sortBy === 'createdAt') return pageByCreation(db, search, sortDirection, slice);
    if (sortBy === 'issueDate') return pageByIssueDate(db, search, sortDirection, slice);
    if (sortBy === 'status') return pageByStatus(db, search, sortDirection, slice);
    if (sortBy === 'sequential' && !isFiltered) return pageByNumber(db, search, sortDirection, slice);
  }
  if (sortBy === 'buyerName' && !isFiltered && documentType === undefined && search.digits === null) {
    return pageByName(db, search, sortDirection, { slice, names: totals.names });
  }
  return pageOfRows(db, search, orderOf(sortBy, sortDirection), { slice, totals });
}

// --- internal ---

/** Up to here skipping rows is cheaper than finding out where to begin. */
const SHORT_WALK = 300;

/** Names that are read at a time. */
const NAMES_AT_A_TIME = 200;

async function pageByCreation(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  slice: Slice,
): Promise<string[]> {
  const { status, documentType, from, to } = search.filter;
  const isInOrder = documentType === undefined && from === undefined && to === undefined;
  if (isInOrder && slice.offset <= SHORT_WALK) {
    const isIndexed = status !== 'AUTHORIZED' || !search.traits.rewritesIndexes;
    const page = isIndexed
      ? await selectSlice(db, search, byCreation(direction), slice).execute()
      : await selectNearby(db, search, direction, slice).execute();
    if (isIndexed || page.length === slice.limit) return toIds(page);
  }
  const days = await groupByFigures(db, search, 'created_day');
  const window = findWindow(inDirection(days, direction), slice);
  const bounds = window && boundsOf(window);
  if (!bounds) return [];
  const rows = await selectSlice(db, search, byCreation(direction), { offset: window.skip, limit: slice.limit })
    .where('created_at', '>=', Number(bounds.low) * DAY_MS)
    .where('created_at', '<', (Number(bounds.high) + 1) * DAY_MS)
    .execute();
  return toIds(rows);
}

async function pageByIssueDate(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  slice: Slice,
): Promise<string[]> {
  const days = await groupByFigures(db, search, 'issue_date');
  const window = findWindow(inDirection(days, direction), slice);
  const ids: string[] = [];
  for (const { keys, offset } of piecesOf(window)) {
    const [first, last] = [String(keys.at(0)), String(keys.at(-1))].toSorted();
    const rest = { offset, limit: slice.limit - ids.length };
    const isOne = keys.length === 1;
    const rows = await selectSlice(db, search, isOne ? byCreation('desc') : orderOf('issueDate', direction), rest)
      .where(isOne ? sql<SqlBool>`issue_date = ${first}` : sql<SqlBool>`issue_date between ${first} and ${last}`)
      .execute();
    ids.push(...toIds(rows));
  }
  return ids;
}

async function pageByStatus(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  slice: Slice,
): Promise<string[]> {
  const statuses = await groupByFigures(db, search, 'status');
  const window = findWindow(inDirection(statuses, direction), slice);
  const ids: string[] = [];
  for (const [index, { key }] of (window?.groups ?? []).entries()) {
    const status = key as NonNullable<DocumentQuery['status']>;
    const within = { ...search, filter: { ...search.filter, status } };
    const offset = index === 0 ? (window?.skip ?? 0) : 0;
    ids.push(...(await pageByCreation(db, within, 'desc', { offset, limit: slice.limit - ids.length })));
  }
  return ids;
}

async function pageByNumber(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  slice: Slice,
): Promise<string[]> {
  const order = orderOf('sequential', direction);
  if (slice.offset <= SHORT_WALK) return toIds(await selectSlice(db, search, order, slice).execute());
  const window = await findBlocks(db, search, direction, slice);
  const bounds = window && boundsOf(window);
  if (!bounds) return [];
  const page = await selectSlice(db, search, order, { offset: window.skip, limit: slice.limit })
    .where('sequential', '>=', Number(bounds.low) * BLOCK_SIZE)
    .where('sequential', '<', (Number(bounds.high) + 1) * BLOCK_SIZE)
    .execute();
  return toIds(page);
}

/**
 * The groups of a window as they are best read: the first and the last by themselves, newest first, because no index
 * holds a column ascending and creation descending, and those in the middle, which are on the page as a whole, together.
 */
function piecesOf<Key extends string | number>(
  window: PageWindow<Key> | null,
): { readonly keys: readonly Key[]; readonly offset: number }[] {
  const [first, ...others] = (window?.groups ?? []).map(({ key }) => key);
  if (!window || first === undefined) return [];
  const middle = others.slice(0, -1);
  const pieces: { readonly keys: readonly Key[]; readonly offset: number }[] = [{ keys: [first], offset: window.skip }];
  if (middle.length > 0) pieces.push({ keys: middle, offset: 0 });
  const last = others.at(-1);
  if (last !== undefined) pieces.push({ keys: [last], offset: 0 });
  return pieces;
}

async function pageByName(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  { slice, names }: { readonly slice: Slice; readonly names: NamesWithPart | null },
): Promise<string[]> {
  const window = await findNames(db, search, direction, { slice, names });
  const within = { ...search, name: null };
  const ids: string[] = [];
  for (const { keys, offset } of piecesOf(window)) {
    const [only] = keys;
    const order = keys.length === 1 ? byCreation('desc') : orderOf('buyerName', direction);
    const rows = await selectSlice(db, within, order, { offset, limit: slice.limit - ids.length })
      .where((expression) =>
        keys.length === 1 && only !== undefined
          ? expression('buyer_name_folded', '=', only)
          : expression('buyer_name_folded', 'in', keys),
      )
      .execute();
    ids.push(...toIds(rows));
  }
  return ids;
}

async function findNames(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  { slice, names: part }: { readonly slice: Slice; readonly names: NamesWithPart | null },
): Promise<PageWindow<string> | null> {
  const { offset, limit } = slice;
  let before = 0;
  let from: { readonly entry?: string; readonly included?: boolean; readonly direction: Direction } = { direction };
  if (part === null && offset > SHORT_WALK) {
    const initials = await groupByInitial(db, search);
    const ordered = inDirection(initials, direction);
    const start = findWindow(ordered, { offset, limit: 1 })?.groups[0];
    if (!start) return null;
    const place = ordered.indexOf(start);
    before = countDocuments(ordered.slice(0, place));
    // Names that begin with an initial come from it on and before the next higher one.
    const next = ordered[place - 1];
    if (direction === 'asc') from = { entry: start.key, included: true, direction };
    else if (next) from = { entry: next.key, direction };
  }
  const names: Group<string>[] = [];
  for (let known = 0; known < offset - before + limit; ) {
    const more = await groupByName(db, search, part, { from, limit: NAMES_AT_A_TIME });
    names.push(...more);
    known += countDocuments(more);
    const last = more.at(-1);
    if (!last || more.length < NAMES_AT_A_TIME) break;
    from = { entry: last.key, direction };
  }
  return findWindow(names, { offset: offset - before, limit });
}

/**
 * Either walks along the order until the page is found, or gathers all that match and sorts them: whichever looks at
 * fewer rows, given how many match among how many.
 */
async function pageOfRows(
  db: Kysely<CoreTables>,
  asked: Search,
  order: Order,
  { slice, totals }: { readonly slice: Slice; readonly totals: Totals },
): Promise<string[]> {
  const { total, candidates } = totals;
  const hasPart = asked.name !== null || asked.digits !== null;
  const among = hasPart ? totals.filtered : await countScope(db, asked);
  const walked = ((slice.offset + slice.limit) * among) / Math.max(1, total);
  // Where the index does not tell the status, a row that is walked past is looked up as well.
  const isLookedUp = hasPart && asked.filter.status === 'AUTHORIZED' && asked.traits.rewritesIndexes;
  const isWalk = walked < Math.min(total, candidates.count) * (isLookedUp ? 1 : GATHERING_COST);
  const rows = isWalk ? walked : Math.min(candidates.count, totals.filtered);
  const search = order[0]?.[0] === 'sequential' ? asked : await toldByOthers(db, asked, rows);
  if (isWalk) {
    return toIds(
      await selectSlice(db, search, order, slice)
        .where(await whenCreated(db, search, order))
        .execute(),
    );
  }
  const columns = order.map(([column]) => column);
  // The limit keeps the database from walking along the order after all; documents stored meanwhile have room in it.
  const { query } = await selectMatching(db, search, candidates.count < totals.filtered ? candidates : ANY, columns);
  const found = query.select(columns).limit(2 * total + 100);
  let gathered = db.selectFrom(found.as('found')).select('id').limit(slice.limit).offset(slice.offset);
  for (const [column, direction] of order) gathered = gathered.orderBy(column, direction);
  return toIds(await gathered.execute());
}

/** When those of some issue dates are looked for along their creation, the others need not be walked past. */
async function whenCreated(db: Kysely<CoreTables>, search: Search, [first]: Order): Promise<RawBuilder<SqlBool>> {
  const { from, to } = search.filter;
  const isDated = from !== undefined || to !== undefined;
  const days = isDated && first?.[0] === 'created_at' ? await findCreatedDays(db, search) : null;
  if (!days) return sql`1 = 1`;
  return sql`created_at >= ${days.first * DAY_MS} and created_at < ${(days.last + 1) * DAY_MS}`;
}

/** How many rows of an index are walked in the time in which one is gathered. */
const GATHERING_COST = 2;

function countScope(db: Kysely<CoreTables>, search: Search): Promise<number> {
  return countByFigures(db, { ...search, filter: {}, digits: null, name: null });
}
