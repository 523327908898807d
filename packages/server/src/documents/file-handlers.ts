import { Type } from '@sinclair/typebox';
import { DOCUMENT_STATUSES, type DocumentEvent, describeFailedAttempt, type Language, RIDE_FORMATS } from 'sri-core';
import type { IssuerCall } from '../issuers/index.js';
import { mailReasonIn } from '../mail/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { attachment, empty, json } from '../platform/http/answer.js';
import { entityTag, namesTag } from '../platform/http/entity-tag.js';
import { choice, pathAccessKey, plainText } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import {
  anyObject,
  listOf,
  named,
  okBody,
  oneOf,
  orNull,
  type Shown,
  text,
  timestamp,
  uuid,
} from '../platform/schema-words.js';

const ifNoneMatch = plainText(
  text('The tag of the file one has: status 304 says that it is still the one.', '"0f343b0931126a20"'),
);

const documentEventSchema = named('DocumentEvent', 'Something that happened to a document.', {
  id: uuid('Id of the event.'),
  eventType: text('What happened.', 'CREATED'),
  operation: Type.Optional(Type.Unknown({ description: 'With ERROR: SEND or AUTHORIZE.', examples: ['SEND'] })),
  message: Type.Optional(
    Type.Unknown({
      description: 'With ERROR: what failed, in the language of the answer.',
      examples: ['The SRI answered HTTP 503.'],
    }),
  ),
  fromStatus: orNull(oneOf(DOCUMENT_STATUSES, 'Its status before.')),
  toStatus: orNull(oneOf(DOCUMENT_STATUSES, 'Its status after.')),
  detail: orNull(anyObject('What else is known of it.')),
  createdAt: timestamp('When.'),
});

/** `GET /v1/documents/:accessKey/ride` */
export const downloadRide = routeHandler({
  operation: {
    id: 'downloadRide',
    summary: 'Gives the printed form (RIDE) of a document, a PDF.',
    description:
      'A ticket is as wide as a roll of 80 mm and as long as needed; the access key is on it as bars and as a QR code. A delivery guide has none: 400 with the field `format` and the rule `noTicket`.',
    answers: {
      200: {
        about: 'The PDF.',
        headers: ['Content-Disposition'],
        content: { 'application/pdf': Type.String({ contentMediaType: 'application/pdf' }) },
      },
      304: 'nothing',
    },
  },
  params: { accessKey: pathAccessKey },
  query: { format: choice(RIDE_FORMATS, 'Its paper; `a4` unless given.') },
  headers: { 'If-None-Match': ifNoneMatch },
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey }, query, headers }) => {
    const { engine, printQueue } = exchange.services;
    const format = query.format ?? 'a4';
    const pdf = await printQueue.run(exchange.caller, () => engine.ride(scope, accessKey, { format }));
    const etag = entityTag(pdf);
    if (namesTag(headers['If-None-Match'], etag)) return empty(304, { etag });
    const file = attachment(pdf, 'application/pdf', `RIDE-${accessKey}.pdf`);
    return { ...file, headers: { ...file.headers, etag } };
  },
});

/** `GET /v1/documents/:accessKey/xml` */
export const downloadXml = routeHandler({
  operation: {
    id: 'downloadXml',
    summary: 'Gives the XML of a document: as the SRI authorized it, else as it was signed.',
    answers: {
      200: {
        about: 'The XML.',
        headers: ['Content-Disposition'],
        content: { 'application/xml': Type.String({ contentMediaType: 'application/xml' }) },
      },
    },
  },
  params: { accessKey: pathAccessKey },
  query: { variant: choice(['authorized', 'signed'], 'Only that form of it.') },
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey }, query: { variant } }) => {
    const { engine, largeBodies } = exchange.services;
    // The largest document takes the event loop for milliseconds.
    const xml = await largeBodies.run(exchange.caller, () => engine.xml(scope, accessKey, variant ?? undefined));
    if (xml === null) throw new Refusal('NOT_FOUND');
    return attachment(xml, 'application/xml; charset=utf-8', `${accessKey}.xml`);
  },
});

/** `GET /v1/documents/:accessKey/events` */
export const listDocumentEvents = routeHandler({
  operation: {
    id: 'listDocumentEvents',
    summary: 'Lists what happened to a document, oldest first.',
    answers: { 200: okBody({ events: listOf(documentEventSchema, 'The events.') }) },
  },
  params: { accessKey: pathAccessKey },
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey } }) => {
    const events = await exchange.services.engine.events(scope, accessKey);
    return json(200, { ok: true, events: events.map((event) => toEventBody(event, exchange.language)) });
  },
});

// --- internal ---

function toEventBody(event: DocumentEvent, language: Language): Shown<typeof documentEventSchema> {
  const { id, eventType, fromStatus, toStatus, createdAt } = event;
  const message = event.detail?.['message'];
  const detail =
    typeof message === 'string' ? { ...event.detail, message: messageIn(language, message) } : event.detail;
  // An error's operation and message are also shown next to its type, for older clients.
  const error = eventType === 'ERROR' ? { operation: detail?.['operation'], message: detail?.['message'] } : {};
  return { id, eventType, ...error, fromStatus, toStatus, detail, createdAt: createdAt.toISOString() };
}

/** A stored message of the history, about the SRI or a mail, in a language. */
function messageIn(language: Language, stored: string): string {
  return mailReasonIn(language, describeFailedAttempt(stored, language));
}
