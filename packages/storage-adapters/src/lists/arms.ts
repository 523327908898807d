import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import type { CoreTables } from '../sql/schema.js';
import { isOneOf } from '../sql/value-lists.js';
import { inFilter, inScope, inStatus, ofIssuer, type Search } from './conditions.js';
import type { Direction } from './windows.js';

/**
 * The documents of one issuer in a list. Each index begins with the issuer, so that each issuer is read separately. The
 * arms of a list share no document.
 */
export interface Arm {
  readonly issuerId: string;
  readonly where: RawBuilder<SqlBool>;
  /** Whether an index other than that of the issue dates finds them; the query then avoids the latter. */
  readonly isByOther?: boolean;
  /** The index to read, where the planner would choose another one with more columns. */
  readonly index?: string;
  /** Their number, when the condition finds them and they are sorted afterwards; absent to walk them in order. */
  readonly gathered?: number;
}

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

/** The ids of a slice of the documents of all arms that match the filter of the search. */
export async function selectIds(
  db: Kysely<CoreTables>,
  search: Search,
  arms: readonly Arm[],
  { sortBy, direction, offset, limit }: Order & Slice,
): Promise<readonly string[]> {
  const column = SORT_COLUMNS[sortBy];
  const newest = sortBy === 'createdAt' ? sql`id ${sql.raw(direction)}` : sql`created_at desc, id desc`;
  const order = sql`order by sorted ${sql.raw(direction)}, ${newest}`;
  const columns = sql`select id, created_at, ${sql.ref(column)} as sorted from sri_documents`;
  const wanted = sql`${order} limit ${offset + limit}`;
  async function read(rows: RawBuilder<unknown>, slice: Slice): Promise<readonly string[]> {
    const page = sql<{ readonly id: string }>`${rows} ${order} limit ${slice.limit} offset ${slice.offset}`;
    return (await page.execute(db)).rows.map(({ id }) => id);
  }
  const groups = toGroups(arms).map((group) => {
    const parts = group.map((arm) => {
      const { issuerId, where, gathered } = arm;
      const rows = sql`${columns} ${indexOf(search, arm)}
        where ${inScope(ofIssuer(search, issuerId))} and ${filterOf(search, arm)} and ${where}`;
      // The limit, which is never reached, keeps a planner from walking the order's index in any case.
      if (gathered !== undefined) return sql`select * from (${rows} limit ${gathered + 1_000}) as gathered`;
      return arms.length === 1 || search.traits.mergesUnions ? rows : sql`select * from (${rows} ${wanted}) as walked`;
    });
    return sql.join(parts, sql` union all `);
  });
  const [only] = groups;
  if (!only) return [];
  if (groups.length === 1) return read(only, { offset, limit });
  const firstOfGroups: (readonly string[])[] = [];
  for (const group of groups) firstOfGroups.push(await read(group, { offset: 0, limit: offset + limit }));
  const ids = firstOfGroups.flat();
  return read(sql`${columns} where ${isOneOf(search.traits, 'id', ids, 'uuid')}`, { offset, limit });
}

/** How many documents of each arm match the filter of the search, in order. */
export async function countArms(
  db: Kysely<CoreTables>,
  search: Search,
  arms: readonly Arm[],
): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const group of toGroups(arms)) {
    const parts = group.map(
      (arm, place) => sql`select ${sql.lit(place)} as place, count(*) as documents
        from sri_documents ${indexOf(search, arm)} where ${inScope(ofIssuer(search, arm.issuerId))} and ${filterOf(search, arm)} and ${arm.where}`,
    );
    const counted = sql<{ readonly documents: number }>`${sql.join(parts, sql` union all `)} order by place`;
    for (const { documents } of (await counted.execute(db)).rows) counts.push(documents);
  }
  return counts;
}

// --- internal ---

const SORT_COLUMNS = {
  sequential: 'sequential',
  buyerName: 'counterparty_name_folded',
  issueDate: 'issue_date',
  status: 'status',
  createdAt: 'created_at',
} as const satisfies Record<Order['sortBy'], string>;

/** The arms of one statement. All full statements have one text, and few values: a database compiles it once. */
const MOST_IN_UNION = 100;

function filterOf(search: Search, { isByOther }: Arm): RawBuilder<SqlBool> {
  const { status: _, ...filter } = search.filter;
  const others = isByOther ? inFilter({ filter }, search.traits.unindexed('issue_date')) : inFilter({ filter });
  return sql`${inStatus(search)} and ${others}`;
}

function indexOf({ traits }: Search, { index }: Arm): RawBuilder<unknown> {
  return index === undefined ? sql`` : traits.readBy(index);
}

function toGroups(arms: readonly Arm[]): readonly (readonly Arm[])[] {
  const groups: (readonly Arm[])[] = [];
  for (let start = 0; start < arms.length; start += MOST_IN_UNION)
    groups.push(arms.slice(start, start + MOST_IN_UNION));
  return groups;
}
