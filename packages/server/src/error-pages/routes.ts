import { Type } from '@sinclair/typebox';
import { Refusal } from '../platform/errors/refusal.js';
import type { Exchange } from '../platform/http/exchange.js';
import { pathName } from '../platform/http/fields.js';
import { type PublicCall, type PublicRoute, routeHandler } from '../platform/http/route.js';
import { answerPage } from '../platform/http/static-answer.js';
import { CODES_BY_KIND, type ErrorPageContext, errorIndexPage, errorPage } from './error-page.js';

const htmlPage = { about: 'The page.', content: { 'text/html': Type.String() } };

/** The target of a problem's `type`: a page for each kind of error, with a section for each code. */
export const ERROR_PAGE_ROUTES: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: '/docs/errors',
    access: 'public',
    limit: 'pages',
    handler: routeHandler({
      operation: {
        id: 'showErrors',
        summary: 'A page that lists every code.',
        answers: { 200: htmlPage, 304: 'nothing' },
      },
      showsPages: true,
      answer: async ({ exchange }: PublicCall) =>
        answerPage(exchange, 'errors', () => errorIndexPage(exchange.language, placeOf(exchange))),
    }),
  },
  {
    method: 'GET',
    path: '/docs/errors/:kind',
    access: 'public',
    limit: 'pages',
    handler: routeHandler({
      operation: {
        id: 'showErrorKind',
        summary: 'A page that explains the codes of a kind, with an example of each.',
        answers: { 200: htmlPage, 304: 'nothing' },
        refuses: ['NOT_FOUND'],
      },
      params: { kind: pathName('The last part of the `type` of a problem.', 'validation-error') },
      showsPages: true,
      answer: async ({ exchange }: PublicCall, { params: { kind } }) => {
        const codes = CODES_BY_KIND.get(kind);
        if (!codes) throw new Refusal('NOT_FOUND');
        return answerPage(exchange, `errors ${kind}`, () =>
          errorPage(kind, codes, exchange.language, placeOf(exchange)),
        );
      },
    }),
  },
];

// --- internal ---

function placeOf({ services: { urls, config } }: Exchange): ErrorPageContext {
  return { docsUrl: urls.docsUrl, config };
}
