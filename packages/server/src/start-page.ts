import { page } from './http/answer.js';
import { messagePage } from './http/problem-page.js';
import { defineHandler, type PublicCall, type PublicRoute } from './http/route.js';
import { serverLinks } from './http/server-links.js';
import { type Text, tell } from './language.js';

/** What a person sees who opens the address of the server: the ways on. */
export const START_PAGE_ROUTE: PublicRoute = {
  method: 'GET',
  path: '/',
  access: 'public',
  limit: null,
  handler: defineHandler({
    showsPages: true,
    answer: async ({ exchange }: PublicCall) => {
      const { language, services } = exchange;
      const items = serverLinks(language, services.config).map(
        ({ address, text, about }) => `<li><a href="${address}">${text}</a><br>${about}</li>`,
      );
      const shown = page(200, messagePage(language, tell(TITLE, language), `<ul>${items.join('\n')}</ul>`));
      return { ...shown, headers: { ...shown.headers, vary: 'Accept-Language' } };
    },
  }),
};

// --- internal ---

const TITLE: Text = { es: 'Facturación electrónica', en: 'Electronic invoicing' };
