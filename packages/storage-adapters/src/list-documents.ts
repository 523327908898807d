import type { Kysely } from 'kysely';
import type { DocumentQuery, Scope, StoredDocument } from 'sri-core';
import { findByIds } from './documents.js';
import { toSearch } from './list-conditions.js';
import { findCountedPage } from './list-pages.js';
import { findSearchedPage } from './list-searches.js';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';

/** One page of a scope's documents, and how many match in all. Only the rows of the page are read whole. */
export async function listDocuments(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope,
  query: DocumentQuery,
): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }> {
  const search = toSearch(traits, scope, query);
  const { sortBy = 'createdAt', sortDirection = 'desc', page, limit } = query;
  const order = { sortBy, direction: sortDirection };
  const slice = { offset: (page - 1) * limit, limit };
  const { ids, total } =
    (await findCountedPage(db, search, order, slice)) ?? (await findSearchedPage(db, search, order, slice));
  const found = new Map((await findByIds(db, traits, ids)).map((document) => [document.id, document]));
  const documents = ids.map((id) => found.get(id)).filter((document) => document !== undefined);
  return { documents, total };
}
