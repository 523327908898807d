import { Type } from '@sinclair/typebox';
import { type LocalizedText, translate } from 'sri-core';
import { recoveredTenantSchema, toRecoveredTenantBody } from '../accounts/index.js';
import { registeredIssuerSchema, toRegisteredIssuerBody } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { formBody } from '../platform/http/body-input.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { okBody, oneOf, text } from '../platform/schema-words.js';
import { emailField, p12Fields } from './fields.js';
import { recoverAccount } from './recover.js';

/** `POST /v1/recover` */
export const recoverTenant = routeHandler({
  operation: {
    id: 'recover',
    summary: 'Gives a new key to the holder of the certificate of an account; earlier keys end.',
    description: 'An address without an account, and a certificate that is not its own, are answered alike.',
    answers: {
      200: Type.Union([
        okBody({
          tenant: recoveredTenantSchema,
          issuer: registeredIssuerSchema,
          apiKey: text('The token of the new key.', 'sri_test_…'),
          environment: oneOf(['sandbox', 'production'], 'The environment of the account.'),
        }),
        okBody({ message: text('For people.', 'Si el certificado corresponde a la cuenta…') }),
      ]),
    },
    refuses: [
      'CERTIFICATE_INVALID',
      'CERTIFICATE_PASSWORD_INVALID',
      'CERTIFICATE_KEY_NOT_FOUND',
      'CERTIFICATE_EXPIRED',
      'ACCOUNT_SUSPENDED',
    ],
  },
  body: formBody({ ...p12Fields, email: emailField }),
  parse: (_exchange, { body: { cert, certPassword, email } }) => ({
    p12: { bytes: cert, password: certPassword },
    email,
  }),
  answer: async ({ exchange }: PublicCall, request) => {
    const { registration, limits, config } = exchange.services;
    const recovered = await recoverAccount(
      { ...registration, limits, plans: config.plans },
      request,
      exchange.addressBucket,
    );
    // The same answer for an unknown address and for a certificate of another account.
    if (!recovered) return json(200, { ok: true, message: translate(NOTHING_FOUND, exchange.language) });
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

const NOTHING_FOUND: LocalizedText = {
  es: 'Si el certificado corresponde a la cuenta de ese correo, la cuenta se recuperará.',
  en: 'If the certificate belongs to the account of that e-mail, the account will be recovered.',
};
