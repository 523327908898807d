import type { Kysely } from 'kysely';
import type { DocumentQuery, Scope, StoredDocument } from 'sri-core';
import { findByIds } from './documents.js';
import { toSearch } from './list-conditions.js';
import { findPage } from './list-pages.js';
import { countMatching } from './list-totals.js';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';

/** One page of a scope's documents, and how many match in all. Rows are read whole only when they are on the page. */
export async function listDocuments(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope,
  query: DocumentQuery,
): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }> {
  const search = toSearch(traits, scope, query);
  const totals = await countMatching(db, search);
  const slice = { offset: (query.page - 1) * query.limit, limit: query.limit };
  if (slice.offset >= totals.total) return { documents: [], total: totals.total };
  const ids = await findPage(db, search, query, { slice, totals });
  const found = new Map((await findByIds(db, traits, ids)).map((document) => [document.id, document]));
  const documents = ids.map((id) => found.get(id)).filter((document) => document !== undefined);
  return { documents, total: totals.total };
}
