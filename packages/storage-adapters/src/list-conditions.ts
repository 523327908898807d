import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type DocumentQuery, foldCase, type Scope } from 'sri-core';
import type { DialectTraits } from './traits.js';

/** A query as the database is asked: in which scope, and with parts folded. */
export interface Search {
  readonly scope: Scope;
  readonly filter: Pick<DocumentQuery, 'status' | 'documentType' | 'from' | 'to'>;
  /** Part of the nine digits; null for any. */
  readonly digits: string | null;
  /** Part of the folded name; null for any. */
  readonly name: string | null;
  readonly traits: Pick<DialectTraits, 'isAmong'>;
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
export function matchingWithin({ filter, digits, name }: Search): RawBuilder<SqlBool> {
  const { status, documentType, from, to } = filter;
  const all = [sql<SqlBool>`1 = 1`];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (documentType !== undefined) all.push(sql`document_type = ${documentType}`);
  if (from !== undefined) all.push(sql`issue_date >= ${from}`);
  if (to !== undefined) all.push(sql`issue_date <= ${to}`);
  if (digits !== null) all.push(holds('sequential_digits', digits));
  if (name !== null) all.push(holds('buyer_name_folded', name));
  return sql.join(all, sql` and `);
}

/** Whether a column holds a part, every character of which means itself. */
export function holds(column: 'sequential_digits' | 'buyer_name_folded' | 'entry', part: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}
