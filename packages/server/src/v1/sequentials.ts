import {
  DOCUMENT_TYPES,
  type DocumentType,
  type Engine,
  type Environment,
  isDocumentType,
  LAST_SEQUENTIAL,
} from 'sri-core';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { requireOwnIssuer } from '../tenancy/own-issuer.js';
import { readIssuerId } from './issuer-id-param.js';

/** `GET /v1/issuers/:id/sequentials` */
export const getSequentials = defineHandler({
  parse: readIssuerId,
  answer: async ({ exchange, context }: TenantCall, id) => {
    const { database, engine } = exchange.services;
    const { documentTypes } = await database.read((tables) => requireOwnIssuer(tables, context, id));
    const sequentials = await Promise.all(
      documentTypes.map(async (documentType) => ({
        documentType,
        sandbox: await readCounter(engine, { issuerId: id, environment: 'sandbox', documentType }),
        production: await readCounter(engine, { issuerId: id, environment: 'production', documentType }),
      })),
    );
    return json(200, { ok: true, sequentials });
  },
});

/** `PATCH /v1/issuers/:id/sequentials/:documentType` */
export const patchSequential = defineHandler({
  parse: readCounterChange,
  answer: async ({ exchange, context }: TenantCall, { counter, next }) => {
    const { database, engine } = exchange.services;
    await database.read((tables) => requireOwnIssuer(tables, context, counter.issuerId));
    await engine.setNextSequential(counter, next);
    return json(200, { ok: true });
  },
});

// --- internal ---

interface DocumentCounter {
  readonly issuerId: string;
  readonly environment: Environment;
  readonly documentType: DocumentType;
}

async function readCounter(engine: Engine, counter: DocumentCounter) {
  const next = await engine.nextSequential(counter);
  return { current: next - 1, next };
}

async function readCounterChange(
  exchange: Exchange,
): Promise<{ readonly counter: DocumentCounter; readonly next: number }> {
  const failures: RuleFailure[] = [];
  const issuerId = readIssuerId(exchange);
  const code = exchange.params['documentType'] ?? '';
  const documentType = isDocumentType(code) ? code : null;
  const allowed = DOCUMENT_TYPES.join(', ');
  if (!documentType) failures.push(ruleFailure('path:documentType', 'documentType', { allowed }));
  const { environment, nextSequential: next } = await exchange.json();
  const known: Environment | null = environment === 'sandbox' || environment === 'production' ? environment : null;
  if (environment === undefined) failures.push(ruleFailure('environment', 'required'));
  else if (!known) failures.push(ruleFailure('environment', 'choice', { allowed: 'sandbox, production' }));
  const inRange = typeof next === 'number' && Number.isInteger(next) && next >= 1 && next <= LAST_SEQUENTIAL;
  if (next === undefined) failures.push(ruleFailure('nextSequential', 'required'));
  else if (!inRange) failures.push(ruleFailure('nextSequential', 'integer', { min: 1, max: LAST_SEQUENTIAL }));
  if (failures.length > 0 || !documentType || !known || !inRange) throw invalid(failures);
  return { counter: { issuerId, environment: known, documentType }, next };
}
