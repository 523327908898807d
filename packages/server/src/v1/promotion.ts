import { invalid, type RuleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { type PromotionRequest, promote } from '../tenancy/promotion.js';
import { readInterval, readPaidTier } from './billing-params.js';
import { readFirstNumbers } from './first-numbers.js';
import { showTenant } from './shown-tenant.js';
import { showStart } from './subscriptions.js';

/** `POST /v1/tenants/promote` */
export const postPromotion = defineHandler({
  parse: readPromotion,
  answer: async ({ exchange, context }: TenantCall, request) => {
    const { services } = exchange;
    const { tenant, keys, account, isSubscribed } = await promote(services.promotion, context.tenant.id, request);
    return json(200, {
      ok: true,
      apiKeys: keys,
      tenant: await showTenant(services, tenant),
      environment: tenant.environment,
      ...(isSubscribed ? showStart(services, account) : {}),
    });
  },
});

/** Reads what an account wants of its move; the body may be left out. @throws Refusal VALIDATION_FAILED */
export async function readPromotion(exchange: Exchange): Promise<PromotionRequest> {
  const body = (await exchange.optionalJson()) ?? {};
  const failures: RuleFailure[] = [];
  const firstNumbers = readFirstNumbers(body['initialSequentials'] ?? [], failures);
  const tier = readPaidTier(body, failures);
  const billingInterval = readInterval(body, failures) ?? 'MONTHLY';
  if (failures.length > 0) throw invalid(failures);
  return { firstNumbers, plan: tier && { tier, billingInterval } };
}
