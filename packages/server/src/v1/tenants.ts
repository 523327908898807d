import { Refusal } from '../errors.js';
import { json, jsonPieces } from '../http/answer.js';
import { jsonBody } from '../http/body-input.js';
import { jsonChoice, required } from '../http/json-fields.js';
import { writeList } from '../http/json-list.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { LANGUAGES } from '../language.js';
import { listOf, okBody, oneOf } from '../schemas.js';
import { listTenantEvents, type TenantEvent } from '../store/tenant-events.js';
import { findTenant, setTenantLanguage } from '../store/tenants.js';
import { showTenant } from './shown-tenant.js';
import { eventSchema, tenantSchema, toEventBody } from './tenant-body.js';

/** `GET /v1/tenants/me` */
export const getOwnTenant = defineHandler({
  operation: {
    id: 'getTenant',
    summary: 'Gives the account of the key.',
    answers: { 200: okBody({ tenant: tenantSchema }) },
  },
  answer: async ({ exchange, context }: TenantCall) =>
    json(200, { ok: true, tenant: await showTenant(exchange.services, context.tenant) }),
});

/** `GET /v1/tenants/events` */
export const getTenantEvents = defineHandler({
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
    return jsonPieces(200, pieces);
  },
});

/** `PATCH /v1/tenants/language` */
export const patchLanguage = defineHandler({
  operation: {
    id: 'setLanguage',
    summary: 'Sets the language of mails, notifications and answers.',
    answers: { 200: okBody({ language: oneOf(LANGUAGES, 'As it stands now.') }) },
  },
  body: jsonBody({ language: required(jsonChoice(LANGUAGES, 'The language.', { nulls: 'refused' }), 'es') }),
  answer: async ({ exchange, context }: TenantCall, { body: { language } }) => {
    const { database, clock } = exchange.services;
    const now = clock.now();
    await database.transaction((tables) => setTenantLanguage(tables, context.tenant.id, { language, now }));
    return json(200, { ok: true, language });
  },
});
