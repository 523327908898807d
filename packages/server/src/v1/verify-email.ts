import { invalid, Refusal, ruleFailure } from '../errors.js';
import { escapeHtml } from '../escape-html.js';
import { type Answer, empty, json, page } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { messagePage } from '../http/problem-page.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { type Text, tell } from '../language.js';
import type { Tenant } from '../tenancy/tenant.js';
import { checkVerification, confirmVerification } from '../tenancy/verification.js';

/** `GET /v1/verify-email/check` */
export const checkEmail = defineHandler({
  parse: readTokenParameter,
  answer: async ({ exchange }: PublicCall, token) => {
    const email = await checkVerification(exchange.services.registration, token);
    return json(200, email === null ? { valid: false } : { valid: true, email });
  },
});

/** `POST /v1/verify-email` */
export const confirmEmail = defineHandler({
  parse: async (exchange) => {
    const { token } = await exchange.json();
    if (!isToken(token)) throw invalid([ruleFailure('token', token === undefined ? 'required' : 'hexToken')]);
    return token;
  },
  answer: async ({ exchange }: PublicCall, token) => {
    const tenant = await confirmVerification(exchange.services.registration, token);
    return verified(exchange, tenant);
  },
});

/** `GET /v1/verify-email`: the link in the mail. A browser gets a page, a program JSON. */
export const confirmEmailByLink = defineHandler({
  parse: (exchange) => {
    exchange.answersPages = true;
    return readTokenParameter(exchange);
  },
  answer: async ({ exchange }: PublicCall, token) => {
    const { registration } = exchange.services;
    if (onlyLooks(exchange)) {
      const email = await checkVerification(registration, token);
      if (email === null) throw new Refusal('INVALID_OR_EXPIRED_TOKEN');
      return empty(204);
    }
    const tenant = await confirmVerification(registration, token);
    return verified(exchange, tenant);
  },
});

// --- internal ---

const VERIFIED: Text = {
  es: 'Correo verificado. La cuenta está activa.',
  en: 'E-mail verified. The account is active.',
};

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}

function readTokenParameter(exchange: Exchange): string {
  const reader = new QueryReader(exchange.search);
  const token = reader.text('token');
  if (token !== null && !isToken(token)) reader.fail('token', 'hexToken');
  reader.done();
  if (token === null) throw invalid([ruleFailure('query:token', 'required')]);
  return token;
}

/** HEAD, and the calls by which browsers and mail filters look ahead, use up nothing. */
function onlyLooks(exchange: Exchange): boolean {
  const purpose = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map((name) => exchange.header(name)).join(' ');
  return exchange.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose);
}

function verified(exchange: Exchange, { email, language }: Tenant): Answer {
  exchange.tenantLanguage = language;
  const message = tell(VERIFIED, exchange.language);
  if (!exchange.answersPages || !exchange.prefersHtml) return json(200, { ok: true, email, message });
  return page(200, messagePage(exchange.language, escapeHtml(message)));
}
