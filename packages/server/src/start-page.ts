import { type LocalizedText, translate } from 'sri-core';
import { messagePage } from './platform/http/problem-page.js';
import { type PublicCall, type PublicRoute, routeHandler } from './platform/http/route.js';
import { serverLinks } from './platform/http/server-links.js';
import { answerPage } from './platform/http/static-answer.js';

/** The page at the address of the server: links to its other pages. */
export const START_PAGE_ROUTE: PublicRoute = {
  method: 'GET',
  path: '/',
  access: 'public',
  limit: 'pages',
  handler: routeHandler({
    showsPages: true,
    answer: async ({ exchange }: PublicCall) => {
      const { language, services } = exchange;
      return answerPage(exchange, 'start', () => {
        const items = serverLinks(language, services.config).map(
          ({ address, text, about }) => `<li><a href="${address}">${text}</a><br>${about}</li>`,
        );
        return messagePage(language, translate(TITLE, language), `<ul>${items.join('\n')}</ul>`, true);
      });
    },
  }),
};

// --- internal ---

const TITLE: LocalizedText = { es: 'Facturación electrónica', en: 'Electronic invoicing' };
