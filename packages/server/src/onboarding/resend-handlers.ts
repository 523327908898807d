import { setTimeout as pause } from 'node:timers/promises';
import { isEmailAddress } from '../platform/email-address.js';
import { invalid } from '../platform/errors/refusal.js';
import { json } from '../platform/http/answer.js';
import { type BodyInput, jsonBodyOf } from '../platform/http/body-input.js';
import { readAll, schemaOfFields } from '../platform/http/field.js';
import { BodyReader, jsonField } from '../platform/http/json-fields.js';
import { defineHandler, type PublicCall } from '../platform/http/route.js';
import { type Text, tell } from '../platform/language.js';
import { okBody, text } from '../platform/schema-words.js';
import { judgeRedirectUrl, MAX_URL_LENGTH, type RedirectRules } from './redirect-url.js';
import { type ResendRequest, resendVerification } from './resend-verification.js';

const FIELDS = {
  email: trimmed('Address of the account.', 'facturas@example.com'),
  verificationRedirectUrl: trimmed('Where the link of the mail leads instead.', 'https://app.example.com/verify'),
};

const resendBody: BodyInput<ResendRequest> = jsonBodyOf(
  schemaOfFields({
    ...FIELDS,
    email: { ...FIELDS.email, schema: text('Address of the account.', 'facturas@example.com'), required: true },
  }),
  async (exchange, limit) =>
    readResend(new BodyReader(await exchange.json(limit)), exchange.services.registration.redirects),
);

/** `POST /v1/resend-verification`: the same answer, in the same time, whether or not the address has an account. */
export const resendEmail = defineHandler({
  operation: {
    id: 'resendVerification',
    summary: 'Sends the verification mail again.',
    description: 'Answered alike whether or not the address has an account.',
    answers: { 200: okBody({ message: text('For people.', 'Si ese correo tiene una cuenta sin verificar…') }) },
  },
  body: resendBody,
  answer: async ({ exchange }: PublicCall, { body: request }) => {
    const { registration, background } = exchange.services;
    void background.run('resend-verification', async () => {
      await pause(AFTER_THE_ANSWER_MS);
      await resendVerification(registration, request);
    });
    return json(200, { ok: true, message: tell(ASKED, exchange.language) });
  },
});

// --- internal ---

/** The answer is sent by then, so that later work cannot delay it. */
const AFTER_THE_ANSWER_MS = 25;

const ASKED: Text = {
  es: 'Si ese correo tiene una cuenta sin verificar, recibirá un nuevo enlace.',
  en: 'If that e-mail has an account that is not verified, a new link will be sent to it.',
};

/** @throws Refusal VALIDATION_FAILED */
function readResend(body: BodyReader, redirects: RedirectRules): ResendRequest {
  const { email, verificationRedirectUrl } = readAll(FIELDS, body);
  if (!email) {
    if (body.failures.length === 0) body.fail('email', 'required');
  } else if (!isEmailAddress(email)) body.fail('email', 'email');
  const redirectUrl = verificationRedirectUrl || null;
  if (redirectUrl !== null) {
    const broken = judgeRedirectUrl(redirectUrl, redirects);
    const params = { schemes: redirects.production ? 'https' : 'http(s)', max: MAX_URL_LENGTH };
    if (broken) body.fail('verificationRedirectUrl', broken, params);
  }
  if (body.failures.length > 0) throw invalid(body.failures);
  return { email: email ?? '', redirectUrl };
}

function trimmed(about: string, example: string) {
  return jsonField(text(about, example), (value, fail) => {
    if (typeof value === 'string') return value.trim();
    fail('type', { expected: 'string' });
    return null;
  });
}
