import { type Kysely, type SqlBool, sql } from 'kysely';
import { DOCUMENT_TYPES } from 'sri-core';
import { sumOf } from './figures.js';
import { inScope, type Search } from './list-conditions.js';
import { boundsOf, type Direction, findWindow, type Group, inDirection, type PageWindow } from './list-groups.js';
import type { CoreTables } from './schema.js';

/** The blocks of numbers a page lies in, looked for in the hundreds of blocks it lies in. */
export async function findBlocks(
  db: Kysely<CoreTables>,
  search: Search,
  direction: Direction,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PageWindow<string> | null> {
  const hundreds = inDirection(await groupByHead(db, search, HUNDRED_LENGTH), direction);
  const start = findWindow(hundreds, { offset, limit });
  const bounds = start && boundsOf(start);
  if (!start || !bounds) return null;
  const blocks = await groupByHead(db, search, BLOCK_LENGTH, { first: bounds.low, last: `${bounds.high}99` });
  return findWindow(inDirection(blocks, direction), { offset: start.skip, limit });
}

// --- internal ---

/** First digits that the numbers of a block share, and those of a hundred blocks. */
const BLOCK_LENGTH = 6;
const HUNDRED_LENGTH = 4;

/** Documents by the first digits of their numbers, at most as many as name a block, lowest first. */
async function groupByHead(
  db: Kysely<CoreTables>,
  search: Search,
  length: number,
  blocks?: { readonly first: string; readonly last: string },
): Promise<Group<string>[]> {
  const { documentType } = search.filter;
  const head = sql<string>`substr(entry, 1, ${sql.lit(length)})`;
  const rows = await db
    .selectFrom('sri_counts')
    .select((expression) => [head.as('key'), sumOf(expression.ref('documents')).as('documents')])
    .where(inScope(search))
    .where('kind', 'in', documentType === undefined ? DOCUMENT_TYPES : [documentType])
    .where('documents', '>', 0)
    .$if(blocks !== undefined, (query) => query.where(sql<SqlBool>`entry between ${blocks?.first} and ${blocks?.last}`))
    .groupBy(head)
    .execute();
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
