import { invalid, Refusal, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import type { JsonObject } from '../http/parse-body.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import { type NotificationType, WEBHOOK_EVENT_TYPES } from '../notifications/notification-types.js';
import { listDeliveries } from '../store/webhook-deliveries.js';
import { listEndpoints } from '../store/webhook-endpoints.js';
import { DELIVERY_STATUSES, toDeliveryBody } from '../webhooks/delivery.js';
import { toEndpointBody } from '../webhooks/endpoint.js';
import {
  changeEndpoint,
  type EndpointContent,
  redeliver,
  registerEndpoint,
  removeEndpoint,
  requireEndpoint,
  rotateSecret,
  testEndpoint,
} from '../webhooks/endpoint-administration.js';
import { MAX_TARGET_LENGTH, parseTargetUrl } from '../webhooks/target-url.js';

/** `POST /v1/webhooks` */
export const createWebhook = defineHandler({
  parse: async (exchange) => {
    const { url, eventTypes = [] } = readContent(exchange, await exchange.json(), { required: true });
    return { url: url ?? '', eventTypes };
  },
  answer: async ({ exchange, context }: TenantCall, content) => {
    const listed = !exchange.fromWebApplication;
    const { endpoint, secret } = await registerEndpoint(exchange.services.webhooks, context, { ...content, listed });
    return json(201, { ok: true, endpoint: toEndpointBody(endpoint), secret });
  },
});

/** `GET /v1/webhooks` */
export const getWebhooks = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const { database, webhooks } = exchange.services;
    const endpoints = await database.read((tables) => listEndpoints(tables, context));
    // The one endpoint of the free plan is a reserve outside of what the plan itself holds.
    const max = context.tenant.subscriptionTier === 'FREE' ? 0 : webhooks.maxEndpoints(context);
    return json(200, { ok: true, endpoints: endpoints.map(toEndpointBody), limit: { max, used: endpoints.length } });
  },
});

/** `PATCH /v1/webhooks/:id` */
export const patchWebhook = defineHandler({
  parse: async (exchange) => {
    const id = readId(exchange, 'id');
    return { id, change: readContent(exchange, await exchange.json(), { required: false }) };
  },
  answer: async ({ exchange, context }: TenantCall, wanted) => {
    const endpoint = await changeEndpoint(exchange.services.webhooks, context, wanted);
    return json(200, { ok: true, endpoint: toEndpointBody(endpoint) });
  },
});

/** `DELETE /v1/webhooks/:id` */
export const deleteWebhook = defineHandler({
  parse: (exchange) => readId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    await removeEndpoint(exchange.services.webhooks, context, id);
    return json(200, { ok: true });
  },
});

/** `GET /v1/webhooks/:id/deliveries` */
export const getDeliveries = defineHandler({
  parse: (exchange) => {
    const endpointId = readId(exchange, 'id');
    const query = new QueryReader(exchange.search);
    const wanted = {
      endpointId,
      status: query.choice('status', DELIVERY_STATUSES),
      page: query.integer('page', { min: 1, max: 1_000_000, fallback: 1 }),
      limit: query.integer('limit', { min: 1, max: 100, fallback: 20 }),
    };
    query.done();
    return wanted;
  },
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
export const postRedelivery = defineHandler({
  parse: (exchange) => ({ endpointId: readId(exchange, 'id'), deliveryId: readId(exchange, 'deliveryId') }),
  answer: async ({ exchange, context }: TenantCall, wanted) => {
    const delivery = await redeliver(exchange.services.webhooks, context, wanted);
    return json(202, { ok: true, delivery: toDeliveryBody(delivery) });
  },
});

/** `POST /v1/webhooks/:id/test` */
export const postTest = defineHandler({
  parse: (exchange) => readId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    const deliveryId = await testEndpoint(exchange.services.webhooks, context, id);
    return json(202, { ok: true, deliveryId });
  },
});

/** `POST /v1/webhooks/:id/rotate-secret` */
export const postSecret = defineHandler({
  parse: (exchange) => readId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    const { secret } = await rotateSecret(exchange.services.webhooks, context, id);
    return json(200, { ok: true, secret });
  },
});

// --- internal ---

/** What is no UUID names nothing. @throws Refusal NOT_FOUND */
function readId(exchange: Exchange, name: 'id' | 'deliveryId'): string {
  const id = toUuid(exchange.params[name] ?? '');
  if (!id) throw new Refusal('NOT_FOUND');
  return id;
}

/** @throws Refusal VALIDATION_FAILED */
function readContent(
  exchange: Exchange,
  body: JsonObject,
  { required }: { readonly required: boolean },
): Partial<EndpointContent> & { readonly active?: boolean } {
  const { url, eventTypes, active } = body;
  const { webhookAllowInsecure: allowInsecure } = exchange.services.config;
  const failures: RuleFailure[] = [];
  const content: { url?: string; eventTypes?: readonly NotificationType[]; active?: boolean } = {};
  if (url === undefined) {
    if (required) failures.push(ruleFailure('url', 'required'));
  } else if (typeof url !== 'string') failures.push(ruleFailure('url', 'type', { expected: 'string' }));
  else {
    const target = parseTargetUrl(url, { allowInsecure });
    if ('rule' in target) failures.push(ruleFailure('url', target.rule, { max: MAX_TARGET_LENGTH, schemes: 'https' }));
    else content.url = url;
  }
  if (eventTypes !== undefined) {
    const read = readEventTypes(eventTypes);
    if ('failures' in read) failures.push(...read.failures);
    else content.eventTypes = read.eventTypes;
  }
  if (active !== undefined && !required) {
    if (typeof active === 'boolean') content.active = active;
    else failures.push(ruleFailure('active', 'type', { expected: 'boolean' }));
  }
  if (failures.length > 0) throw invalid(failures);
  return content;
}

/** Kept in their order; one that comes twice counts once. */
function readEventTypes(
  value: unknown,
): { readonly eventTypes: readonly NotificationType[] } | { readonly failures: RuleFailure[] } {
  if (!Array.isArray(value)) return { failures: [ruleFailure('eventTypes', 'type', { expected: 'array' })] };
  const allowed = WEBHOOK_EVENT_TYPES.join(', ');
  const failures = value.flatMap((entry, index) =>
    WEBHOOK_EVENT_TYPES.includes(entry) ? [] : [ruleFailure(`eventTypes[${index}]`, 'choice', { allowed })],
  );
  if (failures.length > 0) return { failures };
  return { eventTypes: [...new Set(value as NotificationType[])] };
}
