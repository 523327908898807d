import type { TenantCall } from '../accounts/index.js';
import { type NotificationType, WEBHOOK_EVENT_TYPES } from '../notifications/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { type Input, required } from '../platform/http/field.js';
import { boolean, choice, choices, pathIdOrNone, plainText, queryPage } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody, paginationSchema, part, text, uuid, whole } from '../platform/schema-words.js';
import {
  changeEndpoint,
  redeliver,
  registerEndpoint,
  removeEndpoint,
  requireEndpoint,
  rotateSecret,
  testEndpoint,
} from './administer-endpoints.js';
import { DELIVERY_STATUSES, deliverySchema, toDeliveryBody } from './delivery.js';
import { listDeliveries } from './delivery-rows.js';
import { endpointSchema, toEndpointBody } from './endpoint.js';
import { listEndpoints } from './endpoint-rows.js';
import { MAX_TARGET_LENGTH, parseTargetUrl } from './target-url.js';

const id = pathIdOrNone('endpoint');
const secret = text('What deliveries are signed with, shown this once.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

const CHANGE = {
  url: plainText(
    text('Address of the receiver: https, and a host of the public internet.', 'https://hooks.example.com/sri'),
    { nulls: 'refused' },
  ),
  eventTypes: choices(WEBHOOK_EVENT_TYPES, 'The events it receives; empty for all.', { nulls: 'refused' }),
  active: boolean('Whether it receives events.'),
};
const CONTENT = { url: required(CHANGE.url), eventTypes: CHANGE.eventTypes };

/** `POST /v1/webhooks` */
export const createWebhook = routeHandler({
  operation: {
    id: 'createWebhook',
    summary: 'Registers an address that receives events.',
    answers: { 201: okBody({ endpoint: endpointSchema, secret }) },
    refuses: ['EMAIL_VERIFICATION_REQUIRED', 'WEBHOOK_ENDPOINT_LIMIT_REACHED'],
  },
  body: jsonBody(CONTENT, { check: checkUrl }),
  parse: (_exchange, { body: { url, eventTypes } }) => ({ url, eventTypes: withoutRepeats(eventTypes) }),
  answer: async ({ exchange, context }: TenantCall, content) => {
    const listed = !exchange.fromWebApplication;
    const { endpoint, secret } = await registerEndpoint(exchange.services.webhooks, context, { ...content, listed });
    return json(201, { ok: true, endpoint: toEndpointBody(endpoint), secret });
  },
});

/** `GET /v1/webhooks` */
export const getWebhooks = routeHandler({
  operation: {
    id: 'listWebhooks',
    summary: 'Lists the endpoints of the account.',
    answers: {
      200: okBody({
        endpoints: listOf(endpointSchema, 'The endpoints.'),
        limit: part('What the plan allows.', {
          max: whole('Endpoints it allows.', 2),
          used: whole('Endpoints there are.', 1, { minimum: 0 }),
        }),
      }),
    },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const { database, webhooks } = exchange.services;
    const endpoints = await database.read((tables) => listEndpoints(tables, context));
    // The one endpoint of the free plan is a reserve outside of the plan's limit.
    const max = context.tenant.subscriptionTier === 'FREE' ? 0 : webhooks.maxEndpoints(context);
    return json(200, { ok: true, endpoints: endpoints.map(toEndpointBody), limit: { max, used: endpoints.length } });
  },
});

/** `PATCH /v1/webhooks/:id` */
export const patchWebhook = routeHandler({
  operation: {
    id: 'updateWebhook',
    summary: 'Changes an endpoint.',
    answers: { 200: okBody({ endpoint: endpointSchema }) },
    refuses: ['NOT_FOUND', 'EMAIL_VERIFICATION_REQUIRED', 'WEBHOOK_ENDPOINT_LIMIT_REACHED'],
  },
  params: { id },
  body: jsonBody(CHANGE, { check: checkUrl }),
  parse: (_exchange, { params, body: { url, eventTypes, active } }) => ({
    id: params.id,
    change: {
      ...(url === null ? {} : { url }),
      ...(eventTypes === null ? {} : { eventTypes: withoutRepeats(eventTypes) }),
      ...(active === null ? {} : { active }),
    },
  }),
  answer: async ({ exchange, context }: TenantCall, wanted) => {
    const endpoint = await changeEndpoint(exchange.services.webhooks, context, wanted);
    return json(200, { ok: true, endpoint: toEndpointBody(endpoint) });
  },
});

/** `DELETE /v1/webhooks/:id` */
export const deleteWebhook = routeHandler({
  operation: {
    id: 'deleteWebhook',
    summary: 'Removes an endpoint.',
    answers: { 200: okBody({}) },
    refuses: ['NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    await removeEndpoint(exchange.services.webhooks, context, params.id);
    return json(200, { ok: true });
  },
});

/** `GET /v1/webhooks/:id/deliveries` */
export const getDeliveries = routeHandler({
  operation: {
    id: 'listDeliveries',
    summary: 'Lists what was sent to an endpoint, newest first.',
    answers: {
      200: okBody({ data: listOf(deliverySchema, 'The deliveries of the page.'), pagination: paginationSchema }),
    },
    refuses: ['NOT_FOUND'],
  },
  params: { id },
  query: { status: choice(DELIVERY_STATUSES, 'Only deliveries that stand so.'), ...queryPage() },
  parse: (_exchange, { params, query }) => ({ endpointId: params.id, ...query }),
  answer: async ({ exchange, context }: TenantCall, wanted) => {
    const { deliveries, total } = await exchange.services.database.read(async (tables) => {
      await requireEndpoint(tables, context, wanted.endpointId);
      return listDeliveries(tables, context, wanted);
    });
    const pagination = { total, page: wanted.page, limit: wanted.limit };
    return json(200, { ok: true, data: deliveries.map(toDeliveryBody), pagination });
  },
});

/** `POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver` */
export const postRedelivery = routeHandler({
  operation: {
    id: 'redeliver',
    summary: 'Sends a delivery again.',
    answers: { 202: okBody({ delivery: deliverySchema }) },
    refuses: ['NOT_FOUND'],
  },
  params: { id, deliveryId: pathIdOrNone('delivery') },
  find: (call: TenantCall, { params }) => findEndpoint(call, { params }),
  answer: async ({ exchange, context }: TenantCall, { params: { id: endpointId, deliveryId } }) => {
    const delivery = await redeliver(exchange.services.webhooks, context, { endpointId, deliveryId });
    return json(202, { ok: true, delivery: toDeliveryBody(delivery) });
  },
});

/** `POST /v1/webhooks/:id/test` */
export const postTest = routeHandler({
  operation: {
    id: 'testWebhook',
    summary: 'Sends a test to an endpoint.',
    answers: { 202: okBody({ deliveryId: uuid('Id of the delivery.') }) },
    refuses: ['NOT_FOUND'],
  },
  params: { id },
  find: findEndpoint,
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const deliveryId = await testEndpoint(exchange.services.webhooks, context, params.id);
    return json(202, { ok: true, deliveryId });
  },
});

/** `POST /v1/webhooks/:id/rotate-secret` */
export const postSecret = routeHandler({
  operation: {
    id: 'rotateWebhookSecret',
    summary: 'Gives an endpoint a new secret; the one before holds for a while.',
    answers: { 200: okBody({ secret }) },
    refuses: ['NOT_FOUND'],
  },
  params: { id },
  find: findEndpoint,
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const { secret } = await rotateSecret(exchange.services.webhooks, context, params.id);
    return json(200, { ok: true, secret });
  },
});

// --- internal ---

/** The endpoint of the path. @throws Refusal NOT_FOUND */
function findEndpoint({ exchange, context }: TenantCall, { params }: { readonly params: { readonly id: string } }) {
  return exchange.services.database.read((tables) => requireEndpoint(tables, context, params.id));
}

/** Checks the address against the server's configuration. */
function checkUrl({ url }: { readonly url: string | null }, input: Input, { services }: Exchange): void {
  if (url === null) return;
  const target = parseTargetUrl(url, { allowInsecure: services.config.webhookAllowInsecure });
  if ('rule' in target) input.fail('url', target.rule, { max: MAX_TARGET_LENGTH, schemes: 'https' });
}

/** The order stays; duplicates are removed. */
function withoutRepeats(types: readonly NotificationType[] | null): readonly NotificationType[] {
  return [...new Set(types)];
}
