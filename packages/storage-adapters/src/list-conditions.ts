import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type DocumentQuery, foldCase, type Scope } from 'sri-core';
import type { DialectTraits } from './traits.js';
import { isOneOf } from './value-lists.js';

/** What a list shows, as the database is asked. */
export interface Search {
  readonly scope: Scope;
  readonly filter: Pick<DocumentQuery, 'status' | 'documentType' | 'from' | 'to'>;
  /** Part of the nine digits; null for any. */
  readonly digits: string | null;
  /** Part of the folded name; null for any. */
  readonly name: string | null;
  readonly traits: Pick<DialectTraits, 'takesArrays' | 'isAmong'>;
}

/** How rows with a part are found: through an index of what holds the part, or by a look at each row. */
export interface PartLookup {
  /** The numbers that hold the digits; null when each row is looked at. */
  readonly numbers: readonly number[] | null;
  /** Whether the names that hold the part are found first. */
  readonly byName: boolean;
}

export function toSearch(
  traits: Search['traits'],
  scope: Scope,
  { sequential, buyerName, status, documentType, from, to }: DocumentQuery,
): Search {
  return {
    traits,
    scope,
    filter: {
      ...(status !== undefined && { status }),
      ...(documentType !== undefined && { documentType }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    },
    digits: sequential === undefined ? null : foldCase(sequential),
    name: buyerName === undefined ? null : foldCase(buyerName),
  };
}

/** Rows of the search's scope, in any table. */
export function inScope({ scope }: Pick<Search, 'scope'>): RawBuilder<SqlBool> {
  return sql`issuer_id = ${scope.issuerId} and environment = ${scope.environment}`;
}

/** Rows that match the filter, of the documents or of their figures. */
export function inFilter({ filter: { status, documentType, from, to } }: Search): RawBuilder<SqlBool> {
  const all = [sql<SqlBool>`1 = 1`];
  // The words of the partial index: of a status that is a parameter the planner does not know that the index holds it.
  if (status !== undefined && status !== 'AUTHORIZED') all.push(sql`status <> 'AUTHORIZED'`);
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (documentType !== undefined) all.push(sql`document_type = ${documentType}`);
  if (from !== undefined) all.push(sql`issue_date >= ${from}`);
  if (to !== undefined) all.push(sql`issue_date <= ${to}`);
  return sql.join(all, sql` and `);
}

/** Documents that hold the parts of the search. */
export function holdsParts(search: Search, { numbers, byName }: PartLookup): RawBuilder<SqlBool> {
  const { traits, digits, name } = search;
  const all = [sql<SqlBool>`1 = 1`];
  if (numbers) all.push(isOneOf(traits, 'sequential', numbers, 'integer'));
  else if (digits !== null) all.push(holds(sql`substr(cast(1000000000 + sequential as text), 2)`, digits));
  if (name !== null && byName) all.push(traits.isAmong('counterparty_name_folded', namesWithPart(search)));
  else if (name !== null) all.push(holds(sql`counterparty_name_folded`, name));
  return sql.join(all, sql` and `);
}

/** The scope's rows of `sri_names` whose name holds the part. */
export function isNamed(search: Search): RawBuilder<SqlBool> {
  return sql`${inScope(search)} and ${holds(sql`name`, search.name ?? '')}`;
}

// --- internal ---

function namesWithPart(search: Search): RawBuilder<unknown> {
  return sql`(select name from sri_names where ${isNamed(search)})`;
}

/** Whether a text holds a part, every character of which means itself. */
function holds(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  return sql`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}
