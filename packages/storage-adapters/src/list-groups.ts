import { type Kysely, sql } from 'kysely';
import { sumOf } from './figures.js';
import { holds, inScope, type Search } from './list-conditions.js';
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
  const isPlain = status === undefined && documentType === undefined;
  const kind = singleKind(search, isPlain ? (hasDates(search) ? 'issue_date' : 'status') : 'created_day');
  const documents = sumOf(sql.ref('documents')).as('documents');
  const counted =
    kind === null ? filteredFigures(db, search).select(documents) : filteredCounts(db, search, kind).select(documents);
  return (await counted.executeTakeFirstOrThrow()).documents;
}

/** Documents by an entry of one kind, lowest first. */
export async function groupByEntry(
  db: Kysely<CoreTables>,
  search: Search,
  { kind, from, limit, part }: EntryQuery,
): Promise<Group<string>[]> {
  const { direction = 'asc' } = from ?? {};
  let query = db
    .selectFrom('sri_counts')
    .select(['entry as key', 'documents'])
    .where(inScope(search))
    .where('kind', '=', kind)
    .where('documents', '>', 0)
    .orderBy('entry', direction);
  if (from?.entry !== undefined) {
    const behind = direction === 'asc' ? '>' : '<';
    query = query.where('entry', from.included ? (`${behind}=` as const) : behind, from.entry);
  }
  if (limit !== undefined) query = query.limit(limit);
  if (part != null) query = query.where(holds('entry', part));
  return query.execute();
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
  readonly from?: { readonly entry?: string; readonly included?: boolean; readonly direction: 'asc' | 'desc' };
  readonly limit?: number;
  /** What the entries hold. */
  readonly part?: string | null;
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
  let query = db.selectFrom('sri_figures').where(inScope(search));
  if (status !== undefined) query = query.where('status', '=', status);
  if (documentType !== undefined) query = query.where('document_type', '=', documentType);
  if (from !== undefined) query = query.where('issue_date', '>=', from);
  if (to !== undefined) query = query.where('issue_date', '<=', to);
  return query;
}
