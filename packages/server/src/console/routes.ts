import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, json } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { type PublicCall, type PublicRoute, publicly, routeHandler } from '../platform/http/route.js';
import { answerStatic } from '../platform/http/static-answer.js';
import { compress, ENCODINGS, findAsset } from './assets.js';
import { listMailPreviews, readMailPreview, showsMailPreviews } from './mail-previews.js';
import { deleteSession, getSession, postSession, postStart } from './session-handlers.js';

/**
 * The console: files for a browser, which calls the interface like any client, and its session. In development also the
 * mails written instead of sent.
 */
export const CONSOLE_ROUTES: readonly PublicRoute[] = [
  publicly('GET', '/console/session', getSession, { limit: 'pages' }),
  publicly('POST', '/console/session', postSession, { limit: 'publicWork' }),
  publicly('DELETE', '/console/session', deleteSession, { limit: 'publicWork' }),
  publicly('POST', '/console/first-session', postStart, { limit: 'publicWork', slots: 'uploading' }),
  open('/console/mails', async (exchange) =>
    json(200, { ok: true, mails: await listMailPreviews(mailPlace(exchange)) }),
  ),
  open('/console/mails/:id', async (exchange) => json(200, { ok: true, mail: await requireMail(exchange) })),
  open('/console/mails/:id/page', async (exchange) => {
    // Links open outside the frame, which may load no other page.
    const { html: mail } = await requireMail(exchange);
    const html = mail.replace(/^(?:<!doctype[^>]*>)?\s*(?:<html[^>]*>)?/i, '$&<base target="_blank">');
    const headers = { 'content-security-policy': MAIL_SECURITY_POLICY, 'referrer-policy': 'no-referrer' };
    return { status: 200, body: { kind: 'content', type: 'text/html; charset=utf-8', content: html }, headers };
  }),
  open('/console/assets/:file', (exchange) => serveAsset(exchange, exchange.params['file'] ?? '')),
  open('/console', servePage),
  open('/console/**', servePage),
];

// --- internal ---

/** Allows only the page's own files. Frames show documents that the page has fetched. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A mail may use styles and open its links elsewhere, and nothing more. */
const MAIL_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";

/** The name of an asset changes with its content. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };

function open(path: string, answer: (exchange: Exchange) => Answer | Promise<Answer>): PublicRoute {
  return publicly('GET', path, routeHandler({ answer: async ({ exchange }: PublicCall) => answer(exchange) }), {
    limit: 'pages',
  });
}

/** Serves the same page at every address of the console. A name with an ending is a file. */
async function servePage(exchange: Exchange): Promise<Answer> {
  const page = exchange.path.includes('.') ? null : await findAsset(exchange.services.staticContents, 'index.html');
  if (!page) throw new Refusal('NOT_FOUND');
  return answerStatic(exchange, page, { 'content-security-policy': CONTENT_SECURITY_POLICY });
}

async function serveAsset(exchange: Exchange, name: string): Promise<Answer> {
  const { staticContents: kept } = exchange.services;
  const asset = name === 'index.html' ? null : await findAsset(kept, name);
  if (!asset) throw new Refusal('NOT_FOUND');
  const headers = { ...FOREVER, vary: 'Accept-Encoding' };
  const taken = (exchange.header('accept-encoding') ?? '').split(',').map((each) => each.trim());
  const encoding = ENCODINGS.find((each) => taken.includes(each));
  if (!encoding) return answerStatic(exchange, asset, headers);
  const compressed = await kept.get(`console ${name} ${encoding}`, () => compress(asset, encoding));
  return answerStatic(exchange, compressed, { ...headers, 'content-encoding': encoding });
}

async function requireMail(exchange: Exchange) {
  const mail = await readMailPreview(mailPlace(exchange), exchange.params['id'] ?? '');
  if (!mail) throw new Refusal('NOT_FOUND');
  return mail;
}

/** Mails contain links that open accounts: they are shown to this machine only, and never in production. */
function mailPlace(exchange: Exchange): string {
  if (!showsMailPreviews(exchange)) throw new Refusal('NOT_FOUND');
  return exchange.services.config.dataDir;
}
