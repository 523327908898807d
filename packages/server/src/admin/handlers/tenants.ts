import { json } from '../../http/answer.js';
import { QueryReader } from '../../http/parse-query.js';
import { defineHandler, type OperatorCall } from '../../http/route.js';
import { TIERS } from '../../tenancy/plans.js';
import { SUSPENSION_REASONS, TENANT_STATUSES } from '../../tenancy/tenant.js';
import { readPromotion } from '../../v1/promotion.js';
import { showStart } from '../../v1/subscriptions.js';
import { showEvent, showTenant } from '../shown.js';
import {
  findTenants,
  promoteTenant,
  readTenantEvents,
  setTier,
  suspend,
  unsuspend,
  verifyTenant,
} from '../tenant-administration.js';
import { BodyReader, readId, readPage } from './read-request.js';

/** `GET /v1/admin/tenants` */
export const getTenants = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    const filter = {
      status: query.choice('status', TENANT_STATUSES),
      tier: query.choice('tier', TIERS),
      ruc: query.words('ruc', 13),
      email: query.words('email', 254),
      ...readPage(query),
    };
    query.done();
    return filter;
  },
  answer: async ({ exchange }: OperatorCall, filter) => {
    const { tenants, total } = await findTenants(exchange.services, filter);
    const { page, limit } = filter;
    return json(200, { ok: true, tenants: tenants.map(showTenant), pagination: { total, page, limit } });
  },
});

/** `GET /v1/admin/tenants/:id/events` */
export const getEvents = defineHandler({
  parse: (exchange) => readId(exchange),
  answer: async ({ exchange }: OperatorCall, id) => {
    const events = await readTenantEvents(exchange.services, id);
    return json(200, { ok: true, events: events.map(showEvent) });
  },
});

/** `PATCH /v1/admin/tenants/:id/status` */
export const patchStatus = defineHandler({
  parse: async (exchange) => {
    const tenantId = readId(exchange);
    const body = new BodyReader(await exchange.json());
    const status = body.choice('status', ['SUSPENDED', 'ACTIVE']);
    const reason = body.choice('suspensionReasonCode', SUSPENSION_REASONS, { required: status === 'SUSPENDED' });
    return { ...body.done({ tenantId, status }), reason: reason ?? 'OTHER' };
  },
  answer: async ({ exchange, operator }: OperatorCall, { tenantId, status, reason }) => {
    const { services } = exchange;
    const tenant =
      status === 'SUSPENDED'
        ? await suspend(services, operator, { tenantId, reason })
        : await unsuspend(services, operator, tenantId);
    return json(200, { ok: true, tenant: showTenant(tenant) });
  },
});

/** `PATCH /v1/admin/tenants/:id/tier` */
export const patchTier = defineHandler({
  parse: async (exchange) => {
    const tenantId = readId(exchange);
    const body = new BodyReader(await exchange.json());
    return body.done({ tenantId, tier: body.choice('subscriptionTier', TIERS) });
  },
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const tenant = await setTier(exchange.services, operator, wanted);
    return json(200, { ok: true, tenant: showTenant(tenant) });
  },
});

/** `POST /v1/admin/tenants/:id/verify` */
export const postVerification = defineHandler({
  parse: (exchange) => readId(exchange),
  answer: async ({ exchange, operator }: OperatorCall, id) => {
    const tenant = await verifyTenant(exchange.services, operator, id);
    return json(200, { ok: true, tenant: showTenant(tenant) });
  },
});

/** `POST /v1/admin/tenants/:id/promote` */
export const postPromotion = defineHandler({
  parse: async (exchange) => ({ tenantId: readId(exchange), request: await readPromotion(exchange) }),
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const { services } = exchange;
    const { tenant, keys, account, isSubscribed } = await promoteTenant(services, operator, wanted);
    return json(200, {
      ok: true,
      apiKeys: keys,
      tenant: showTenant(tenant),
      environment: tenant.environment,
      ...(isSubscribed ? showStart(services, account) : {}),
    });
  },
});
