import { createHash } from 'node:crypto';
import type { DocumentEvent } from 'sri-core';
import { Refusal } from '../errors.js';
import { attachment, empty, json } from '../http/answer.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { readAccessKey } from './access-key-param.js';

/** `GET /v1/documents/:accessKey/ride` */
export const downloadRide = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const pdf = await exchange.services.engine.ride(scope, accessKey);
    const etag = `"${createHash('sha256').update(pdf).digest('hex').slice(0, 32)}"`;
    if (namesTag(exchange.header('if-none-match'), etag)) return empty(304, { etag });
    const file = attachment(pdf, 'application/pdf', `RIDE-${accessKey}.pdf`);
    return { ...file, headers: { ...file.headers, etag } };
  },
});

/** `GET /v1/documents/:accessKey/xml` */
export const downloadXml = defineHandler({
  parse: (exchange) => {
    const accessKey = readAccessKey(exchange);
    const reader = new QueryReader(exchange.search);
    const variant = reader.choice('variant', ['authorized', 'signed']);
    reader.done();
    return { accessKey, variant };
  },
  answer: async ({ exchange, scope }: IssuerCall, { accessKey, variant }) => {
    const xml = await exchange.services.engine.xml(scope, accessKey, variant ?? undefined);
    if (xml === null) throw new Refusal('NOT_FOUND');
    return attachment(xml, 'application/xml; charset=utf-8', `${accessKey}.xml`);
  },
});

/** `GET /v1/documents/:accessKey/events` */
export const listDocumentEvents = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const events = await exchange.services.engine.events(scope, accessKey);
    return json(200, { ok: true, events: events.map(toEventBody) });
  },
});

// --- internal ---

function toEventBody({ id, eventType, fromStatus, toStatus, detail, createdAt }: DocumentEvent) {
  // An error's operation and message stand beside its type as well, where older clients look for them.
  const error = eventType === 'ERROR' ? { operation: detail?.['operation'], message: detail?.['message'] } : {};
  return { id, eventType, ...error, fromStatus, toStatus, detail, createdAt: createdAt.toISOString() };
}

function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
