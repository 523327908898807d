import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import type { CoreTables } from '../sql/schema.js';
import { type Arm, type Order, type Slice, selectIds } from './arms.js';
import { EVERY, isOfAllDays, looksForParts, type Search } from './conditions.js';
import { BLOCK_SIZE, DAY_MS, HEAD_LENGTH } from './figures.js';
import { countDocuments, findWindow, groupBy, type PageWindow } from './windows.js';

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
  const isOfType = search.filter.status === undefined && isOfAllDays(search);
  if (sortBy === 'createdAt' && isOfType && slice.offset <= SHORT_WALK) {
    const total = countDocuments(await groupBy(db, search, 'block', { sortedBy: 'sequential' }));
    if (total <= slice.offset) return { ids: [], total };
    if (await isDense(db, search, total, slice.offset + slice.limit)) {
      return { ids: await selectIds(db, search, walkAll(search, EVERY), { ...order, ...slice }), total };
    }
  }
  const blocks = BLOCKS[sortBy];
  if (blocks && !isOfType) return null;
  const groups = await groupBy(db, search, FIGURES[sortBy], blocks ? { sortedBy: blocks } : {});
  const total = countDocuments(groups);
  const window = findWindow(groups, direction, slice);
  if (!window) return { ids: [], total };
  if (sortBy === 'status') return { ids: await pageOfStatuses(db, search, window, slice.limit), total };
  const arms = walkAll(search, isWithin(window, sortBy));
  return { ids: await selectIds(db, search, arms, { ...order, offset: window.skip, limit: slice.limit }), total };
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

// --- internal ---

/** Up to here skipping rows is cheaper than reading the figures. */
const SHORT_WALK = 300;

/** Up to this many rows, a walk to a page of a rare type is cheaper than the figures. */
const LONGEST_WALK = 3_000;

/** The column of the figures or blocks that a list is counted by. */
const FIGURES = {
  createdAt: 'created_day',
  issueDate: 'issue_date',
  status: 'status',
  sequential: 'block',
  buyerName: 'block',
} as const satisfies Record<Order['sortBy'], string>;

/** The blocks of a list; null for a list that the figures count. */
const BLOCKS = {
  createdAt: null,
  issueDate: null,
  status: null,
  sequential: 'sequential',
  buyerName: 'counterparty_name',
} as const satisfies Record<Order['sortBy'], string | null>;

/** An arm for each issuer, which is walked in order. */
function walkAll(search: Search, where: RawBuilder<SqlBool>): readonly Arm[] {
  return search.scope.issuerIds.map((issuerId) => ({ issuerId, where }));
}

/** Whether a walk through all documents soon finds those of the filter's type up to the `end` of a page. */
async function isDense(db: Kysely<CoreTables>, search: Search, total: number, end: number): Promise<boolean> {
  if (search.filter.documentType === undefined) return true;
  if (search.scope.issuerIds.length > 1) return false;
  const all = countDocuments(await groupBy(db, { ...search, filter: {} }, 'block', { sortedBy: 'sequential' }));
  return (end * all) / total <= LONGEST_WALK;
}

/** The page of a list sorted by status. Each status is a list of its own, newest first. */
async function pageOfStatuses(
  db: Kysely<CoreTables>,
  search: Search,
  { groups, skip }: PageWindow,
  limit: number,
): Promise<readonly string[]> {
  // A document whose status changes between two reads is found twice.
  const ids = new Set<string>();
  for (const [index, { key }] of groups.entries()) {
    const status = key as NonNullable<DocumentQuery['status']>;
    const within = { ...search, filter: { ...search.filter, status } };
    const slice = { offset: index === 0 ? skip : 0, limit };
    const page = await findCountedPage(db, within, { sortBy: 'createdAt', direction: 'desc' }, slice);
    for (const id of page?.ids ?? []) ids.add(id);
  }
  return [...ids].slice(0, limit);
}

/** The last name of a block: a name shorter than the head of a block has a block of its own. */
function lastOfBlock(block: string): string {
  return [...block].length < HEAD_LENGTH ? block : block + LAST_CHARACTERS;
}

/** Sorts behind every ending of a name, which has 300 characters at most, the last code point included. */
const LAST_CHARACTERS = '\u{10ffff}'.repeat(300);
