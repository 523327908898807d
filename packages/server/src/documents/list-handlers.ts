import { DOCUMENT_STATUSES, type DocumentFilter, type DocumentQuery, documentTypes } from 'sri-core';
import { everyIssuer, type IssuersCall } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import type { FieldValues } from '../platform/http/field.js';
import { accessKeyField, amount, choice, queryDate, queryPage, queryWords } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody, paginationSchema } from '../platform/schema-words.js';
import { listedDocumentSchema, toDocumentBody } from './schemas.js';

const MAX_SEARCH_TEXT = 300;
const MAX_IDENTIFICATION = 20;
const SORT_FIELDS = ['sequential', 'buyerName', 'issueDate', 'status'] as const;

/** Types that the filter accepts; types that are not issued here return empty lists. */
export const LISTED_TYPES = documentTypes.map(({ code }) => code);

/** The fields of a query that select documents. */
export const DOCUMENT_FILTER = {
  ...everyIssuer,
  q: queryWords(
    MAX_SEARCH_TEXT,
    "Words of a search field: part of the counterparty's name, the beginning of its identification, the number of the document with or without its zeros or as 001-001-000000123, or a whole access key.",
    'María',
  ),
  status: choice(DOCUMENT_STATUSES, 'Only documents of that status.'),
  documentType: choice(LISTED_TYPES, 'Only documents of that type.'),
  from: queryDate('Issued on that day or later, DD/MM/YYYY.'),
  to: queryDate('Issued on that day or before, DD/MM/YYYY.'),
  sequential: queryWords(MAX_SEARCH_TEXT, 'Only numbers that contain this.', '000000001'),
  buyerName: queryWords(MAX_SEARCH_TEXT, 'Only counterparties whose name contains this.', 'María'),
  buyerId: queryWords(MAX_IDENTIFICATION, 'Only the counterparty with this identification, whole.', '1710034065'),
  accessKey: accessKeyField('Only the document that has this access key, or had it before it was rebuilt.'),
  totalFrom: amount('Only documents with this total or a higher one.', '100.00'),
  totalTo: amount('Only documents with this total or a lower one.', '112.50'),
};

const LIST_FIELDS = {
  ...DOCUMENT_FILTER,
  sortBy: choice(SORT_FIELDS, 'What the list is sorted by.'),
  sortDir: choice(['asc', 'desc'], 'In which direction.'),
  ...queryPage({ limit: 10, lastPage: 1_000_000_000 }),
};

/** `GET /v1/documents` */
export const listDocuments = routeHandler({
  operation: {
    id: 'listDocuments',
    summary: 'Lists the documents of an issuer, or of all, newest first unless asked otherwise.',
    answers: {
      200: okBody({ data: listOf(listedDocumentSchema, 'The documents of the page.'), pagination: paginationSchema }),
    },
  },
  query: LIST_FIELDS,
  parse: (_exchange, { query }) => toDocumentQuery(query),
  answer: async ({ exchange, scope }: IssuersCall, query) => {
    const { documents, total } = await exchange.services.engine.list(scope, query);
    const data = documents.map((document) => ({
      ...toDocumentBody(document, exchange.language),
      issuerId: document.issuerId,
    }));
    return json(200, { ok: true, data, pagination: { total, page: query.page, limit: query.limit } });
  },
});

/** The filter that a query states. */
export function toDocumentFilter(query: FieldValues<typeof DOCUMENT_FILTER>): DocumentFilter {
  const { issuerId: _, ...conditions } = query;
  return present(conditions);
}

// --- internal ---

function toDocumentQuery({
  sortBy,
  sortDir: sortDirection,
  page,
  limit,
  ...filter
}: FieldValues<typeof LIST_FIELDS>): DocumentQuery {
  return { ...toDocumentFilter(filter), ...present({ sortBy, sortDirection }), page, limit };
}

/** The members that are given. */
function present<T extends object>(members: T): { readonly [Name in keyof T]?: NonNullable<T[Name]> } {
  const given = Object.entries(members).filter(([, value]) => value !== null);
  // Each member keeps its name and type.
  return Object.fromEntries(given) as { readonly [Name in keyof T]?: NonNullable<T[Name]> };
}
