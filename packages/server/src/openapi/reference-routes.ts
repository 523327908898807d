import { Type } from '@sinclair/typebox';
import { Refusal } from '../platform/errors/refusal.js';
import { pathName } from '../platform/http/fields.js';
import { type PublicCall, type PublicRoute, routeHandler } from '../platform/http/route.js';
import { linkRow } from '../platform/http/server-links.js';
import { answerStatic } from '../platform/http/static-answer.js';
import { JSON_TYPE, PAGE_TYPE, toStaticContent } from '../platform/http/static-content.js';
import { anyObject } from '../platform/schema-words.js';
import type { JsonMembers } from './json-schema.js';
import { findReferenceFile } from './reference-files.js';
import { REFERENCE_POLICY, referencePage } from './reference-page.js';

/**
 * The routes that describe the interface: for programs, and as a page for users.
 * @param describe called once, on the first request.
 */
export function createReferenceRoutes(describe: () => JsonMembers): readonly PublicRoute[] {
  return [
    route(
      '/openapi.json',
      routeHandler({
        operation: {
          id: 'getDescription',
          summary: 'Gives this description.',
          answers: { 200: anyObject('The OpenAPI 3.1 description.', { openapi: '3.1.0' }), 304: 'nothing' },
        },
        answer: async ({ exchange }: PublicCall) => {
          const content = () => toStaticContent(JSON_TYPE, JSON.stringify(describe()));
          const kept = await exchange.services.staticContents.get('openapi', content);
          return answerStatic(exchange, kept, CACHED);
        },
      }),
    ),
    route(
      '/docs',
      routeHandler({
        operation: {
          id: 'showReference',
          summary: 'A page of the interface to read and try.',
          answers: { 200: page, 304: 'nothing' },
        },
        showsPages: true,
        answer: async ({ exchange }: PublicCall) => {
          const { language, services } = exchange;
          const content = () => toStaticContent(PAGE_TYPE, referencePage(language, linkRow(language, services.config)));
          const kept = await services.staticContents.get(`reference ${language}`, content);
          return answerStatic(exchange, kept, { 'content-security-policy': REFERENCE_POLICY, vary: 'Accept-Language' });
        },
      }),
    ),
    route(
      '/docs/assets/:file',
      routeHandler({
        params: { file: pathName('A file of the page.', 'swagger-ui.css') },
        answer: async ({ exchange }: PublicCall, { params }) => {
          const file = await findReferenceFile(exchange.services.staticContents, params.file);
          if (!file) throw new Refusal('NOT_FOUND');
          return answerStatic(exchange, file, CACHED);
        },
      }),
    ),
  ];
}

// --- internal ---

/** The answer changes only with the server. */
const CACHED = { 'cache-control': 'public, max-age=3600' } as const;

const page = { about: 'The page.', content: { 'text/html': Type.String() } };

function route(path: string, handler: PublicRoute['handler']): PublicRoute {
  return { method: 'GET', path, access: 'public', limit: null, handler };
}
