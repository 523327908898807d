import { DOCUMENT_STATUSES, type DocumentQuery, type IsoDate, toIsoDate } from 'sri-core';
import { Refusal } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { readAccessKey } from './access-key-param.js';
import { toDocumentBody, toWarningBodies } from './document-body.js';
import { requireValidBody } from './review-body.js';

/** `POST /v1/documents` */
export const createDocument = defineHandler({
  parse: async (exchange) => ({
    idempotencyKey: readIdempotencyKey(exchange),
    body: await exchange.json(),
  }),
  // The body is judged by the engine, for its issuer; where there is none it is judged before that is said.
  review: (exchange, { body }) => requireValidBody(exchange, body),
  answer: async ({ exchange, scope, issuer }: IssuerCall, { body, idempotencyKey }) => {
    const { engine, openIssuer } = exchange.services;
    const created = await engine.create(scope, body, {
      issuer: await openIssuer(issuer),
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
    });
    return json(
      created.replayed ? 200 : 201,
      { ok: true, document: toDocumentBody(created.document), ...toWarningBodies(created.warnings, exchange.language) },
      created.replayed ? { 'idempotent-replayed': 'true' } : {},
    );
  },
});

/** `GET /v1/documents` */
export const listDocuments = defineHandler({
  parse: readDocumentQuery,
  answer: async ({ exchange, scope }: IssuerCall, query) => {
    const { documents, total } = await exchange.services.engine.list(scope, query);
    const pagination = { total, page: query.page, limit: query.limit };
    return json(200, { ok: true, data: documents.map(toDocumentBody), pagination });
  },
});

/** `GET /v1/documents/:accessKey` */
export const getDocument = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const { engine } = exchange.services;
    const document = await engine.get(scope, accessKey);
    const { requestPayload } = await engine.contents(scope, accessKey);
    const body = toDocumentBody(document);
    return json(200, { ok: true, document: requestPayload === null ? body : { ...body, requestPayload } });
  },
});

/** `POST /v1/documents/:accessKey/send` */
export const sendDocument = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const document = await exchange.services.engine.send(scope, accessKey);
    return json(202, { ok: true, document: toDocumentBody(document) });
  },
});

// --- internal ---

const MAX_IDEMPOTENCY_KEY = 255;
const MAX_SEARCH_TEXT = 300;
const SORT_FIELDS = ['sequential', 'buyerName', 'issueDate', 'status'] as const;
/** Types the filter knows; those that are not issued here give empty lists. */
export const LISTED_TYPES = ['01', '03', '04', '05', '06', '07'] as const;

function readIdempotencyKey(exchange: Exchange): string | null {
  const key = exchange.header('idempotency-key');
  if (key === null) return null;
  if (key.trim() === '' || [...key].length > MAX_IDEMPOTENCY_KEY) {
    throw new Refusal('BAD_REQUEST', { reason: 'IDEMPOTENCY_KEY_INVALID' });
  }
  return key;
}

function readDocumentQuery(exchange: Exchange): DocumentQuery {
  const reader = new QueryReader(exchange.search);
  const status = reader.choice('status', DOCUMENT_STATUSES);
  const documentType = reader.choice('documentType', LISTED_TYPES);
  const from = readDate(reader, 'from');
  const to = readDate(reader, 'to');
  const sequential = reader.words('sequential', MAX_SEARCH_TEXT);
  const buyerName = reader.words('buyerName', MAX_SEARCH_TEXT);
  const sortBy = reader.choice('sortBy', SORT_FIELDS);
  const sortDirection = reader.choice('sortDir', ['asc', 'desc']);
  const page = reader.integer('page', { min: 1, max: 1_000_000_000, fallback: 1 });
  const limit = reader.integer('limit', { min: 1, max: 100, fallback: 10 });
  reader.done();
  return {
    ...(status ? { status } : {}),
    ...(documentType ? { documentType } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(sequential ? { sequential } : {}),
    ...(buyerName ? { buyerName } : {}),
    ...(sortBy ? { sortBy } : {}),
    ...(sortDirection ? { sortDirection } : {}),
    page,
    limit,
  };
}

/** A date of the query, in the contract's form; null when it is absent. */
export function readDate(reader: QueryReader, name: string): IsoDate | null {
  const text = reader.text(name);
  const date = text === null ? null : toIsoDate(text);
  if (text !== null && date === null) reader.fail(name, 'date');
  return date;
}
