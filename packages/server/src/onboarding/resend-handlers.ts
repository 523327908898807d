import { setTimeout as pause } from 'node:timers/promises';
import { type LocalizedText, translate } from 'sri-core';
import { isEmailAddress } from '../platform/email-address.js';
import { Refusal } from '../platform/errors/refusal.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { plainText, trimmed } from '../platform/http/fields.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { okBody, text } from '../platform/schema-words.js';
import { checkRedirectUrl } from './redirect-url.js';
import { resendVerification } from './resend-verification.js';

const FIELDS = {
  email: trimmed(plainText(text('Address of the account.', 'facturas@example.com'))),
  verificationRedirectUrl: trimmed(
    plainText(text('Where the link of the mail leads instead.', 'https://app.example.com/verify')),
  ),
};

const resendBody = jsonBody(FIELDS, {
  described: { email: required(FIELDS.email) },
  check({ email, verificationRedirectUrl }, input, { services }) {
    if (email !== null && !isEmailAddress(email)) input.fail('email', 'email');
    if (email === null && input.failures.length === 0) input.fail('email', 'required');
    if (verificationRedirectUrl !== null)
      checkRedirectUrl(verificationRedirectUrl, services.registration.redirects, input);
  },
});

/** `POST /v1/resend-verification`: the same answer, in the same time, whether or not the address has an account. */
export const resendEmail = routeHandler({
  operation: {
    id: 'resendVerification',
    summary: 'Sends the verification mail again.',
    description: 'Answered alike whether or not the address has an account.',
    answers: { 200: okBody({ message: text('For people.', 'Si ese correo tiene una cuenta sin verificar…') }) },
  },
  body: resendBody,
  parse: (_exchange, { body }) => ({ email: body.email ?? '', redirectUrl: body.verificationRedirectUrl }),
  answer: async ({ exchange }: PublicCall, request) => {
    const { registration, background, config } = exchange.services;
    // The work after the answer could report no failure.
    if (config.readOnly) throw new Refusal('SERVICE_UNAVAILABLE', { reason: 'READ_ONLY', retryAfterSeconds: 2 });
    void background.run('resend-verification', async () => {
      await pause(AFTER_THE_ANSWER_MS);
      await resendVerification(registration, request);
    });
    return json(200, { ok: true, message: translate(ASKED, exchange.language) });
  },
});

// --- internal ---

/** The answer is sent by then, so that later work cannot delay it. */
const AFTER_THE_ANSWER_MS = 25;

const ASKED: LocalizedText = {
  es: 'Si ese correo tiene una cuenta sin verificar, recibirá un nuevo enlace.',
  en: 'If that e-mail has an account that is not verified, a new link will be sent to it.',
};
