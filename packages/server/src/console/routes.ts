import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, json } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { answerKept } from '../platform/http/kept-answer.js';
import { isFromThisMachine } from '../platform/http/own-machine.js';
import { type PublicCall, type PublicRoute, routeHandler } from '../platform/http/route.js';
import { CONSOLE_FOLDERS, findAsset } from './assets.js';
import { listWrittenMails, readWrittenMail } from './written-mails.js';

/**
 * The console: files for a browser, which calls the interface with its user's key like any client. In development also
 * the mails that were written instead of sent.
 */
export const CONSOLE_ROUTES: readonly PublicRoute[] = [
  open('/console', (exchange) => serveAsset(exchange, 'index.html')),
  open('/console/mails', async (exchange) =>
    json(200, { ok: true, mails: await listWrittenMails(mailPlace(exchange)) }),
  ),
  open('/console/mails/:id', async (exchange) => {
    const mail = await readWrittenMail(mailPlace(exchange), exchange.params['id'] ?? '');
    if (!mail) throw new Refusal('NOT_FOUND');
    return json(200, { ok: true, mail });
  }),
  open('/console/mails/:id/page', async (exchange) => {
    const mail = await readWrittenMail(mailPlace(exchange), exchange.params['id'] ?? '');
    if (!mail) throw new Refusal('NOT_FOUND');
    const headers = { 'content-security-policy': MAIL_SECURITY_POLICY, 'referrer-policy': 'no-referrer' };
    return { status: 200, body: { kind: 'content', type: 'text/html; charset=utf-8', content: mail.html }, headers };
  }),
  open('/console/:file', (exchange) => serveAsset(exchange, exchange.params['file'] ?? '')),
  ...CONSOLE_FOLDERS.map((folder) =>
    open(`/console/${folder}/:file`, (exchange) => serveAsset(exchange, `${folder}/${exchange.params['file'] ?? ''}`)),
  ),
];

// --- internal ---

/** Allows only the page's own files; frames show documents that the page has fetched itself. */
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

/** A mail as a mail program shows it: styled, and without any permission. */
const MAIL_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups; frame-ancestors 'self'";

function open(path: string, answer: (exchange: Exchange) => Answer | Promise<Answer>): PublicRoute {
  const handler = routeHandler({ answer: async ({ exchange }: PublicCall) => answer(exchange) });
  return { method: 'GET', path, access: 'public', limit: 'pages', handler };
}

function serveAsset(exchange: Exchange, name: string): Answer {
  const asset = findAsset(name);
  if (!asset) throw new Refusal('NOT_FOUND');
  return answerKept(exchange, asset, { 'content-security-policy': CONTENT_SECURITY_POLICY });
}

/** Mails contain links that open accounts: they are shown to this machine only, and never in production. */
function mailPlace(exchange: Exchange): string {
  const { config } = exchange.services;
  if (config.production || config.smtpUrl !== null || !isFromThisMachine(exchange)) throw new Refusal('NOT_FOUND');
  return config.dataDir;
}
