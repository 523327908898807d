import { Type } from '@sinclair/typebox';
import { type LocalizedText, translate } from 'sri-core';
import type { Tenant } from '../accounts/index.js';
import { escapeHtml } from '../platform/escape-html.js';
import { type Answer, empty, json, page } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { messagePage } from '../platform/http/problem-page.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { flag, maybe, okBody, text } from '../platform/schema-words.js';
import { tokenField } from './fields.js';
import { checkVerification, confirmVerification, unusableLink } from './verify-address.js';

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
    const tenant = await checkVerification(exchange.services.registration, token);
    return json(200, tenant === null ? { valid: false } : { valid: true, email: tenant.email });
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
      'A browser gets a page; after a recovery, one with a button that confirms. Calls by which browsers and mail filters look ahead get status 204 and use up nothing.',
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
    const tenant = await checkVerification(registration, token);
    if (tenant === null) throw unusableLink();
    if (onlyLooks(exchange)) return empty(204);
    if (tenant.recoveredAt && exchange.prefersHtml && !new URLSearchParams(exchange.search).has(CONFIRM)) {
      return askFirst(exchange, tenant, token);
    }
    return verified(exchange, await confirmVerification(registration, token));
  },
});

// --- internal ---

const VERIFIED: LocalizedText = { es: 'Correo verificado.', en: 'E-mail verified.' };
const IS_ACTIVE: LocalizedText = { es: 'La cuenta está activa.', en: 'The account is active.' };

const ASKED: LocalizedText = {
  es: '¿Confirmar su correo? La recuperación de la cuenta ya no se podrá anular.',
  en: 'Confirm your e-mail? The recovery of the account can no longer be undone after that.',
};
const CONFIRM_BUTTON: LocalizedText = { es: 'Confirmar correo', en: 'Confirm e-mail' };
/** The query parameter that the button adds. */
const CONFIRM = 'confirm';

/**
 * A page with a button. Mail filters open links like a browser, and the confirmation ends the undo of a recovery, which
 * may be of another person.
 */
function askFirst(exchange: Exchange, { language }: Tenant, token: string): Answer {
  exchange.tenantLanguage = language;
  const fields = `<input type="hidden" name="token" value="${escapeHtml(token)}"><input type="hidden" name="${CONFIRM}">`;
  const button = `<form>${fields}<button>${escapeHtml(translate(CONFIRM_BUTTON, exchange.language))}</button></form>`;
  return page(200, messagePage(exchange.language, escapeHtml(translate(ASKED, exchange.language)), button));
}

/** HEAD requests and prefetches of browsers and mail filters do not use the token. */
function onlyLooks(exchange: Exchange): boolean {
  const purpose = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map((name) => exchange.header(name)).join(' ');
  return exchange.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose);
}

function verified(exchange: Exchange, { email, language, status }: Tenant): Answer {
  exchange.tenantLanguage = language;
  // A recovered account may be past due.
  const sentences = [VERIFIED, ...(status === 'ACTIVE' ? [IS_ACTIVE] : [])];
  const message = sentences.map((sentence) => translate(sentence, exchange.language)).join(' ');
  if (!exchange.answersPages || !exchange.prefersHtml) return json(200, { ok: true, email, message });
  return page(200, messagePage(exchange.language, escapeHtml(message)));
}
