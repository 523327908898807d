import { Refusal } from '../platform/errors/refusal.js';
import { json, jsonPieces } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { choice } from '../platform/http/fields.js';
import { writeList } from '../platform/http/json-list.js';
import { routeHandler } from '../platform/http/route.js';
import { LANGUAGES } from '../platform/language.js';
import { listOf, okBody, oneOf } from '../platform/schema-words.js';
import type { TenantCall } from './account-route.js';
import { listTenantEvents, type TenantEvent } from './event-rows.js';
import { findTenant, setTenantLanguage } from './rows.js';
import { eventSchema, tenantSchema, toEventBody } from './schemas.js';
import { showTenant } from './shown-tenant.js';

/** `GET /v1/tenants/me` */
export const getOwnTenant = routeHandler({
  operation: {
    id: 'getTenant',
    summary: 'Gives the account of the key.',
    answers: { 200: okBody({ tenant: tenantSchema }) },
  },
  answer: async ({ exchange, context }: TenantCall) =>
    json(200, { ok: true, tenant: await showTenant(exchange.services, context.tenant) }),
});

/** `GET /v1/tenants/events` */
export const getTenantEvents = routeHandler({
  operation: {
    id: 'listTenantEvents',
    summary: 'Lists what happened to the account, oldest first.',
    answers: { 200: okBody({ events: listOf(eventSchema, 'The events.') }) },
    refuses: ['NOT_FOUND'],
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const { database } = exchange.services;
    if (!(await database.read((tables) => findTenant(tables, context.tenant.id)))) throw new Refusal('NOT_FOUND');
    const pieces = writeList(exchange, {
      around: ['{"ok":true,"events":', '}'],
      read: (after: TenantEvent | null, limit) =>
        database.read((tables) => listTenantEvents(tables, context, { after, limit })),
      show: toEventBody,
    });
    return jsonPieces(pieces);
  },
});

/** `PATCH /v1/tenants/language` */
export const patchLanguage = routeHandler({
  operation: {
    id: 'setLanguage',
    summary: 'Sets the language of mails, notifications and answers.',
    answers: { 200: okBody({ language: oneOf(LANGUAGES, 'As it stands now.') }) },
  },
  body: jsonBody({ language: required(choice(LANGUAGES, 'The language.', { nulls: 'refused' })) }),
  answer: async ({ exchange, context }: TenantCall, { body: { language } }) => {
    const { database, clock } = exchange.services;
    const now = clock.now();
    await database.transaction((tables) => setTenantLanguage(tables, context.tenant.id, { language, now }));
    return json(200, { ok: true, language });
  },
});
