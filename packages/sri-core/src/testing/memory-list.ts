import { parseMoney } from '../money.js';
import { foldCase, readSearchText, type SearchText, toLowerAscii } from '../search-text.js';
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
  // Equal documents stay newest first in either direction. When sorted by creation, the direction applies to ties as well.
  const tie = (query.sortBy ?? 'createdAt') === 'createdAt' ? direction : -1;
  const sorted = documents
    .filter(matcherOf(query, hasKey))
    .map((document) => ({ document, key: sortKey(document), id: Buffer.from(document.id) }))
    .sort(
      (a, b) =>
        direction * compare(a.key, b.key) || tie * (byCreation(a.document, b.document) || Buffer.compare(a.id, b.id)),
    );
  const start = (query.page - 1) * query.limit;
  const page = sorted.slice(start, start + query.limit);
  return { documents: page.map(({ document }) => document), total: sorted.length };
}

/** A check of whether a document matches every condition of a filter. */
export function matcherOf(filter: DocumentFilter, hasKey: HasKey = isItsKey): (document: StoredDocument) => boolean {
  const { status, documentType, from, to, buyerId, accessKey, sequential: digits } = filter;
  const name = filter.buyerName === undefined ? undefined : foldCase(filter.buyerName);
  const [least, most] = [filter.totalFrom, filter.totalTo].map(toCents);
  const words = filter.q === undefined ? undefined : readSearchText(filter.q);
  return (document) =>
    (status === undefined || document.status === status) &&
    (documentType === undefined || document.documentType === documentType) &&
    (from === undefined || document.issueDate >= from) &&
    (to === undefined || document.issueDate <= to) &&
    (digits === undefined || formatSequential(document.sequential).includes(digits)) &&
    (name === undefined || foldCase(document.counterparty.name).includes(name)) &&
    (buyerId === undefined || document.counterparty.id === buyerId) &&
    (accessKey === undefined || hasKey(document, accessKey)) &&
    (least === undefined || parseMoney(document.total) >= least) &&
    (most === undefined || parseMoney(document.total) <= most) &&
    (words === undefined || matchesWords(document, words, hasKey));
}

// --- internal ---

type HasKey = (document: StoredDocument, accessKey: string) => boolean;

const isItsKey: HasKey = (document, accessKey) => document.accessKey === accessKey;

function toCents(total: string | undefined): bigint | undefined {
  return total === undefined ? undefined : parseMoney(total);
}

function matchesWords(
  document: StoredDocument,
  { accessKey, namePart, idStart, sequential, series }: SearchText,
  hasKey: HasKey,
): boolean {
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
