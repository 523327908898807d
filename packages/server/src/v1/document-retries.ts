import type { JobOperation, StoredDocument } from 'sri-core';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { JsonObject } from '../http/parse-body.js';
import { requireIssuer } from '../http/require-issuer.js';
import { defineHandler, type IssuerCall, type TenantCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import { listIssuerIds } from '../store/issuers.js';
import { readAccessKey } from './access-key-param.js';
import { toDocumentBody } from './document-body.js';

/** `POST /v1/documents/:accessKey/send/retry` */
export const retryDocument = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const document = await exchange.services.engine.retry(scope, accessKey);
    return json(202, { ok: true, document: toDocumentBody(document), effect: toEffect(document) });
  },
});

/** `POST /v1/tenants/retry-failed-documents` */
export const retryFailedDocuments = defineHandler({
  parse: async (exchange) => readSelection((await exchange.optionalJson()) ?? {}),
  answer: async ({ exchange, context }: TenantCall, { issuerId, operation }) => {
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

/** Documents one call sets going. */
const MAX_RETRIED = 1000;
const OPERATIONS = ['SEND', 'AUTHORIZE'] as const satisfies readonly JobOperation[];

/** What was set going again. A document has one operation at a time, and lends it its id. */
function toEffect({ id, job }: StoredDocument) {
  return { id, effectType: `SRI_${job?.operation ?? 'SEND'}`, status: 'PENDING', attemptCount: 0 };
}

function readSelection({ issuerId, operation }: JsonObject) {
  const failures: RuleFailure[] = [];
  const uuid = typeof issuerId === 'string' ? toUuid(issuerId) : null;
  if (issuerId !== undefined && !uuid) failures.push(ruleFailure('issuerId', 'pattern', { form: 'UUID' }));
  const known = OPERATIONS.find((candidate) => candidate === operation);
  if (operation !== undefined && !known) {
    failures.push(ruleFailure('operation', 'choice', { allowed: OPERATIONS.join(', ') }));
  }
  if (failures.length > 0) throw invalid(failures);
  return { issuerId: uuid, operation: known ?? null };
}
