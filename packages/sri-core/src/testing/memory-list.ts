import { MONEY_SCALE, parseDecimal } from '../money.js';
import { foldCase, readSearchText, toLowerAscii } from '../search-text.js';
import { formatSequential } from '../sequential.js';
import type { DocumentFilter, DocumentQuery, StoredDocument } from '../storage.js';

/**
 * One page of the matching documents, and their total.
 *
 * @param hasKey whether an access key is or was that of a document. Default: its current key.
 */
export function selectPage(
  documents: readonly StoredDocument[],
  query: DocumentQuery,
  hasKey: HasKey = isItsKey,
): { readonly documents: readonly StoredDocument[]; readonly total: number } {
  const direction = query.sortDirection === 'asc' ? 1 : -1;
  const sortKey = SORT_KEYS[query.sortBy ?? 'createdAt'];
  // Equal ones stay newest first in either direction. When sorted by creation, the direction applies to ties as well.
  const tie = (query.sortBy ?? 'createdAt') === 'createdAt' ? direction : -1;
  const sorted = documents
    .filter((document) => matchesFilter(document, query, hasKey))
    .map((document) => ({ document, key: sortKey(document), id: Buffer.from(document.id) }))
    .sort(
      (a, b) =>
        direction * compare(a.key, b.key) || tie * (byCreation(a.document, b.document) || Buffer.compare(a.id, b.id)),
    );
  const start = (query.page - 1) * query.limit;
  const page = sorted.slice(start, start + query.limit);
  return { documents: page.map(({ document }) => document), total: sorted.length };
}

/** Whether a document matches every condition of a filter. */
export function matchesFilter(document: StoredDocument, filter: DocumentFilter, hasKey: HasKey = isItsKey): boolean {
  const { counterparty } = document;
  const total = parseDecimal(document.total, MONEY_SCALE);
  return (
    (filter.status === undefined || document.status === filter.status) &&
    (filter.documentType === undefined || document.documentType === filter.documentType) &&
    (filter.from === undefined || document.issueDate >= filter.from) &&
    (filter.to === undefined || document.issueDate <= filter.to) &&
    (filter.sequential === undefined || formatSequential(document.sequential).includes(foldCase(filter.sequential))) &&
    (filter.buyerName === undefined || foldCase(counterparty.name).includes(foldCase(filter.buyerName))) &&
    (filter.buyerId === undefined || counterparty.id === filter.buyerId) &&
    (filter.accessKey === undefined || hasKey(document, filter.accessKey)) &&
    (filter.totalFrom === undefined || total >= parseDecimal(filter.totalFrom, MONEY_SCALE)) &&
    (filter.totalTo === undefined || total <= parseDecimal(filter.totalTo, MONEY_SCALE)) &&
    (filter.q === undefined || matchesWords(document, filter.q, hasKey))
  );
}

// --- internal ---

type HasKey = (document: StoredDocument, accessKey: string) => boolean;

const isItsKey: HasKey = (document, accessKey) => document.accessKey === accessKey;

function matchesWords(document: StoredDocument, words: string, hasKey: HasKey): boolean {
  const { accessKey, namePart, idStart, sequential, series } = readSearchText(words);
  if (accessKey !== null) return hasKey(document, accessKey);
  const { name, id } = document.counterparty;
  if (foldCase(name).includes(namePart) || toLowerAscii(id).startsWith(idStart)) return true;
  return document.sequential === sequential && (series === null || document.accessKey.slice(24, 30) === series);
}

type SortKey = number | Buffer;

/** Text as UTF-8, whose bytes databases compare. */
const SORT_KEYS: Record<NonNullable<DocumentQuery['sortBy']>, (document: StoredDocument) => SortKey> = {
  sequential: (document) => document.sequential,
  buyerName: (document) => Buffer.from(foldCase(document.counterparty.name)),
  issueDate: (document) => Buffer.from(document.issueDate),
  status: (document) => Buffer.from(document.status),
  createdAt: (document) => document.createdAt.getTime(),
};

function byCreation(a: StoredDocument, b: StoredDocument): number {
  return a.createdAt.getTime() - b.createdAt.getTime();
}

function compare(a: SortKey, b: SortKey): number {
  return typeof a === 'number' || typeof b === 'number' ? Number(a) - Number(b) : Buffer.compare(a, b);
}
