import { Refusal } from '../errors.js';
import { page } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type PublicCall, type PublicRoute } from '../http/route.js';
import { CODES_BY_KIND, errorIndexPage, errorPage } from './error-page.js';

/** Where the `type` of a problem leads: a page for each kind of error, with a section for each code. */
export const ERROR_PAGE_ROUTES: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: '/docs/errors',
    access: 'public',
    limit: null,
    handler: defineHandler({
      parse: answerWithPages,
      answer: async ({ exchange }: PublicCall) =>
        page(200, errorIndexPage(exchange.language, exchange.services.urls.docsUrl)),
    }),
  },
  {
    method: 'GET',
    path: '/docs/errors/:kind',
    access: 'public',
    limit: null,
    handler: defineHandler({
      parse: answerWithPages,
      answer: async ({ exchange }: PublicCall) => {
        const kind = exchange.params['kind'] ?? '';
        const codes = CODES_BY_KIND.get(kind);
        if (!codes) throw new Refusal('NOT_FOUND');
        return page(200, errorPage(kind, codes, exchange.language, exchange.services.urls.docsUrl));
      },
    }),
  },
];

// --- internal ---

function answerWithPages(exchange: Exchange): void {
  exchange.answersPages = true;
}
