import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import { BLOCK_SIZE, DAY_MS, HEAD_LENGTH } from './figures.js';
import { type Arm, selectFromArms } from './list-arms.js';
import { looksForParts, type Search } from './list-conditions.js';
import {
  countDocuments,
  type Direction,
  findWindow,
  groupByBlock,
  groupByFigures,
  type PageWindow,
} from './list-windows.js';
import type { CoreTables } from './schema.js';

/** The order of a list. Documents that are equal in it stay newest created first. */
export interface Order {
  readonly sortBy: NonNullable<DocumentQuery['sortBy']>;
  readonly direction: Direction;
}

/** Where a page begins, and how long it is at most. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** The ids of a page, in order, and how many documents match in all. */
export interface FoundPage {
  readonly ids: readonly string[];
  readonly total: number;
}

/**
 * Finds a page through the figures. They show the days, statuses, numbers or names of the page, and only those rows are
 * read.
 *
 * @returns null when the figures do not count by the search.
 */
export async function findCountedPage(
  db: Kysely<CoreTables>,
  search: Search,
  order: Order,
  slice: Slice,
): Promise<FoundPage | null> {
  const { sortBy, direction } = order;
  if (looksForParts(search)) return null;
  const { documentType, ...others } = search.filter;
  const isPlain = Object.keys(others).length === 0;
  if (sortBy === 'createdAt' && isPlain && slice.offset <= SHORT_WALK) {
    const total = countDocuments(await groupByBlock(db, search, 'sequential'));
    if (total <= slice.offset) return { ids: [], total };
    if (await isDense(db, search, { documentType, total, end: slice.offset + slice.limit })) {
      return { ids: await selectIds(db, search, { order, slice, arms: walkAll(search, sql`1 = 1`) }), total };
    }
  }
  const isByBlock = sortBy === 'sequential' || sortBy === 'buyerName';
  if (isByBlock && !isPlain) return null;
  const groups = isByBlock
    ? await groupByBlock(db, search, sortBy === 'sequential' ? 'sequential' : 'counterparty_name')
    : await groupByFigures(db, search, FIGURE_COLUMNS[sortBy]);
  const total = countDocuments(groups);
  const window = findWindow(groups, direction, slice);
  if (!window) return { ids: [], total };
  if (sortBy === 'status') return { ids: await pageOfStatuses(db, search, window, slice.limit), total };
  const rest = { offset: window.skip, limit: slice.limit };
  return {
    ids: await selectIds(db, search, { order, slice: rest, arms: walkAll(search, isWithin(window, sortBy)) }),
    total,
  };
}

/** The ids of a slice of the documents of the arms that match the filter. */
export function selectIds(
  db: Kysely<CoreTables>,
  search: Search,
  { order, slice, arms }: Selection,
): Promise<readonly string[]> {
  const column = SORT_COLUMNS[order.sortBy];
  const direction = sql.raw(order.direction);
  const ordered =
    column === 'created_at'
      ? sql`order by sorted ${direction}, id ${direction}`
      : sql`order by sorted ${direction}, created_at desc, id desc`;
  return selectFromArms(db, search, arms, { column, order: ordered, ...slice });
}

/** Documents between the lowest and the highest group of a window. */
export function isWithin(
  { low, high }: Pick<PageWindow, 'low' | 'high'>,
  sortBy: Exclude<Order['sortBy'], 'status'>,
): RawBuilder<SqlBool> {
  switch (sortBy) {
    case 'createdAt':
      return sql`created_at >= ${Number(low) * DAY_MS} and created_at < ${(Number(high) + 1) * DAY_MS}`;
    case 'issueDate':
      return sql`issue_date between ${low} and ${high}`;
    case 'sequential':
      return sql`sequential >= ${Number(low) * BLOCK_SIZE} and sequential < ${(Number(high) + 1) * BLOCK_SIZE}`;
    case 'buyerName':
      return sql`counterparty_name_folded between ${low} and ${lastOfBlock(String(high))}`;
  }
}

/** Which documents are selected, and how. */
export interface Selection {
  readonly order: Order;
  readonly slice: Slice;
  readonly arms: readonly Arm[];
}

// --- internal ---

/** Up to here skipping rows is cheaper than reading the figures. */
const SHORT_WALK = 300;

/** Up to this many rows, a walk to a page of a rare type is cheaper than the figures. */
const LONGEST_WALK = 3_000;

const FIGURE_COLUMNS = { createdAt: 'created_day', issueDate: 'issue_date', status: 'status' } as const;

const SORT_COLUMNS = {
  sequential: 'sequential',
  buyerName: 'counterparty_name_folded',
  issueDate: 'issue_date',
  status: 'status',
  createdAt: 'created_at',
} as const satisfies Record<Order['sortBy'], string>;

/** An arm for each issuer, which is walked in order. */
function walkAll(search: Search, where: RawBuilder<SqlBool>): readonly Arm[] {
  return search.scope.issuerIds.map((issuerId) => ({ issuerId, where }));
}

/** Whether a walk through all documents soon finds the first documents of a type. */
async function isDense(
  db: Kysely<CoreTables>,
  search: Search,
  {
    documentType,
    total,
    end,
  }: { readonly documentType: string | undefined; readonly total: number; readonly end: number },
): Promise<boolean> {
  if (documentType === undefined) return true;
  if (search.scope.issuerIds.length > 1) return false;
  const all = countDocuments(await groupByBlock(db, { ...search, filter: {} }, 'sequential'));
  return (end * all) / total <= LONGEST_WALK;
}

/** The page of a list sorted by status. Each status is a list of its own, newest first. */
async function pageOfStatuses(
  db: Kysely<CoreTables>,
  search: Search,
  { groups, skip }: PageWindow,
  limit: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [index, { key }] of groups.entries()) {
    const status = key as NonNullable<DocumentQuery['status']>;
    const within = { ...search, filter: { ...search.filter, status } };
    const slice = { offset: index === 0 ? skip : 0, limit: limit - ids.length };
    const page = await findCountedPage(db, within, { sortBy: 'createdAt', direction: 'desc' }, slice);
    ids.push(...(page?.ids ?? []));
  }
  return ids;
}

/** The last name of a block: a name shorter than the head of a block has a block of its own. */
function lastOfBlock(block: string): string {
  return [...block].length < HEAD_LENGTH ? block : block + LAST_CHARACTERS;
}

/** Sorts behind every ending of a name, which has 300 characters at most, the last code point included. */
const LAST_CHARACTERS = '\u{10ffff}'.repeat(300);
