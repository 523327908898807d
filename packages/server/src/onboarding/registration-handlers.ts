import { registeredTenantSchema, toRegisteredTenantBody } from '../accounts/index.js';
import { documentQuota } from '../billing/index.js';
import { registeredIssuerSchema, toCertificateWarnings, toRegisteredIssuerBody } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { warningsSchema } from '../platform/http/warnings-schema.js';
import { okBody, text } from '../platform/schema-words.js';
import { register } from './register.js';
import { registrationBody } from './registration-form.js';

/** `POST /v1/register` */
export const registerTenant = routeHandler({
  operation: {
    id: 'register',
    summary: 'Registers an account with its signing certificate.',
    description: 'Gives the account, its first issuer and its first key, whose token is shown this once.',
    answers: {
      201: okBody({
        tenant: registeredTenantSchema,
        issuer: registeredIssuerSchema,
        apiKey: text('The token of the first key.', 'sri_test_…'),
        warnings: warningsSchema,
      }),
    },
    refuses: ['BAD_REQUEST', 'INVALID_FILE_UPLOAD', 'CONFLICT'],
  },
  body: registrationBody,
  answer: async ({ exchange }: PublicCall, { body }) => {
    const { tenant, issuer, apiKey } = await register(exchange.services.registration, body, exchange.addressBucket);
    exchange.tenantLanguage = tenant.language;
    exchange.logFields['tenantId'] = tenant.id;
    return json(201, {
      ok: true,
      tenant: toRegisteredTenantBody(tenant, documentQuota(exchange.services.config.plans, tenant)),
      issuer: toRegisteredIssuerBody(issuer),
      apiKey,
      ...toCertificateWarnings(issuer, exchange.language),
    });
  },
});
