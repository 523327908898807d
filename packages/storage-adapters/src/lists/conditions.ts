import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type DocumentFilter,
  foldCase,
  type IssuersScope,
  MONEY_SCALE,
  parseDecimal,
  readSearchText,
  type Scope,
  type SearchText,
} from 'sri-core';
import { toStatusGroup } from '../documents/document-rows.js';
import { isStorable } from '../documents/find-documents.js';
import type { DialectTraits } from '../sql/traits.js';
import { isOneOf } from '../sql/value-lists.js';
import { literal } from '../sql/values.js';

/** The filter of a list, in the terms of the database. */
export interface Search {
  readonly scope: IssuersScope;
  readonly filter: FigureFilter;
  /** Part of the nine digits; null for any. */
  readonly digits: string | null;
  /** Part of the folded name; null for any. */
  readonly name: string | null;
  /** The counterparty's identification; null for any. */
  readonly counterpartyId: string | null;
  /** The range of the total, in cents; null for any. */
  readonly totals: CentsRange | null;
  /** Words of a search field, with several possible meanings; null for any. */
  readonly words: SearchMeaning | null;
  /** Access keys that the document has or had, each. */
  readonly keys: readonly string[];
  readonly traits: Pick<DialectTraits, 'takesArrays' | 'mergesUnions' | 'isAmong' | 'holds' | 'unindexed' | 'readBy'>;
}

/** The part of a filter that the figures count by. */
export type FigureFilter = {
  readonly [Name in 'status' | 'documentType' | 'from' | 'to']?: DocumentFilter[Name] | undefined;
};

/** Totals from `from` to `to`, both included; null without an end. */
export interface CentsRange {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The meanings of a search text. `partyOrNumber`: the counterparty fits, or the document has that number. `party`: the
 * counterparty fits. `numberOnly`: the document has the number, and the counterparty does not fit.
 */
export interface SearchMeaning {
  readonly text: SearchText;
  readonly means: 'partyOrNumber' | 'party' | 'numberOnly';
}

/** How a search finds its rows: through the index of one condition, or by a check of each row. */
export type PartLookup =
  | { readonly by: 'rows' | 'names' | 'totals' }
  | { readonly by: 'oneName'; readonly name: string }
  | { readonly by: 'numbers'; readonly numbers: readonly number[] };

/** The filter as a search; null when no stored text can match it. */
export function toSearch(
  traits: Search['traits'],
  scope: Scope | IssuersScope,
  { sequential, buyerName, buyerId, accessKey, totalFrom, totalTo, q, status, documentType, from, to }: DocumentFilter,
): Search | null {
  const text = q === undefined ? null : readSearchText(q);
  const search: Search = {
    traits,
    scope: toIssuersScope(scope),
    filter: { status, documentType, from, to },
    digits: sequential ?? null,
    name: buyerName === undefined ? null : foldCase(buyerName),
    counterpartyId: buyerId ?? null,
    totals:
      totalFrom === undefined && totalTo === undefined ? null : { from: toLimit(totalFrom), to: toLimit(totalTo) },
    words:
      text && text.accessKey === null ? { text, means: text.sequential === null ? 'party' : 'partyOrNumber' } : null,
    keys: [accessKey ?? null, text?.accessKey ?? null].filter((key) => key !== null),
  };
  const texts = [buyerName, buyerId, accessKey, sequential, q].filter((part) => part !== undefined);
  return texts.every((part) => isStorable(part) && part.length <= LONGEST_TEXT) ? search : null;
}

/** Whether a search has a condition that the figures do not count by. */
export function looksForParts({ digits, name, counterpartyId, totals, words }: Search): boolean {
  return [digits, name, counterpartyId, totals, words].some((part) => part !== null);
}

/** The same search in one of its issuers. */
export function ofIssuer(search: Search, issuerId: string): Search {
  return { ...search, scope: { ...search.scope, issuerIds: [issuerId] } };
}

/** A scope of one issuer as one of several. */
export function toIssuersScope(scope: Scope | IssuersScope): IssuersScope {
  const { environment } = scope;
  return { environment, issuerIds: 'issuerIds' in scope ? [...new Set(scope.issuerIds)] : [scope.issuerId] };
}

/** All rows. */
export const EVERY = sql<SqlBool>`1 = 1`;

/** Rows of the search's scope, in any table. */
export function inScope({ scope, traits }: Pick<Search, 'scope' | 'traits'>): RawBuilder<SqlBool> {
  const { issuerIds, environment } = scope;
  const isOfIssuer =
    issuerIds.length === 1 ? sql`issuer_id = ${issuerIds[0]}` : isOneOf(traits, 'issuer_id', issuerIds);
  return sql`${isOfIssuer} and environment = ${environment}`;
}

/** Rows that match the filter, of the documents or of their figures. @param day the column of the issue date. */
export function inFilter(search: Pick<Search, 'filter'>, day = sql`issue_date`): RawBuilder<SqlBool> {
  return sql`${ofStatus(search)} and ${ofType(search)} and ${isBetween(day, search.filter)}`;
}

/** Rows of the filter's status. */
export function ofStatus({ filter: { status } }: Pick<Search, 'filter'>): RawBuilder<SqlBool> {
  return status === undefined ? EVERY : sql`status = ${status}`;
}

/** Documents of the filter's status, found through the index of status groups where it has them. */
export function inStatus(search: Pick<Search, 'filter'>): RawBuilder<SqlBool> {
  const { status } = search.filter;
  const group = status === undefined ? null : toStatusGroup(status);
  if (group === null) return ofStatus(search);
  // Without the status, the index alone answers.
  return group === status ? sql`status_group = ${group}` : sql`status_group = ${group} and ${ofStatus(search)}`;
}

/** Rows of the filter's document type. */
export function ofType({ filter: { documentType } }: Pick<Search, 'filter'>): RawBuilder<SqlBool> {
  return documentType === undefined ? EVERY : sql`document_type = ${documentType}`;
}

/** Rows whose column is in a range, both ends included. Without an end, the range is open there. */
export function isBetween(
  column: RawBuilder<unknown>,
  {
    from,
    to,
  }: { readonly from?: string | number | null | undefined; readonly to?: string | number | null | undefined },
): RawBuilder<SqlBool> {
  const low: RawBuilder<SqlBool> = from == null ? EVERY : sql`${column} >= ${from}`;
  return to == null ? low : sql`${low} and ${column} <= ${to}`;
}

/** Whether the filter has no days. */
export function isOfAllDays({ filter: { from, to } }: Pick<Search, 'filter'>): boolean {
  return from === undefined && to === undefined;
}

/** Documents that hold the parts of the search. */
export function holdsParts(search: Search, lookup: PartLookup): RawBuilder<SqlBool> {
  const { traits, digits, name, counterpartyId, totals, words } = search;
  const all = [EVERY];
  if (lookup.by === 'numbers') all.push(isOneOf(traits, 'sequential', lookup.numbers, 'integer'));
  else if (digits !== null) all.push(holdsDigits(search, digits));
  if (lookup.by === 'oneName') all.push(sql`counterparty_name_folded = ${lookup.name}`);
  else if (lookup.by === 'names') all.push(traits.isAmong('counterparty_name_folded', namesWithPart(search)));
  else if (name !== null) all.push(traits.holds(sql`counterparty_name_folded`, name));
  if (counterpartyId !== null) all.push(sql`counterparty_id = ${counterpartyId}`);
  if (totals) all.push(isBetween(lookup.by === 'totals' ? sql`total_cents` : traits.unindexed('total_cents'), totals));
  if (words) all.push(fits(words, traits));
  return sql.join(all, sql` and `);
}

/** Documents whose number holds the digits. */
export function holdsDigits({ traits }: Pick<Search, 'traits'>, digits: string): RawBuilder<SqlBool> {
  return traits.holds(sql`substr(cast(1000000000 + sequential as text), 2)`, digits);
}

/** The document that has or had all the keys of the search. */
export function hasKeys({ keys }: Search): RawBuilder<SqlBool> {
  const each = keys.map(
    (key) => sql<SqlBool>`id = (select document_id from sri_access_keys where access_key = ${key})`,
  );
  return sql.join([EVERY, ...each], sql` and `);
}

/** The scope's rows of `sri_names` whose counterparty fits the search. */
export function isNamed(search: Search): RawBuilder<SqlBool> {
  const { name, counterpartyId, traits, words } = search;
  const all = [inScope(search)];
  if (name !== null) all.push(traits.holds(sql`name`, name));
  if (counterpartyId !== null) all.push(sql`counterparty_id = ${counterpartyId}`);
  if (words?.means === 'party') all.push(fitsParty(words.text, sql`name`, traits));
  return sql.join(all, sql` and `);
}

// --- internal ---

/** No stored text is longer. SQLite rejects a pattern of 50 000 bytes. */
const LONGEST_TEXT = 5_000;

function namesWithPart(search: Search): RawBuilder<unknown> {
  return sql`(select name from sri_names where ${isNamed(search)})`;
}

function fits({ text, means }: SearchMeaning, traits: Search['traits']): RawBuilder<SqlBool> {
  const party = fitsParty(text, sql`counterparty_name_folded`, traits);
  if (means === 'party') return party;
  const series = text.series === null ? sql`` : sql` and substr(access_key, 25, 6) = ${text.series}`;
  const number = sql<SqlBool>`(sequential = ${text.sequential}${series})`;
  return means === 'numberOnly' ? sql`${number} and not ${party}` : sql`(${party} or ${number})`;
}

function fitsParty(
  { namePart, idStart }: SearchText,
  name: RawBuilder<unknown>,
  traits: Search['traits'],
): RawBuilder<SqlBool> {
  return sql`(${traits.holds(name, namePart)} or ${starts(sql`lower(counterparty_id)`, idStart)})`;
}

function starts(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  return sql`${text} like ${`${literal(part)}%`} escape '!'`;
}

/** No stored total is above it. */
function toLimit(total: string | undefined): number | null {
  return total === undefined ? null : Math.min(Number(parseDecimal(total, MONEY_SCALE)), Number.MAX_SAFE_INTEGER);
}
