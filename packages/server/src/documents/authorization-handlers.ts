import type { AuthorizationCheck, Language } from 'sri-core';
import type { IssuerCall } from '../issuers/index.js';
import { type Answer, json } from '../platform/http/answer.js';
import type { Field } from '../platform/http/field.js';
import { pathAccessKey, queryInteger } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, maybe, okBody, orNull, text } from '../platform/schema-words.js';
import { documentSchema, toDocumentBody } from './schemas.js';
import { sriResponseSchema, toSriResponseBody } from './sri-response-body.js';

const DEFAULT_WAIT_SECONDS = 15;
const MAX_WAIT_SECONDS = 30;

/** Whether the client does not want to wait. */
const respondAsync: Field<boolean> = {
  schema: text('`respond-async` answers at once, as `wait=0`.', 'respond-async'),
  required: false,
  absent: false,
  parse: (sent) => /(^|[\s,;])respond-async($|[\s,;])/i.test(String(sent)),
};

/** `GET /v1/documents/:accessKey/authorize` */
export const authorizeDocument = routeHandler({
  operation: {
    id: 'authorizeDocument',
    summary: 'Asks the SRI now whether a received document is authorized.',
    description: 'A settled document is returned without a question to the SRI.',
    answers: {
      200: okBody({ document: documentSchema, sriResponse: maybe(orNull(sriResponseSchema)) }),
      202: okBody({ document: documentSchema }),
    },
    refuses: ['BAD_REQUEST'],
  },
  params: { accessKey: pathAccessKey },
  query: {
    wait: queryInteger(
      { min: 0, max: MAX_WAIT_SECONDS, fallback: DEFAULT_WAIT_SECONDS },
      'Seconds to wait for the SRI before status 202 says that the question is under way.',
    ),
  },
  headers: { Prefer: respondAsync },
  parse: (_exchange, { params, query, headers }) => ({
    accessKey: params.accessKey,
    waitMs: headers.Prefer ? 0 : query.wait * 1000,
  }),
  answer: async ({ exchange, scope }: IssuerCall, { accessKey, waitMs }) => {
    const { engine, background } = exchange.services;
    const document = await engine.get(scope, accessKey);
    // HEAD does not ask the SRI. A document that is not RECEIVED needs no waiting.
    if (exchange.method === 'HEAD')
      return json(200, { ok: true, document: toDocumentBody(document, exchange.language) });
    if (document.status !== 'RECEIVED') return settled(await engine.authorize(scope, accessKey), exchange.language);

    const check = background.run('authorization check', () => engine.authorize(scope, accessKey));
    const answered = waitMs === 0 ? null : await background.within(waitMs, check);
    if (answered) return settled(answered, exchange.language);
    return json(202, { ok: true, document: toDocumentBody(await engine.get(scope, accessKey), exchange.language) });
  },
});

/** `GET /v1/documents/:accessKey/sri-responses` */
export const listSriResponses = routeHandler({
  operation: {
    id: 'listSriResponses',
    summary: 'Lists what the SRI answered about a document, newest first, with advice.',
    answers: { 200: okBody({ sriResponses: listOf(sriResponseSchema, 'The newest 1,000 answers.') }) },
  },
  params: { accessKey: pathAccessKey },
  answer: async ({ exchange, scope }: IssuerCall, { params: { accessKey } }) => {
    const responses = await exchange.services.engine.sriResponses(scope, accessKey);
    return json(200, {
      ok: true,
      sriResponses: responses.map((response) => toSriResponseBody(response, exchange.language)),
    });
  },
});

// --- internal ---

function settled({ document, response }: AuthorizationCheck, language: Language): Answer {
  const sriResponse = response && toSriResponseBody(response, language);
  return json(200, { ok: true, document: toDocumentBody(document, language), sriResponse });
}
