import { invalid, Refusal, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { LANGUAGES } from '../language.js';
import { listTenantEvents } from '../store/tenant-events.js';
import { findTenant, setTenantLanguage } from '../store/tenants.js';
import { showTenant } from './shown-tenant.js';

/** `GET /v1/tenants/me` */
export const getOwnTenant = defineHandler({
  answer: async ({ exchange, context }: TenantCall) =>
    json(200, { ok: true, tenant: await showTenant(exchange.services, context.tenant) }),
});

/** `GET /v1/tenants/events` */
export const getTenantEvents = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const events = await exchange.services.database.read(async (tables) => {
      if (!(await findTenant(tables, context.tenant.id))) throw new Refusal('NOT_FOUND');
      return listTenantEvents(tables, context);
    });
    return json(200, {
      ok: true,
      events: events.map((event) => ({ ...event, createdAt: event.createdAt.toISOString() })),
    });
  },
});

/** `PATCH /v1/tenants/language` */
export const patchLanguage = defineHandler({
  parse: async (exchange) => {
    const { language } = await exchange.json();
    const known = LANGUAGES.find((name) => name === language);
    if (known) return known;
    const allowed = LANGUAGES.join(', ');
    throw invalid([
      language === undefined ? ruleFailure('language', 'required') : ruleFailure('language', 'choice', { allowed }),
    ]);
  },
  answer: async ({ exchange, context }: TenantCall, language) => {
    const { database, clock } = exchange.services;
    const now = clock.now();
    await database.transaction((tables) => setTenantLanguage(tables, context.tenant.id, { language, now }));
    return json(200, { ok: true, language });
  },
});
