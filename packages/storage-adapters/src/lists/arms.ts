import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import type { CoreTables } from '../sql/schema.js';
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
  const wanted = sql`${order} limit ${offset + limit}`;
  const parts = arms.map((arm) => {
    const { issuerId, where, gathered } = arm;
    const rows = sql`select id, created_at, ${sql.ref(column)} as sorted from sri_documents ${indexOf(search, arm)}
      where ${inScope(ofIssuer(search, issuerId))} and ${filterOf(search, arm)} and ${where}`;
    // The limit, which is never reached, keeps a planner from walking the order's index in any case.
    if (gathered !== undefined) return sql`select * from (${rows} limit ${gathered + 1_000}) as gathered`;
    return arms.length === 1 || search.traits.mergesUnions ? rows : sql`select * from (${rows} ${wanted}) as walked`;
  });
  const all = inGroups(parts, (rows) => sql`select * from ${rows} ${wanted}`);
  const { rows } = await sql<{ readonly id: string }>`${all} ${order} limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many documents of each arm match the filter of the search, in order. */
export async function countArms(
  db: Kysely<CoreTables>,
  search: Search,
  arms: readonly Arm[],
): Promise<readonly number[]> {
  if (arms.length === 0) return [];
  const parts = arms.map(
    (arm, place) => sql`select ${sql.lit(place)} as place, count(*) as documents
      from sri_documents ${indexOf(search, arm)} where ${inScope(ofIssuer(search, arm.issuerId))} and ${filterOf(search, arm)} and ${arm.where}`,
  );
  const grouped = inGroups(
    parts,
    (rows) => sql`select place, documents from ${rows} order by place limit ${arms.length}`,
  );
  const { rows } = await sql<{ readonly place: number; readonly documents: number }>`${grouped}`.execute(db);
  const counts = new Map(rows.map(({ place, documents }) => [place, documents]));
  return arms.map((_, place) => counts.get(place) ?? 0);
}

// --- internal ---

const SORT_COLUMNS = {
  sequential: 'sequential',
  buyerName: 'counterparty_name_folded',
  issueDate: 'issue_date',
  status: 'status',
  createdAt: 'created_at',
} as const satisfies Record<Order['sortBy'], string>;

/** A database takes at most 500 queries in one `union all`. */
const MOST_IN_UNION = 100;

function filterOf(search: Search, { isByOther }: Arm): RawBuilder<SqlBool> {
  const { status: _, ...filter } = search.filter;
  const others = isByOther ? inFilter({ filter }, search.traits.unindexed('issue_date')) : inFilter({ filter });
  return sql`${inStatus(search)} and ${others}`;
}

function indexOf({ traits }: Search, { index }: Arm): RawBuilder<unknown> {
  return index === undefined ? sql`` : traits.readBy(index);
}

/** All rows of the queries. @param each wraps a group of them, so that groups stay apart. */
function inGroups(
  queries: readonly RawBuilder<unknown>[],
  each: (rows: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const groups: RawBuilder<unknown>[] = [];
  for (let start = 0; start < queries.length; start += MOST_IN_UNION) {
    groups.push(sql.join(queries.slice(start, start + MOST_IN_UNION), sql` union all `));
  }
  if (groups.length === 1) return sql.join(groups);
  const wrapped = groups.map((group) => sql`select * from (${each(sql`(${group}) as joined`)}) as group_of_arms`);
  return sql.join(wrapped, sql` union all `);
}
