import { DOCUMENT_TYPES, type DocumentType, type Engine, type Environment, LAST_SEQUENTIAL } from 'sri-core';
import type { TenantCall } from '../accounts/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { choice, integer, pathId } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, named, okBody, oneOf, part, type Shown, whole } from '../platform/schema-words.js';
import { requireOwnIssuer } from './own-issuer.js';

const counter = (about: string) =>
  part(about, {
    current: whole('The number issued last; 0 for none.', 0, { minimum: 0 }),
    next: whole('The number the next document gets.', 1, { minimum: 1 }),
  });

const countersSchema = named('SequentialCounters', 'The counters of a document type.', {
  documentType: oneOf(DOCUMENT_TYPES, 'The type.'),
  sandbox: counter('In the test environment.'),
  production: counter('In production.'),
});

/** `GET /v1/issuers/:id/sequentials` */
export const getSequentials = routeHandler({
  operation: {
    id: 'listSequentials',
    summary: 'Lists where the counters of an issuer stand.',
    answers: { 200: okBody({ sequentials: listOf(countersSchema, 'By document type.') }) },
    refuses: ['ISSUER_NOT_FOUND', 'ISSUER_FORBIDDEN'],
  },
  params: { id: pathId('issuer') },
  answer: async ({ exchange, context }: TenantCall, { params: { id } }) => {
    const { database, engine } = exchange.services;
    const { documentTypes } = await database.read((tables) => requireOwnIssuer(tables, context, id));
    const sequentials: readonly Shown<typeof countersSchema>[] = await Promise.all(
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
export const patchSequential = routeHandler({
  operation: {
    id: 'setNextSequential',
    summary: 'Moves a counter of an issuer forward.',
    answers: { 200: okBody({}) },
    refuses: ['ISSUER_NOT_FOUND', 'ISSUER_FORBIDDEN', 'SEQUENTIAL_CANNOT_DECREASE'],
  },
  params: {
    id: pathId('issuer'),
    documentType: required(choice(DOCUMENT_TYPES, 'The type.', { rule: 'documentType' })),
  },
  collectsAllFaults: true,
  body: jsonBody({
    environment: required(choice(['sandbox', 'production'], 'Which counter.', { nulls: 'refused' })),
    nextSequential: required(
      integer({ min: 1, max: LAST_SEQUENTIAL }, 'The number the next document gets.', { nulls: 'refused' }),
    ),
  }),
  find: ({ exchange, context }: TenantCall, { params: { id } }) =>
    exchange.services.database.read((tables) => requireOwnIssuer(tables, context, id)),
  answer: async ({ exchange, context }: TenantCall, { params: { id, documentType }, body }) => {
    const { database, engine } = exchange.services;
    await database.read((tables) => requireOwnIssuer(tables, context, id));
    await engine.setNextSequential({ issuerId: id, documentType, environment: body.environment }, body.nextSequential);
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
