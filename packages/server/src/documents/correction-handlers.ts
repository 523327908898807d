import { documentTypeOf, isWritableText, type StoredDocument, toIsoDate, uncheckedBody } from 'sri-core';
import type { IssuerCall } from '../issuers/index.js';
import { invalid } from '../platform/errors/refusal.js';
import { json } from '../platform/http/answer.js';
import { jsonBody, jsonBodyOf, LARGE_BODY } from '../platform/http/body-input.js';
import { optional, required, schemaOfFields } from '../platform/http/field.js';
import { boolean, pathAccessKey, wrongType } from '../platform/http/fields.js';
import { jsonInput } from '../platform/http/inputs.js';
import type { JsonObject } from '../platform/http/parse-body.js';
import { requireAllowedWithHeaders } from '../platform/http/require-allowed.js';
import { routeHandler } from '../platform/http/route.js';
import { warningsSchema } from '../platform/http/warnings-schema.js';
import { maybe, okBody, type Shown, text } from '../platform/schema-words.js';
import { requireValidBody } from './review-body.js';
import { type DocumentBody, documentSchema, toDocumentBody, toWarningBodies, voidedDocumentSchema } from './schemas.js';

const MAX_REASON = 500;
const ADVICE_EXAMPLE = 'The SRI annuls this document only if its receiver accepts the annulment.';

const rebuildFields = {
  redate: boolean('Whether the document is dated today.'),
  resequence: boolean('Whether it gets a new number and access key.'),
};

/** The reason of a voiding, for human readers: it is stored as sent. */
const reasonField = optional(
  text('Why it is voided.', 'Error en el comprador', { maxLength: MAX_REASON }),
  (value, fail) => {
    if (typeof value !== 'string') return wrongType(fail, 'string');
    const reason = value.trim();
    if (reason === '') fail('minLength', { min: 1 });
    else if ([...reason].length > MAX_REASON) fail('maxLength', { max: MAX_REASON });
    else if (!isWritableText(reason)) fail('text');
    return reason;
  },
);

/** `POST /v1/documents/:accessKey/rebuild` */
export const rebuildDocument = routeHandler({
  operation: {
    id: 'rebuildDocument',
    summary: 'Builds and signs a returned document again, corrected.',
    description:
      'The body holds `redate`, `resequence` and the fields of a creation body; without those fields the stored ones are used.',
    answers: { 200: okBody({ document: documentSchema, warnings: warningsSchema }) },
    refuses: [
      'BAD_REQUEST',
      'ISSUER_ISSUING_PAUSED',
      'DOCUMENT_TYPE_NOT_ENABLED',
      'QUOTA_EXCEEDED',
      'TOO_MANY_REQUESTS',
    ],
  },
  params: { accessKey: pathAccessKey },
  body: jsonBodyOf(
    { ...schemaOfFields(rebuildFields), additionalProperties: true },
    async (exchange, limit) => readCorrection((await exchange.optionalJson(limit)) ?? {}),
    { optional: true, limit: LARGE_BODY },
  ),
  review: async (exchange, { body: { body } }) => {
    if (body) await exchange.inTurn(async () => requireValidBody(exchange, undated(body)));
  },
  find: ({ exchange, scope }: IssuerCall, { params }) => exchange.services.engine.get(scope, params.accessKey),
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey }, body: { body, ...how } }) => {
    const { engine, limits } = exchange.services;
    const { id } = await engine.get(scope, accessKey);
    requireAllowedWithHeaders(exchange, await limits.use(`rebuild:${id}`, HOURLY_LIMIT));
    const correction = { ...how, ...(body ? { body: uncheckedBody(body) } : {}) };
    const { document, warnings } = await exchange.inTurn(() => engine.rebuild(scope, accessKey, correction));
    return json(200, {
      ok: true,
      document: toDocumentBody(document, exchange.language),
      ...toWarningBodies(warnings, exchange.language),
    });
  },
});

/** `POST /v1/documents/:accessKey/void` */
export const voidDocument = routeHandler({
  operation: {
    id: 'voidDocument',
    summary: 'Marks an authorized document as voided, once that was done in the portal of the SRI.',
    answers: {
      200: okBody({
        document: voidedDocumentSchema,
        advice: maybe(
          text(
            'What the annulment at the SRI also needs, for the types whose receiver has to accept it.',
            ADVICE_EXAMPLE,
          ),
        ),
      }),
    },
    refuses: ['BAD_REQUEST', 'DOCUMENT_NOT_AUTHORIZED', 'DOCUMENT_VOID_CONFIRMATION_REQUIRED'],
  },
  params: { accessKey: pathAccessKey },
  body: jsonBody({
    confirmedSriVoid: required(boolean('That it is voided at the SRI: has to be true.')),
    reason: required(reasonField),
  }),
  find: ({ exchange, scope }: IssuerCall, { params }) => exchange.services.engine.get(scope, params.accessKey),
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey }, body }) => {
    const document = await exchange.services.engine.void(scope, accessKey, body);
    const { voidAdvice: advice } = documentTypeOf(document.documentType).texts;
    return json(200, {
      ok: true,
      document: { ...toDocumentBody(document, exchange.language), ...toVoidedBody(document) },
      ...(advice ? { advice: advice[exchange.language] } : {}),
    });
  },
});

// --- internal ---

/** Each rebuild adds to the document's history, which is returned as a whole. */
const HOURLY_LIMIT = { limit: 120, windowMs: 3_600_000 };

/**
 * The options of a rebuild are sent next to the fields of a creation body. Without body fields, the stored body is
 * used.
 */
function readCorrection(sent: JsonObject) {
  const input = jsonInput(sent);
  const { redate, resequence } = input.readAll(rebuildFields);
  if (input.failures.length > 0) throw invalid(input.failures);
  const { redate: _redate, resequence: _resequence, ...fields } = sent;
  return {
    redate: redate === true,
    resequence: resequence === true,
    ...(Object.keys(fields).length > 0 ? { body: fields } : {}),
  };
}

/** The allowed dates depend on the document. */
function undated({ issueDate, ...rest }: JsonObject): JsonObject {
  return typeof issueDate === 'string' && toIsoDate(issueDate) ? rest : { issueDate, ...rest };
}

function toVoidedBody({
  counterparty,
  voided,
}: StoredDocument): Omit<Shown<typeof voidedDocumentSchema>, keyof DocumentBody> {
  const { id, idType, name, email } = counterparty;
  return {
    buyer: { id, idType, name, email },
    ...(voided ? { voidReason: voided.reason, voidedAt: voided.at.toISOString() } : {}),
  };
}
