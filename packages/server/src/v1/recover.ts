import { invalid } from '../errors.js';
import { json } from '../http/answer.js';
import { type Form, FormReader } from '../http/multipart.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { type Text, tell } from '../language.js';
import { type RecoveryRequest, recoverAccount } from '../tenancy/recovery.js';
import { toRegisteredIssuerBody } from './issuer-body.js';
import { readEmail, readP12 } from './onboarding-fields.js';
import { toRecoveredTenantBody } from './tenant-body.js';

/** `POST /v1/recover` */
export const recoverTenant = defineHandler({
  parse: async (exchange) => readRecovery(await exchange.form()),
  answer: async ({ exchange }: PublicCall, request) => {
    const { registration, limits, config } = exchange.services;
    const recovered = await recoverAccount({ ...registration, limits, plans: config.plans }, request);
    // The same for an address nobody has and for a certificate that is not the account's.
    if (!recovered) return json(200, { ok: true, message: tell(NOTHING_FOUND, exchange.language) });
    const { tenant, usage, issuer, apiKey, environment } = recovered;
    exchange.tenantLanguage = tenant.language;
    exchange.logFields['tenantId'] = tenant.id;
    return json(200, {
      ok: true,
      tenant: toRecoveredTenantBody(tenant, usage),
      issuer: toRegisteredIssuerBody(issuer),
      apiKey,
      environment,
    });
  },
});

// --- internal ---

const NOTHING_FOUND: Text = {
  es: 'Si el certificado corresponde a la cuenta de ese correo, la cuenta se recuperará.',
  en: 'If the certificate belongs to the account of that e-mail, the account will be recovered.',
};

function readRecovery(form: Form): RecoveryRequest {
  const reader = new FormReader(form);
  const request = { p12: readP12(reader), email: readEmail(reader) };
  if (reader.failures.length > 0) throw invalid(reader.failures);
  return request;
}
