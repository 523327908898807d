import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from 'sri-core';
import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, empty } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { type PublicCall, type PublicRoute, routeHandler } from '../platform/http/route.js';
import { serverLinks } from '../platform/http/server-links.js';
import { answerStatic } from '../platform/http/static-answer.js';
import {
  SCRIPT_TYPE,
  STYLE_TYPE,
  type StaticContent,
  TEXT_TYPE,
  toStaticContent,
} from '../platform/http/static-content.js';
import { LANGUAGES } from '../platform/language.js';
import { findFolderWith } from '../platform/package-folder.js';
import { guideContent } from './guide-content.js';
import { guideAddress } from './guide-layout.js';
import { GUIDE_PAGE_NAMES } from './guide-pages.js';
import { programList, programText } from './program-texts.js';

/** The guide: pages for users in both languages, each also as Markdown, and texts for programs. */
export const GUIDE_ROUTES: readonly PublicRoute[] = [
  open('/guide', (exchange) => redirect(exchange, null)),
  open('/guide/assets/:file', (exchange) => serve(exchange, findAsset(exchange, exchange.params['file'] ?? ''))),
  open('/guide/:language', (exchange) => {
    const { language = '' } = exchange.params;
    if (GUIDE_PAGE_NAMES.includes(language)) return redirect(exchange, language);
    return serve(exchange, findPage(exchange, withoutEnding(language), null, language.endsWith(MARKDOWN)));
  }),
  open('/guide/:language/:page', (exchange) => {
    const { language = '', page = '' } = exchange.params;
    return serve(exchange, findPage(exchange, language, withoutEnding(page), page.endsWith(MARKDOWN)));
  }),
  open('/llms.txt', (exchange) => serve(exchange, text(exchange, 'llms.txt', programList))),
  open('/llms-full.txt', (exchange) => serve(exchange, text(exchange, 'llms-full.txt', programText))),
];

// --- internal ---

const MARKDOWN = '.md';

/** Allows only the guide's own files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function open(path: string, answer: (exchange: Exchange) => Answer | Promise<Answer>): PublicRoute {
  const handler = routeHandler({ showsPages: true, answer: async ({ exchange }: PublicCall) => answer(exchange) });
  return { method: 'GET', path, access: 'public', limit: 'pages', handler };
}

async function serve(exchange: Exchange, found: Promise<StaticContent | null>): Promise<Answer> {
  const content = await found;
  if (!content) throw new Refusal('NOT_FOUND');
  return answerStatic(exchange, content, { 'content-security-policy': CONTENT_SECURITY_POLICY });
}

async function findPage({ services }: Exchange, languageName: string, name: string | null, asMarkdown: boolean) {
  const language = LANGUAGES.find((known) => known === languageName);
  if (!language) return null;
  const links = (of: Language) => serverLinks(of, services.config).filter(({ address }) => !isGuide(address));
  return services.staticContents.get(`${guideAddress(language, name)}${asMarkdown ? MARKDOWN : ''}`, () =>
    guideContent({ language, name, asMarkdown }, links),
  );
}

function text({ services }: Exchange, name: string, write: (baseUrl: string) => Promise<string>) {
  return services.staticContents.get(name, async () => toStaticContent(TEXT_TYPE, await write(services.urls.baseUrl)));
}

/** A file that the pages of the guide load; null for any other name. */
async function findAsset({ services }: Exchange, name: string): Promise<StaticContent | null> {
  const file = FILES.get(name);
  if (!file) return null;
  const read = () => readFile(join(findFolderWith(file.path), file.path));
  return services.staticContents.get(file.path, async () => toStaticContent(file.type, await read()));
}

const FILES: ReadonlyMap<string, { readonly type: string; readonly path: string }> = new Map([
  ['guide.css', { type: STYLE_TYPE, path: 'guide/guide.css' }],
  ['guide.js', { type: SCRIPT_TYPE, path: 'guide/guide.js' }],
  ['icon.svg', { type: 'image/svg+xml', path: 'console/icon.svg' }],
]);

function withoutEnding(name: string): string {
  return name.endsWith(MARKDOWN) ? name.slice(0, -MARKDOWN.length) : name;
}

/** Redirects to the page in the reader's language. */
function redirect(exchange: Exchange, name: string | null): Answer {
  return empty(302, { location: guideAddress(exchange.language, name), vary: 'Accept-Language' });
}

function isGuide(address: string): boolean {
  return address.startsWith('/guide');
}
