import { type Kysely, sql } from 'kysely';
import type { DocumentQuery, IssuersScope, Scope, StoredDocument } from 'sri-core';
import { findByIds } from '../documents/find-documents.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import type { Order, Slice } from './arms.js';
import { hasKeys, holdsParts, inFilter, inScope, type Search, toSearch } from './conditions.js';
import { countFiltered } from './counts.js';
import { type FoundPage, findCountedPage } from './pages.js';
import { findSearchedPage } from './searches.js';

/** One page of the documents of a scope, and how many match in all. Only the rows of the page are read whole. */
export async function listDocuments(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope | IssuersScope,
  query: DocumentQuery,
): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }> {
  const search = toSearch(traits, scope, query);
  const { sortBy = 'createdAt', sortDirection, page, limit } = query;
  // It goes into SQL as text.
  const direction = sortDirection === 'asc' ? 'asc' : 'desc';
  const slice = { offset: (page - 1) * limit, limit };
  const { ids, total } = search ? await findPage(db, search, { sortBy, direction }, slice) : { ids: [], total: 0 };
  return { documents: await findByIds(db, traits, ids), total };
}

// --- internal ---

async function findPage(db: Kysely<CoreTables>, search: Search, order: Order, slice: Slice): Promise<FoundPage> {
  if (search.keys.length > 0) return findKeyed(db, search, slice);
  const narrow = search.scope.issuerIds.length === 1 ? search : await amongFilled(db, search);
  if (narrow.scope.issuerIds.length === 0) return { ids: [], total: 0 };
  return (await findCountedPage(db, narrow, order, slice)) ?? findSearchedPage(db, narrow, order, slice);
}

/** The search, limited to the issuers that have documents of the filter. */
async function amongFilled(db: Kysely<CoreTables>, search: Search): Promise<Search> {
  const counts = await countFiltered(db, search);
  const issuerIds = search.scope.issuerIds.filter((id) => (counts.get(id) ?? 0) > 0);
  return { ...search, scope: { ...search.scope, issuerIds } };
}

/** The one document that has or had all the keys. */
async function findKeyed(db: Kysely<CoreTables>, search: Search, { offset, limit }: Slice): Promise<FoundPage> {
  const { rows } = await sql<{ readonly id: string }>`select id from sri_documents where ${hasKeys(search)}
    and ${inScope(search)} and ${inFilter(search)} and ${holdsParts(search, { by: 'rows' })}`.execute(db);
  const ids = rows.map(({ id }) => id);
  return { ids: ids.slice(offset, offset + limit), total: ids.length };
}
