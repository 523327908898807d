import { foldCase } from '../fold-case.js';
import { formatSequential } from '../sequential.js';
import type { DocumentQuery, StoredDocument } from '../storage.js';

/** One page of the matching documents, and their total. */
export function selectPage(
  documents: readonly StoredDocument[],
  query: DocumentQuery,
): { readonly documents: readonly StoredDocument[]; readonly total: number } {
  const matching = documents.filter((document) => matches(document, query));
  const direction = query.sortDirection === 'asc' ? 1 : -1;
  const sortKey = SORT_KEYS[query.sortBy ?? 'createdAt'];
  // Equal ones stay newest first in either direction. When sorted by creation, the direction applies to ties as well.
  const tie = (query.sortBy ?? 'createdAt') === 'createdAt' ? direction : -1;
  const sorted = matching.toSorted(
    (a, b) => direction * compare(sortKey(a), sortKey(b)) || tie * (byCreation(a, b) || compare(a.id, b.id)),
  );
  const start = (query.page - 1) * query.limit;
  return { documents: sorted.slice(start, start + query.limit), total: matching.length };
}

// --- internal ---

const SORT_KEYS: Record<NonNullable<DocumentQuery['sortBy']>, (document: StoredDocument) => string | number> = {
  sequential: (document) => document.sequential,
  buyerName: (document) => foldCase(document.counterparty.name),
  issueDate: (document) => document.issueDate,
  status: (document) => document.status,
  createdAt: (document) => document.createdAt.getTime(),
};

function matches(document: StoredDocument, query: DocumentQuery): boolean {
  return (
    (query.status === undefined || document.status === query.status) &&
    (query.documentType === undefined || document.documentType === query.documentType) &&
    (query.from === undefined || document.issueDate >= query.from) &&
    (query.to === undefined || document.issueDate <= query.to) &&
    (query.sequential === undefined || formatSequential(document.sequential).includes(foldCase(query.sequential))) &&
    (query.buyerName === undefined || foldCase(document.counterparty.name).includes(foldCase(query.buyerName)))
  );
}

function byCreation(a: StoredDocument, b: StoredDocument): number {
  return a.createdAt.getTime() - b.createdAt.getTime();
}

/** By number, or by code points, as databases compare bytes of UTF-8. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
