import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CoreTables } from '../sql/schema.js';
import { EVERY, inFilter, inScope, ofType, type Search } from './conditions.js';
import { sumOf } from './figures.js';

/** The way a list is sorted. */
export type Direction = 'asc' | 'desc';

/** The lists whose documents are counted in blocks. */
export type BlockOrder = 'sequential' | 'counterparty_name';

/** Documents that share a value or a range of values by which lists are sorted. */
export interface Group {
  readonly key: string | number;
  readonly documents: number;
}

/** The groups that a page lies in. */
export interface PageWindow {
  /** Documents of the first group that come before the page. */
  readonly skip: number;
  /** Not empty; in the order of the list. */
  readonly groups: readonly Group[];
  readonly low: Group['key'];
  readonly high: Group['key'];
}

/**
 * Finds a page among groups.
 *
 * @param groups all of them, lowest first.
 * @returns null when the page lies behind all.
 */
export function findWindow(
  groups: readonly Group[],
  direction: Direction,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): PageWindow | null {
  const found: Group[] = [];
  let before = 0;
  let skip = 0;
  for (const group of direction === 'asc' ? groups : groups.toReversed()) {
    if (before >= offset + limit) break;
    if (before + group.documents > offset) {
      if (found.length === 0) skip = offset - before;
      found.push(group);
    }
    before += group.documents;
  }
  const [first, last] = [found.at(0), found.at(-1)];
  if (!first || !last) return null;
  const [low, high] = direction === 'asc' ? [first, last] : [last, first];
  return { skip, groups: found, low: low.key, high: high.key };
}

export function countDocuments(groups: readonly Group[]): number {
  return groups.reduce((sum, { documents }) => sum + documents, 0);
}

/**
 * Counts the documents of the filter by a column of their figures, lowest first. Searched parts are ignored.
 *
 * @param sortedBy counts the blocks of this order instead. They know only the type of the filter.
 * @param where a condition on the figures.
 */
export async function groupBy(
  db: Kysely<CoreTables>,
  search: Search,
  column: 'created_day' | 'issue_date' | 'status' | 'issuer_id' | 'block',
  { sortedBy, where = EVERY }: { readonly sortedBy?: BlockOrder; readonly where?: RawBuilder<SqlBool> } = {},
): Promise<readonly Group[]> {
  const key = sql.ref(column);
  const documents = sumOf(sql.ref('documents'));
  const figures = sortedBy
    ? sql`sri_blocks where sorted_by = ${sortedBy} and ${ofType(search)}`
    : sql`sri_figures where ${inFilter(search)}`;
  // The database sorts names by code points; JavaScript does not.
  const order = column === 'block' ? sql`order by ${key}` : sql``;
  const { rows } = await sql<Group>`select ${key} as key, ${documents} as documents from ${figures}
    and ${inScope(search)} and ${where} group by ${key} having ${documents} > 0 ${order}`.execute(db);
  return column === 'block' ? rows : rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
