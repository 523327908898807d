import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DOCUMENT_STATUSES, type DocumentQuery, foldCase, type Scope } from 'sri-core';
import type { DialectTraits } from './traits.js';

/** A query as the database is asked: in which scope, and with parts folded. */
export interface Search {
  readonly scope: Scope;
  readonly filter: Pick<DocumentQuery, 'status' | 'documentType' | 'from' | 'to'>;
  /** Part of the nine digits; null for any. */
  readonly digits: string | null;
  /** Part of the folded name; null for any. */
  readonly name: string | null;
  /** Whether those that are authorized are left out; with any status. */
  readonly isUnauthorized?: boolean;
  /** Whether the others are so few that the authorized ones are told by not being among them. */
  readonly isButFew?: boolean;
  readonly traits: Pick<DialectTraits, 'isAmong' | 'rewritesIndexes' | 'numberOf'>;
}

export function toSearch(
  traits: DialectTraits,
  scope: Scope,
  { sequential, buyerName, ...filter }: DocumentQuery,
): Search {
  return {
    traits,
    scope,
    filter,
    digits: sequential === undefined ? null : foldCase(sequential),
    name: buyerName === undefined ? null : foldCase(buyerName),
  };
}

/** Rows of the search's scope. */
export function inScope({ scope }: Search): RawBuilder<SqlBool> {
  return sql`issuer_id = ${scope.issuerId} and environment = ${scope.environment}`;
}

/** The documents that match in everything. */
export function matching(search: Search): RawBuilder<SqlBool> {
  return sql`${inScope(search)} and ${matchingWithin(search)}`;
}

/** The documents that match, of those in the scope. */
export function matchingWithin(search: Search): RawBuilder<SqlBool> {
  const { filter, digits, name, isUnauthorized } = search;
  const { status, documentType, from, to } = filter;
  const all = [sql<SqlBool>`1 = 1`];
  // The very words of the index: of a status that is a parameter no planner knows that the index holds it.
  if (isUnauthorized || (status !== undefined && status !== 'AUTHORIZED')) all.push(sql`status <> 'AUTHORIZED'`);
  // Named as well, so that a database whose index holds them all goes straight to each.
  if (isUnauthorized) all.push(sql`status in (${sql.join(OTHERS)})`);
  if (search.isButFew) all.push(isNoOther(search));
  else if (status !== undefined) all.push(sql`status = ${status}`);
  if (documentType !== undefined) all.push(sql`document_type = ${documentType}`);
  if (from !== undefined) all.push(sql`issue_date >= ${from}`);
  if (to !== undefined) all.push(sql`issue_date <= ${to}`);
  if (digits !== null) all.push(holds('sequential_digits', digits));
  if (name !== null) all.push(holds('buyer_name_folded', name));
  return sql.join(all, sql` and `);
}

const OTHERS = DOCUMENT_STATUSES.filter((status) => status !== 'AUTHORIZED');

/** The most others that are told one by one. */
export const FEW_OTHERS = 20_000;

/**
 * Leaves the rows alone, for indexes that do not hold the status. The limit, which is never reached, tells a planner that
 * the others have room in memory.
 */
function isNoOther(search: Search): RawBuilder<SqlBool> {
  return sql`id not in (select id from sri_documents where ${inScope(search)} and status <> 'AUTHORIZED'
    limit ${sql.lit(2 * FEW_OTHERS)})`;
}

/** Whether a column holds a part, every character of which means itself. */
export function holds(column: 'sequential_digits' | 'buyer_name_folded' | 'entry', part: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}
