import { type Kysely, sql } from 'kysely';
import type { DocumentFilter, Scope, Storage, WalkCursor } from 'sri-core';
import { findByIds } from '../documents/find-documents.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { hasKeys, holdsParts, inScope, isBetween, ofStatus, ofType, toSearch } from './conditions.js';

/** Rows that a step reads; with their documents they take some milliseconds. */
const STEP = 500;

/** The port's step along the documents of a scope, in the order of the index of issue dates. */
export async function walkDocuments(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope,
  { filter, from }: { readonly filter: DocumentFilter; readonly from: WalkCursor | null },
): ReturnType<Storage['walkDocuments']> {
  const search = toSearch(traits, scope, filter);
  if (!search) return { documents: [], next: null };
  const others = sql`${ofStatus(search)} and ${ofType(search)} and ${hasKeys(search)}`;
  const after = from
    ? sql`(issue_date, created_at, id) > (${from.issueDate}, ${from.createdAt.getTime()}, ${from.id})`
    : sql`1 = 1`;
  const { rows } = await sql<Row>`select id, issue_date, created_at,
      case when ${others} and ${holdsParts(search, { by: 'rows' })} then 1 else 0 end as matches
    from sri_documents where ${inScope(search)} and ${isBetween(sql`issue_date`, search.filter)} and ${after}
    order by issue_date, created_at, id limit ${STEP}`.execute(db);
  const ids = rows.filter(({ matches }) => matches === 1).map(({ id }) => id);
  const last = rows.length === STEP ? rows.at(-1) : undefined;
  return {
    documents: await findByIds(db, traits, ids),
    next: last ? { issueDate: last.issue_date, createdAt: new Date(last.created_at), id: last.id } : null,
  };
}

// --- internal ---

interface Row {
  readonly id: string;
  readonly issue_date: string;
  readonly created_at: number;
  readonly matches: number;
}
