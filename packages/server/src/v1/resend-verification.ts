import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.js';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { JsonObject } from '../http/parse-body.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { type Text, tell } from '../language.js';
import { isEmailAddress } from '../tenancy/email-address.js';
import { judgeRedirectUrl, MAX_URL_LENGTH } from '../tenancy/redirect-url.js';
import { type ResendRequest, resendVerification } from '../tenancy/resend-verification.js';

/** `POST /v1/resend-verification`: answered alike, and as quickly, whether or not the address has an account. */
export const resendEmail = defineHandler({
  parse: async (exchange) => readResend(await exchange.json(), exchange.services.config),
  answer: async ({ exchange }: PublicCall, request) => {
    const { registration, config, background } = exchange.services;
    const { production, verificationRedirectHosts: redirectHosts } = config;
    void background.run('resend-verification', async () => {
      await pause(AFTER_THE_ANSWER_MS);
      await resendVerification({ ...registration, production, redirectHosts }, request);
    });
    return json(200, { ok: true, message: tell(ASKED, exchange.language) });
  },
});

// --- internal ---

/** The answer is on its way by then, so that what follows cannot hold it up. */
const AFTER_THE_ANSWER_MS = 25;

const ASKED: Text = {
  es: 'Si ese correo tiene una cuenta sin verificar, recibirá un nuevo enlace.',
  en: 'If that e-mail has an account that is not verified, a new link will be sent to it.',
};

/** @throws Refusal VALIDATION_FAILED */
function readResend(body: JsonObject, config: Config): ResendRequest {
  const failures: RuleFailure[] = [];
  const email = readText(body, 'email', failures) ?? '';
  if (email === '') {
    if (failures.length === 0) failures.push(ruleFailure('email', 'required'));
  } else if (!isEmailAddress(email)) failures.push(ruleFailure('email', 'email'));
  const redirectUrl = readText(body, 'verificationRedirectUrl', failures) || null;
  if (redirectUrl !== null) {
    const { production } = config;
    // Its host is judged with the account's own beside it; of that the answer must not tell.
    const broken = judgeRedirectUrl(redirectUrl, { production, hosts: [] });
    const params = { schemes: production ? 'https' : 'http(s)', max: MAX_URL_LENGTH };
    if (broken) failures.push(ruleFailure('verificationRedirectUrl', broken, params));
  }
  if (failures.length > 0) throw invalid(failures);
  return { email, redirectUrl };
}

function readText(body: JsonObject, name: string, failures: RuleFailure[]): string | null {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim();
  failures.push(ruleFailure(name, 'type', { expected: 'string' }));
  return null;
}
