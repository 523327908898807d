import { showTenant, type TenantCall, tenantSchema } from '../accounts/index.js';
import { billingInterval, currentSubscription, paidTier, showStart, startFields } from '../billing/index.js';
import { firstNumbersField } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody, LARGE_BODY } from '../platform/http/body-input.js';
import type { FieldValues } from '../platform/http/field.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, maybe, named, okBody, oneOf, orNull, text } from '../platform/schema-words.js';
import { type PromotionRequest, promote } from './promote.js';

const PROMOTION = { initialSequentials: firstNumbersField, tier: paidTier, billingInterval };

/** The body of a promotion, which may be omitted. */
export const promotionBody = jsonBody(PROMOTION, { optional: true, limit: LARGE_BODY });

/** The fields of a promotion's answer, next to the account. */
export const promotedFields = {
  apiKeys: listOf(
    named('PromotedKey', 'A key of production that takes the place of one of the test environment.', {
      label: orNull(text('What it is called.', 'Contabilidad')),
      apiKey: text('Its token, shown this once.', 'sk_live_…'),
    }),
    'The keys of production.',
  ),
  environment: oneOf(['sandbox', 'production'], 'Where the account is now.', 'production'),
  subscription: maybe(startFields.subscription),
  payment: maybe(startFields.payment),
  bankTransfer: maybe(startFields.bankTransfer),
};

/** Errors of a promotion. */
export const PROMOTION_REFUSALS = [
  'NOT_FOUND',
  'ISSUER_NOT_FOUND',
  'ISSUER_FORBIDDEN',
  'EMAIL_VERIFICATION_REQUIRED',
  'AGREEMENT_ACCEPTANCE_REQUIRED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_INVALID',
  'SUBSCRIPTION_ALREADY_IN_FLIGHT',
  'CONFLICT',
] as const;

/** `POST /v1/tenants/promote` */
export const postPromotion = routeHandler({
  operation: {
    id: 'promote',
    summary: 'Moves the account to production.',
    answers: { 200: okBody({ tenant: tenantSchema, ...promotedFields }) },
    refuses: PROMOTION_REFUSALS,
  },
  body: promotionBody,
  parse: (_exchange, { body }) => toPromotion(body),
  answer: async ({ exchange, context }: TenantCall, request) => {
    const { services } = exchange;
    const { tenant, keys, account } = await promote(services.promotion, context.tenant.id, request);
    return json(200, {
      ok: true,
      apiKeys: keys,
      tenant: await showTenant(services, tenant),
      environment: tenant.environment,
      ...(currentSubscription(account) ? showStart(services, account) : {}),
    });
  },
});

/** The promotion that a body requests. */
export function toPromotion(body: FieldValues<typeof PROMOTION>): PromotionRequest {
  const { initialSequentials, tier, billingInterval: interval } = body;
  return { firstNumbers: initialSequentials ?? [], plan: tier && { tier, billingInterval: interval ?? 'MONTHLY' } };
}
