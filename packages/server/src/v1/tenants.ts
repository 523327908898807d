import { json } from '../http/answer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { listTenantEvents } from '../store/tenant-events.js';
import { currentDocumentCount } from '../tenancy/document-quota.js';
import { toTenantBody } from './tenant-body.js';

/** `GET /v1/tenants/me` */
export const getOwnTenant = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const { database, clock } = exchange.services;
    const count = await database.read((tables) => currentDocumentCount(tables, context.tenant, clock.now()));
    return json(200, { ok: true, tenant: toTenantBody(context.tenant, count) });
  },
});

/** `GET /v1/tenants/events` */
export const getTenantEvents = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const events = await exchange.services.database.read((tables) => listTenantEvents(tables, context));
    return json(200, {
      ok: true,
      events: events.map((event) => ({ ...event, createdAt: event.createdAt.toISOString() })),
    });
  },
});
