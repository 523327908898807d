import { json } from '../http/answer.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { documentQuota } from '../tenancy/document-quota.js';
import { register } from '../tenancy/registration.js';
import { toRegisteredIssuerBody } from './issuer-body.js';
import { readRegistration } from './registration-form.js';
import { toRegisteredTenantBody } from './tenant-body.js';

/** `POST /v1/register` */
export const registerTenant = defineHandler({
  parse: async (exchange) => readRegistration(await exchange.form(), exchange.services.config),
  answer: async ({ exchange }: PublicCall, registration) => {
    const { tenant, issuer, apiKey } = await register(exchange.services.registration, registration);
    exchange.tenantLanguage = tenant.language;
    exchange.logFields['tenantId'] = tenant.id;
    return json(201, {
      ok: true,
      tenant: toRegisteredTenantBody(tenant, documentQuota(exchange.services.config.plans, tenant)),
      issuer: toRegisteredIssuerBody(issuer),
      apiKey,
    });
  },
});
