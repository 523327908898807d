import type { JobOperation, StoredDocument } from 'sri-core';
import type { TenantCall } from '../accounts/index.js';
import { type IssuerCall, listIssuerIds, requireIssuer } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { textAs } from '../platform/http/field.js';
import { choice, pathAccessKey } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { toUuid } from '../platform/http/uuid.js';
import { listOf, named, okBody, oneOf, type Shown, uuid, whole } from '../platform/schema-words.js';
import { documentSchema, toDocumentBody } from './schemas.js';

/** The most documents that one call restarts. */
const MAX_RETRIED = 1000;
const OPERATIONS = ['SEND', 'AUTHORIZE'] as const satisfies readonly JobOperation[];

const effectSchema = named('RetryEffect', 'What was set going again.', {
  id: uuid('Id of the document.'),
  effectType: oneOf(['SRI_SEND', 'SRI_AUTHORIZE'], 'What is tried again.'),
  status: oneOf(['PENDING'], 'It waits for its turn.'),
  attemptCount: whole('Attempts start again.', 0),
});

const issuerField = textAs(uuid('Only documents of that issuer.'), toUuid, ['pattern', { form: 'UUID' }], {
  nulls: 'refused',
});

/** `POST /v1/documents/:accessKey/send/retry` */
export const retryDocument = routeHandler({
  operation: {
    id: 'retryDocument',
    summary: 'Restarts the attempts of a document that was given up.',
    answers: { 202: okBody({ document: documentSchema, effect: effectSchema }) },
    refuses: ['NOTHING_TO_RETRY', 'BAD_REQUEST'],
  },
  params: { accessKey: pathAccessKey },
  find: ({ exchange, scope }: IssuerCall, { params }) => exchange.services.engine.get(scope, params.accessKey),
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey } }) => {
    const document = await exchange.services.engine.retry(scope, accessKey);
    return json(202, { ok: true, document: toDocumentBody(document, exchange.language), effect: toEffect(document) });
  },
});

/** `POST /v1/tenants/retry-failed-documents` */
export const retryFailedDocuments = routeHandler({
  operation: {
    id: 'retryFailedDocuments',
    summary: 'Restarts the attempts of every given up document of the account, 1000 in a call.',
    answers: {
      202: okBody({
        retried: whole('How many were set going.', 1, { minimum: 0 }),
        effects: listOf(effectSchema, 'What was set going.'),
        remaining: whole('How many are left for another call.', 0, { minimum: 0 }),
      }),
    },
    refuses: ['NOT_FOUND', 'FORBIDDEN'],
  },
  body: jsonBody(
    { issuerId: issuerField, operation: choice(OPERATIONS, 'Only that operation.', { nulls: 'refused' }) },
    { optional: true },
  ),
  answer: async ({ exchange, context }: TenantCall, { body: { issuerId, operation } }) => {
    const { database, engine } = exchange.services;
    const issuerIds = issuerId
      ? [(await requireIssuer(exchange, context, issuerId)).id]
      : await database.read((tables) => listIssuerIds(tables, context.tenant.id));
    const documents: StoredDocument[] = [];
    let remaining = 0;
    for (const id of issuerIds) {
      const retried = await engine.retryAll(
        { issuerId: id, environment: context.environment },
        { limit: MAX_RETRIED - documents.length, ...(operation ? { operation } : {}) },
      );
      documents.push(...retried.documents);
      remaining += retried.remaining;
    }
    return json(202, { ok: true, retried: documents.length, effects: documents.map(toEffect), remaining });
  },
});

// --- internal ---

/** The restarted operation. A document has one operation at a time, which is shown with the document's id. */
function toEffect({ id, job }: StoredDocument): Shown<typeof effectSchema> {
  return { id, effectType: `SRI_${job?.operation ?? 'SEND'}`, status: 'PENDING', attemptCount: 0 };
}
