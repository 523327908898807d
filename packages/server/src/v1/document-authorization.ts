import type { AuthorizationCheck } from 'sri-core';
import { type Answer, json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import type { Language } from '../language.js';
import { readAccessKey } from './access-key-param.js';
import { toDocumentBody } from './document-body.js';
import { toSriResponseBody } from './sri-response-body.js';

/** `GET /v1/documents/:accessKey/authorize` */
export const authorizeDocument = defineHandler({
  parse: (exchange) => ({ accessKey: readAccessKey(exchange), waitMs: readWait(exchange) }),
  answer: async ({ exchange, scope }: IssuerCall, { accessKey, waitMs }) => {
    const { engine, background } = exchange.services;
    const document = await engine.get(scope, accessKey);
    // HEAD asks nobody; and where nothing has to be asked there is nothing to wait for.
    if (exchange.method === 'HEAD') return json(200, { ok: true, document: toDocumentBody(document) });
    if (document.status !== 'RECEIVED') return settled(await engine.authorize(scope, accessKey), exchange.language);

    const check = background.run('authorization check', () => engine.authorize(scope, accessKey));
    const answered = waitMs === 0 ? null : await background.within(waitMs, check);
    if (answered) return settled(answered, exchange.language);
    return json(202, { ok: true, document: toDocumentBody(await engine.get(scope, accessKey)) });
  },
});

/** `GET /v1/documents/:accessKey/sri-responses` */
export const listSriResponses = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, scope }: IssuerCall, accessKey) => {
    const responses = await exchange.services.engine.sriResponses(scope, accessKey);
    return json(200, {
      ok: true,
      sriResponses: responses.map((response) => toSriResponseBody(response, exchange.language)),
    });
  },
});

// --- internal ---

const DEFAULT_WAIT_SECONDS = 15;
const MAX_WAIT_SECONDS = 30;

function settled({ document, response }: AuthorizationCheck, language: Language): Answer {
  const sriResponse = response && toSriResponseBody(response, language);
  return json(200, { ok: true, document: toDocumentBody(document), sriResponse });
}

function readWait(exchange: Exchange): number {
  const reader = new QueryReader(exchange.search);
  const seconds = reader.integer('wait', { min: 0, max: MAX_WAIT_SECONDS, fallback: DEFAULT_WAIT_SECONDS });
  reader.done();
  const asynchronous = /(^|[\s,;])respond-async($|[\s,;])/i.test(exchange.header('prefer') ?? '');
  return asynchronous ? 0 : seconds * 1000;
}
