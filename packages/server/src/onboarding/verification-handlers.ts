import { Type } from '@sinclair/typebox';
import type { Tenant } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { escapeHtml } from '../platform/escape-html.js';
import { type Answer, empty, json, page } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { messagePage } from '../platform/http/problem-page.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { type Text, tell } from '../platform/language.js';
import { flag, maybe, okBody, text } from '../platform/schema-words.js';
import { tokenField } from './fields.js';
import { checkVerification, confirmVerification } from './verify-address.js';

const verifiedBody = okBody({
  email: text('The address that is verified.', 'facturas@example.com'),
  message: text('For people.', 'Correo verificado. La cuenta está activa.'),
});

/** `GET /v1/verify-email/check` */
export const checkEmail = routeHandler({
  operation: {
    id: 'checkVerification',
    summary: 'Tells whether a verification link would work, without using it.',
    answers: {
      200: Type.Object({
        valid: flag('Whether it would.'),
        email: maybe(text('The address it would verify.', 'facturas@example.com')),
      }),
    },
  },
  query: { token: tokenField },
  answer: async ({ exchange }: PublicCall, { query: { token } }) => {
    const email = await checkVerification(exchange.services.registration, token);
    return json(200, email === null ? { valid: false } : { valid: true, email });
  },
});

/** `POST /v1/verify-email` */
export const confirmEmail = routeHandler({
  operation: {
    id: 'verifyEmail',
    summary: 'Verifies the address of an account.',
    answers: { 200: verifiedBody },
    refuses: ['INVALID_OR_EXPIRED_TOKEN', 'ACCOUNT_SUSPENDED'],
  },
  body: jsonBody({ token: tokenField }),
  answer: async ({ exchange }: PublicCall, { body: { token } }) => {
    const tenant = await confirmVerification(exchange.services.registration, token);
    return verified(exchange, tenant);
  },
});

/** `GET /v1/verify-email`: the link in the mail. A browser gets a page, a program JSON. */
export const confirmEmailByLink = routeHandler({
  operation: {
    id: 'verifyEmailByLink',
    summary: 'Verifies the address of an account, as the link of the mail does.',
    description:
      'A browser gets a page. Calls by which browsers and mail filters look ahead get status 204 and use up nothing.',
    answers: {
      200: {
        about: 'Verified.',
        content: { 'application/json': verifiedBody, 'text/html': Type.String({ description: 'A page.' }) },
      },
      204: 'nothing',
    },
    refuses: ['INVALID_OR_EXPIRED_TOKEN', 'ACCOUNT_SUSPENDED'],
  },
  query: { token: tokenField },
  showsPages: true,
  answer: async ({ exchange }: PublicCall, { query: { token } }) => {
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

/** HEAD requests and prefetches of browsers and mail filters do not use the token. */
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
