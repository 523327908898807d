import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from 'sri-core';
import { sumOf } from './figures.js';
import { inScope, type Search } from './list-conditions.js';
import type { CoreTables } from './schema.js';

/** Documents that share a value by which lists are sorted. */
export interface Group<Key> {
  readonly key: Key;
  readonly documents: number;
}

/** Which groups a page lies in. */
export interface PageWindow<Key> {
  /** Documents of the first group that come before the page. */
  readonly skip: number;
  /** Not empty; in the order of the list. Only of the last one may more remain behind the page. */
  readonly groups: readonly Group<Key>[];
}

/** Finds a page among the groups, given in the order of the list. @returns null when the page lies behind all. */
export function findWindow<Key>(
  groups: Iterable<Group<Key>>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): PageWindow<Key> | null {
  const found: Group<Key>[] = [];
  let before = 0;
  let skip = 0;
  for (const group of groups) {
    if (before >= offset + limit) break;
    if (before + group.documents > offset && group.documents > 0) {
      if (found.length === 0) skip = offset - before;
      found.push(group);
    }
    before += group.documents;
  }
  return found.length === 0 ? null : { skip, groups: found };
}

/** The way a list is sorted. */
export type Direction = 'asc' | 'desc';

/** Groups in the order of the list, given lowest first. */
export function inDirection<Key>(groups: readonly Group<Key>[], direction: Direction): readonly Group<Key>[] {
  return direction === 'asc' ? groups : groups.toReversed();
}

/** Lowest and highest key of a window. */
export function boundsOf<Key>({ groups }: PageWindow<Key>): { readonly low: Key; readonly high: Key } | null {
  const [first, last] = [groups.at(0), groups.at(-1)];
  if (!first || !last) return null;
  return first.key < last.key ? { low: first.key, high: last.key } : { low: last.key, high: first.key };
}

export function countDocuments(groups: readonly { readonly documents: number }[]): number {
  return groups.reduce((sum, { documents }) => sum + documents, 0);
}

/** Columns of the figures by which documents are grouped. */
export type FigureColumn = 'created_day' | 'issue_date' | 'status';

/** The documents that match the filter, parts aside, in groups, lowest first. */
export async function groupByFigures(
  db: Kysely<CoreTables>,
  search: Search,
  column: FigureColumn,
): Promise<Group<string | number>[]> {
  const kind = singleKind(search, column);
  if (kind !== null) {
    const counted = await filteredCounts(db, search, kind).select(['entry as key', 'documents']).execute();
    const groups = column === 'created_day' ? counted.map((group) => ({ ...group, key: Number(group.key) })) : counted;
    return groups.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
  const rows = await filteredFigures(db, search)
    .select((expression) => [expression.ref(column).as('key'), sumOf(expression.ref('documents')).as('documents')])
    .groupBy(column)
    .execute();
  // Sorted here, because collecting the rows in any order is cheaper for the database.
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** How many documents match the filter, parts aside. */
export async function countByFigures(db: Kysely<CoreTables>, search: Search): Promise<number> {
  const { status, documentType } = search.filter;
  const documents = sumOf(sql.ref('documents')).as('documents');
  if (documentType === undefined && !hasDates(search)) {
    let counted = filteredCounts(db, search, 'status').select(documents);
    if (status !== undefined) counted = counted.where('entry', '=', status);
    return (await counted.executeTakeFirstOrThrow()).documents;
  }
  const isPlain = status === undefined && documentType === undefined;
  const kind = singleKind(search, isPlain ? 'issue_date' : 'created_day');
  const counted =
    kind === null ? filteredFigures(db, search).select(documents) : filteredCounts(db, search, kind).select(documents);
  return (await counted.executeTakeFirstOrThrow()).documents;
}

/** The days, since 1970, between which those that match the filter were created; null when there are none. */
export async function findCreatedDays(
  db: Kysely<CoreTables>,
  search: Search,
): Promise<{ readonly first: number; readonly last: number } | null> {
  const { first, last } = await filteredFigures(db, search)
    .select(({ fn }) => [fn.min('created_day').as('first'), fn.max('created_day').as('last')])
    .executeTakeFirstOrThrow();
  return first === null || last === null ? null : { first, last };
}

/** Documents by an entry of one kind, lowest first unless told otherwise. */
export async function groupByEntry(
  db: Kysely<CoreTables>,
  search: Search,
  { kind, from, limit }: EntryQuery,
): Promise<Group<string>[]> {
  let query = db
    .selectFrom('sri_counts')
    .select(['entry as key', 'documents'])
    .where(inScope(search))
    .where('kind', '=', kind)
    .where('documents', '>', 0)
    .where(onlyFrom(from))
    .orderBy('entry', from?.direction ?? 'asc');
  if (limit !== undefined) query = query.limit(limit);
  return query.execute();
}

/** The entries from one on, in its direction. */
export function onlyFrom(from: EntryQuery['from']): RawBuilder<SqlBool> {
  if (from?.entry === undefined) return sql`1 = 1`;
  const behind = sql.raw(`${from.direction === 'asc' ? '>' : '<'}${from.included ? '=' : ''}`);
  return sql`entry ${behind} ${from.entry}`;
}

/** From which block of numbers on there are how many, and whether none is missing in between. */
export async function readSpan(
  db: Kysely<CoreTables>,
  search: Search,
  kind: string,
): Promise<{ readonly first: number; readonly count: number; readonly isWhole: boolean }> {
  const { low, high, count } = await db
    .selectFrom('sri_counts')
    .select(({ fn }) => [fn.min('entry').as('low'), fn.max('entry').as('high'), fn.countAll<number>().as('count')])
    .where(inScope(search))
    .where('kind', '=', kind)
    .where('documents', '>', 0)
    .executeTakeFirstOrThrow();
  const first = Number(low ?? 0);
  return { first, count, isWhole: Number(high ?? 0) - first + 1 === count };
}

/** Which entries to read. */
export interface EntryQuery {
  readonly kind: string;
  /** Beyond which entry to begin, or with it, and in which direction to go on. */
  readonly from?: { readonly entry?: string; readonly included?: boolean; readonly direction: Direction };
  readonly limit?: number;
}

// --- internal ---

function hasDates({ filter: { from, to } }: Search): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * The kind of count that answers for a filter alone. These are as many as there are days, however many documents there
 * are, while the figures are some ten times more once an issuer is busy.
 */
function singleKind(search: Search, column: FigureColumn): string | null {
  const { status, documentType } = search.filter;
  const isPlain = status === undefined && documentType === undefined;
  if (column === 'issue_date') return isPlain ? 'issued' : null;
  if (hasDates(search)) return null;
  if (column === 'status') return isPlain ? 'status' : null;
  if (isPlain) return 'created';
  if (status !== undefined && documentType !== undefined) return null;
  return `created ${status ?? documentType}`;
}

/** Dates only narrow down the kind whose entries are dates. */
function filteredCounts(db: Kysely<CoreTables>, search: Search, kind: string) {
  const { from, to } = search.filter;
  let query = db.selectFrom('sri_counts').where(inScope(search)).where('kind', '=', kind).where('documents', '>', 0);
  if (from !== undefined) query = query.where('entry', '>=', from);
  if (to !== undefined) query = query.where('entry', '<=', to);
  return query;
}

function filteredFigures(db: Kysely<CoreTables>, search: Search) {
  const { status, documentType, from, to } = search.filter;
  // Naming all of them lets the database go straight to the dates of each, by which the rows are sorted last.
  let query = db
    .selectFrom('sri_figures')
    .where(inScope(search))
    .where('status', 'in', status === undefined ? DOCUMENT_STATUSES : [status])
    .where('document_type', 'in', documentType === undefined ? DOCUMENT_TYPES : [documentType]);
  if (from !== undefined) query = query.where('issue_date', '>=', from);
  if (to !== undefined) query = query.where('issue_date', '<=', to);
  return query;
}
