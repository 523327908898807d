import { Type } from '@sinclair/typebox';
import { type LocalizedText, translate } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';
import { type Answer, json, page } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { messagePage } from '../platform/http/problem-page.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { okBody, text } from '../platform/schema-words.js';
import { tokenField } from './fields.js';
import { checkRecoveryUndo, tooLate, undoRecovery } from './undo-recovery.js';

const answerBody = okBody({
  email: text('The address of the account.', 'facturas@example.com'),
  message: text('For people.', 'La recuperación se anuló.'),
});
const answers = (about: string) => ({
  200: { about, content: { 'application/json': answerBody, 'text/html': Type.String({ description: 'A page.' }) } },
});

/** `GET /v1/recover/undo`: the link in the mail. Asks for confirmation, and changes nothing. */
export const showRecoveryUndo = routeHandler({
  operation: {
    id: 'checkRecoveryUndo',
    summary: 'Asks whether a recovery is to be undone, as the link of its mail does. Changes nothing.',
    answers: answers('The recovery can be undone.'),
    refuses: ['INVALID_OR_EXPIRED_TOKEN'],
  },
  query: { token: tokenField },
  showsPages: true,
  answer: async ({ exchange }: PublicCall, { query: { token } }) => {
    const email = await checkRecoveryUndo(exchange.services.registration, token);
    if (email === null) throw tooLate();
    const button = `<form method="post"><button>${escapeHtml(translate(UNDO, exchange.language))}</button></form>`;
    return answered(exchange, { email, message: translate(ASKED, exchange.language) }, button);
  },
});

/** `POST /v1/recover/undo` */
export const undoAccountRecovery = routeHandler({
  operation: {
    id: 'undoRecovery',
    summary: 'Undoes a recovery: its key ends, and the keys from before work again.',
    description: 'Possible once, and until the address of the account is verified.',
    answers: answers('The recovery was undone.'),
    refuses: ['INVALID_OR_EXPIRED_TOKEN', 'ACCOUNT_SUSPENDED'],
  },
  query: { token: tokenField },
  showsPages: true,
  answer: async ({ exchange }: PublicCall, { query: { token } }) => {
    const tenant = await undoRecovery(exchange.services.registration, token);
    exchange.tenantLanguage = tenant.language;
    exchange.logFields['tenantId'] = tenant.id;
    return answered(exchange, { email: tenant.email, message: translate(UNDONE, exchange.language) });
  },
});

// --- internal ---

const ASKED: LocalizedText = { es: '¿Anular la recuperación de su cuenta?', en: 'Undo the recovery of your account?' };
const UNDO: LocalizedText = { es: 'Anular la recuperación', en: 'Undo the recovery' };
const UNDONE: LocalizedText = {
  es: 'La recuperación se anuló. Las claves de antes vuelven a funcionar.',
  en: 'The recovery was undone. The keys from before work again.',
};

/** A browser gets a page, a program JSON. */
function answered(exchange: Exchange, body: { readonly email: string; readonly message: string }, html = ''): Answer {
  if (!exchange.prefersHtml) return json(200, { ok: true, ...body });
  return page(200, messagePage(exchange.language, escapeHtml(body.message), html));
}
