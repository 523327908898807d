import type { Kysely } from 'kysely';
import type { DocumentQuery } from 'sri-core';
import { inScope, matchingWithin, type Search } from './list-conditions.js';
import type { Direction } from './list-groups.js';
import type { ListColumn } from './list-totals.js';
import type { CoreTables } from './schema.js';
import { inNumberedScope } from './scope-numbers.js';

/** Where a page begins, and how long it is at most. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** What a list is sorted by, one column after the other. */
export type Order = readonly (readonly [ListColumn, Direction])[];

/** A total order: the column asked for, and newest first among equals. */
export function orderOf(sortBy: NonNullable<DocumentQuery['sortBy']>, direction: Direction): Order {
  return sortBy === 'createdAt' ? byCreation(direction) : [[SORT_COLUMNS[sortBy], direction], ...byCreation('desc')];
}

/** By creation, and by id among those of one moment. */
export function byCreation(direction: Direction): Order {
  return [
    ['created_at', direction],
    ['id', direction],
  ];
}

/** The ids of a slice of all that match, read along an order. */
export function selectSlice(db: Kysely<CoreTables>, search: Search, order: Order, { offset, limit }: Slice) {
  const isByNumber = order[0]?.[0] === 'sequential';
  let query = db
    .selectFrom('sri_documents')
    .select('id')
    .where(isByNumber ? inNumberedScope(search.traits, search.scope) : inScope(search))
    .where(matchingWithin(search))
    .limit(limit)
    .offset(offset);
  for (const [column, direction] of order) query = query.orderBy(column, direction);
  return query;
}

/** A page of documents that most are like, looked for among about twice as many as it would take if all were. */
export function selectNearby(db: Kysely<CoreTables>, search: Search, direction: Direction, { offset, limit }: Slice) {
  const { status, ...filter } = search.filter;
  const many = { offset: 0, limit: 2 * (offset + limit) + 50 };
  const nearby = selectSlice(db, { ...search, filter }, byCreation(direction), many);
  const found = nearby.select(['created_at', 'status']).as('found');
  return db
    .selectFrom(found)
    .select('id')
    .where('status', '=', status ?? '')
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset);
}

export function toIds(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

// --- internal ---

const SORT_COLUMNS = {
  sequential: 'sequential',
  buyerName: 'buyer_name_folded',
  issueDate: 'issue_date',
  status: 'status',
  createdAt: 'created_at',
} as const satisfies Record<NonNullable<DocumentQuery['sortBy']>, ListColumn>;
