import { Type } from '@sinclair/typebox';
import { DOCUMENT_TYPES, DOCUMENTS, uncheckedBody } from 'sri-core';
import type { IssuerCall } from '../issuers/index.js';
import type { ProblemCode } from '../platform/errors/error-catalogue.js';
import { Refusal } from '../platform/errors/refusal.js';
import { json } from '../platform/http/answer.js';
import { jsonBodyOf, LARGE_BODY } from '../platform/http/body-input.js';
import { optional } from '../platform/http/field.js';
import { pathAccessKey } from '../platform/http/fields.js';
import type { JsonObject } from '../platform/http/parse-body.js';
import { routeHandler } from '../platform/http/route.js';
import { warningsSchema } from '../platform/http/warnings-schema.js';
import { okBody, text } from '../platform/schema-words.js';
import { requireValidBody } from './review-body.js';
import { documentSchema, documentWithPayloadSchema, toDocumentBody, toWarningBodies } from './schemas.js';

const MAX_IDEMPOTENCY_KEY = 255;

/** Errors of creating or sending any document. */
const ISSUING_REFUSALS = [
  'ISSUER_ISSUING_PAUSED',
  'DOCUMENT_TYPE_NOT_ENABLED',
  'QUOTA_EXCEEDED',
  'BAD_REQUEST',
] as const satisfies readonly ProblemCode[];

/** The creation body: the schemas that validate it, under their names in the description. */
const creationSchema = Type.Unsafe<JsonObject>({
  oneOf: DOCUMENT_TYPES.map((code) => {
    const { name, withSums } = DOCUMENTS[code].body;
    return { ...withSums, $id: name, title: name };
  }),
  discriminator: {
    propertyName: 'documentType',
    mapping: Object.fromEntries(
      DOCUMENT_TYPES.map((code) => [code, `#/components/schemas/${DOCUMENTS[code].body.name}`]),
    ),
  },
  description: 'A document to create; its type is in `documentType`.',
  // An invoice that the server accepts on any day: its date, left out, is today's.
  examples: [
    {
      documentType: '01',
      buyer: { idType: '05', id: '1710034065', name: 'María Muñoz', email: 'maria@example.com' },
      items: [
        {
          mainCode: 'CAF-500',
          description: 'Café de Loja 500 g',
          quantity: '2',
          unitPrice: '7.50',
          taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '15.00', taxAmount: '2.25' }],
        },
      ],
      payments: [{ method: '20', total: '17.25' }],
    },
  ],
});

/** The body of a creation, parsed. It is validated for its issuer, later. */
export const creationBody = jsonBodyOf(creationSchema, (exchange, limit) => exchange.json(limit), {
  limit: LARGE_BODY,
});

/** Makes a repeated call safe. */
const idempotencyKey = optional(
  text('Makes repeating the call safe: 1 to 255 characters, another one for every document.', 'pedido-4711', {
    maxLength: MAX_IDEMPOTENCY_KEY,
  }),
  (sent) => {
    const key = String(sent);
    if (key.trim() === '' || [...key].length > MAX_IDEMPOTENCY_KEY) {
      throw new Refusal('BAD_REQUEST', { reason: 'IDEMPOTENCY_KEY_INVALID' });
    }
    return key;
  },
);

/** `POST /v1/documents` */
export const createDocument = routeHandler({
  operation: {
    id: 'createDocument',
    summary: 'Creates a document: checks, numbers and signs it.',
    description:
      'The document is signed and stored in one step; sending it is another. With an `Idempotency-Key` the same call can be repeated safely: the document that was made is answered with status 200 and `Idempotent-Replayed: true`.',
    answers: {
      201: okBody({ document: documentSchema, warnings: warningsSchema }),
      200: okBody({ document: documentSchema, warnings: warningsSchema }),
    },
    refuses: [...ISSUING_REFUSALS, 'CONFLICT'],
  },
  headers: { 'Idempotency-Key': idempotencyKey },
  body: creationBody,
  parse: (_exchange, { headers, body }) => ({ idempotencyKey: headers['Idempotency-Key'], body }),
  // The engine validates the body for its issuer. Without the issuer, it is validated here, so that 400 comes before
  // 404.
  review: (exchange, { body }) => exchange.inTurn(async () => requireValidBody(exchange, body)),
  answer: async ({ exchange, scope, issuer }: IssuerCall, { body, idempotencyKey }) => {
    const { engine, openIssuer } = exchange.services;
    const options = { issuer: await openIssuer(issuer), ...(idempotencyKey === null ? {} : { idempotencyKey }) };
    const created = await exchange.inTurn(() => engine.create(scope, uncheckedBody(body), options));
    // Correlates the request with later log entries of workers.
    exchange.logFields['accessKey'] = created.document.accessKey;
    return json(
      created.replayed ? 200 : 201,
      {
        ok: true,
        document: toDocumentBody(created.document, exchange.language),
        ...toWarningBodies(created.warnings, exchange.language),
      },
      created.replayed ? { 'idempotent-replayed': 'true' } : {},
    );
  },
});

/** `GET /v1/documents/:accessKey` */
export const getDocument = routeHandler({
  operation: {
    id: 'getDocument',
    summary: 'Gives a document.',
    answers: { 200: okBody({ document: documentWithPayloadSchema }) },
  },
  params: { accessKey: pathAccessKey },
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey } }) => {
    const { engine } = exchange.services;
    const document = await engine.get(scope, accessKey);
    const { requestPayload } = await engine.contents(scope, accessKey);
    const body = toDocumentBody(document, exchange.language);
    return json(200, { ok: true, document: requestPayload === null ? body : { ...body, requestPayload } });
  },
});

/** `POST /v1/documents/:accessKey/send` */
export const sendDocument = routeHandler({
  operation: {
    id: 'sendDocument',
    summary: 'Queues a signed document for the SRI.',
    description: 'What follows happens in the background; the document, its events and webhooks show the result.',
    answers: { 202: okBody({ document: documentSchema }) },
    refuses: ISSUING_REFUSALS,
  },
  params: { accessKey: pathAccessKey },
  find: ({ exchange, scope }: IssuerCall, { params }) => exchange.services.engine.get(scope, params.accessKey),
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey } }) => {
    const document = await exchange.services.engine.send(scope, accessKey);
    return json(202, { ok: true, document: toDocumentBody(document, exchange.language) });
  },
});
