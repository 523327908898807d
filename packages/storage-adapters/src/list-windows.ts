import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { sumOf } from './figures.js';
import { inFilter, inScope, type Search } from './list-conditions.js';
import type { CoreTables } from './schema.js';

/** The way a list is sorted. */
export type Direction = 'asc' | 'desc';

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
    if (before + group.documents > offset && group.documents > 0) {
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
 * Counts the documents that match the filter by a column of the figures, lowest first. Searched parts are ignored.
 *
 * @param where a condition on the figures.
 */
export async function groupByFigures(
  db: Kysely<CoreTables>,
  search: Search,
  column: 'created_day' | 'issue_date' | 'status' | 'issuer_id',
  where: RawBuilder<SqlBool> = sql`1 = 1`,
): Promise<readonly Group[]> {
  const rows = await db
    .selectFrom('sri_figures')
    .select(({ ref }) => [ref(column).as('key'), sumOf(ref('documents')).as('documents')])
    .where(inScope(search))
    .where(inFilter(search))
    .where(where)
    .groupBy(column)
    .having(({ ref }) => sumOf(ref('documents')), '>', 0)
    .execute();
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** The documents of the filter's type by block, lowest first. */
export async function groupByBlock(
  db: Kysely<CoreTables>,
  search: Search,
  sortedBy: 'sequential' | 'counterparty_name',
): Promise<readonly Group[]> {
  const { documentType } = search.filter;
  let query = db
    .selectFrom('sri_blocks')
    .select(({ ref }) => ['block as key', sumOf(ref('documents')).as('documents')])
    .where(inScope(search))
    .where('sorted_by', '=', sortedBy)
    .groupBy('block')
    // The database sorts by code points; JavaScript does not.
    .orderBy('block');
  if (documentType !== undefined) query = query.where('document_type', '=', documentType);
  return query.execute();
}
