import { isWritableText, type StoredDocument, toIsoDate } from 'sri-core';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { JsonObject } from '../http/parse-body.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { readAccessKey } from './access-key-param.js';
import { toDocumentBody, toWarningBodies } from './document-body.js';
import { requireValidBody } from './review-body.js';

/** `POST /v1/documents/:accessKey/rebuild` */
export const rebuildDocument = defineHandler({
  parse: async (exchange) => ({
    accessKey: readAccessKey(exchange),
    ...readCorrection((await exchange.optionalJson()) ?? {}),
  }),
  review: (exchange, { body }) => {
    if (body) requireValidBody(exchange, undated(body));
  },
  answer: async ({ exchange, scope }: IssuerCall, { accessKey, ...correction }) => {
    const { document, warnings } = await exchange.services.engine.rebuild(scope, accessKey, correction);
    return json(200, {
      ok: true,
      document: toDocumentBody(document),
      ...toWarningBodies(warnings, exchange.language),
    });
  },
});

/** `POST /v1/documents/:accessKey/void` */
export const voidDocument = defineHandler({
  parse: async (exchange) => ({
    accessKey: readAccessKey(exchange),
    annulment: readAnnulment(await exchange.json()),
  }),
  answer: async ({ exchange, scope }: IssuerCall, { accessKey, annulment }) => {
    const document = await exchange.services.engine.void(scope, accessKey, annulment);
    return json(200, { ok: true, document: { ...toDocumentBody(document), ...toVoidedBody(document) } });
  },
});

// --- internal ---

const MAX_REASON = 500;

/** What is asked of the rebuild stands beside the fields of a creation body; without any, the stored body is meant. */
function readCorrection({ redate, resequence, ...fields }: JsonObject) {
  const failures: RuleFailure[] = [];
  for (const [name, value] of Object.entries({ redate, resequence })) {
    if (value !== undefined && typeof value !== 'boolean') {
      failures.push(ruleFailure(name, 'type', { expected: 'boolean' }));
    }
  }
  if (failures.length > 0) throw invalid(failures);
  return {
    redate: redate === true,
    resequence: resequence === true,
    ...(Object.keys(fields).length > 0 ? { body: fields } : {}),
  };
}

/** Which dates may stand there depends on the document. */
function undated({ issueDate, ...rest }: JsonObject): JsonObject {
  return typeof issueDate === 'string' && toIsoDate(issueDate) ? rest : { issueDate, ...rest };
}

function readAnnulment({ confirmedSriVoid, reason }: JsonObject) {
  const failures: RuleFailure[] = [];
  if (confirmedSriVoid === undefined) failures.push(ruleFailure('confirmedSriVoid', 'required'));
  else if (typeof confirmedSriVoid !== 'boolean') {
    failures.push(ruleFailure('confirmedSriVoid', 'type', { expected: 'boolean' }));
  }
  const text = typeof reason === 'string' ? reason.trim() : '';
  if (reason === undefined || reason === null) failures.push(ruleFailure('reason', 'required'));
  else if (typeof reason !== 'string') failures.push(ruleFailure('reason', 'type', { expected: 'string' }));
  else if (text === '') failures.push(ruleFailure('reason', 'minLength', { min: 1 }));
  else if ([...text].length > MAX_REASON) failures.push(ruleFailure('reason', 'maxLength', { max: MAX_REASON }));
  else if (!isWritableText(text)) failures.push(ruleFailure('reason', 'text'));
  if (failures.length > 0) throw invalid(failures);
  return { confirmedSriVoid: confirmedSriVoid === true, reason: text };
}

function toVoidedBody({ buyer, voided }: StoredDocument) {
  const { id, idType, name, email } = buyer;
  return {
    buyer: { id, idType, name, email },
    ...(voided ? { voidReason: voided.reason, voidedAt: voided.at.toISOString() } : {}),
  };
}
