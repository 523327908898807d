import { eventSchema, PLAN_NAMES, SUSPENSION_REASONS, TENANT_STATUSES } from '../accounts/index.js';
import { currentSubscription, showStart } from '../billing/index.js';
import { PROMOTION_REFUSALS, promotedFields, promotionBody, toPromotion } from '../onboarding/index.js';
import { invalid, ruleFailure } from '../platform/errors/refusal.js';
import { json, jsonPieces } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { choice, pathIdOrNone, queryPage, queryWords } from '../platform/http/fields.js';
import { writeList } from '../platform/http/json-list.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody, paginationSchema } from '../platform/schema-words.js';
import {
  openTenantEvents,
  promoteTenant,
  releaseTenant,
  setTier,
  suspend,
  unsuspend,
  verifyTenant,
} from './administer-tenants.js';
import type { OperatorCall } from './operator-route.js';
import { operatorTenantSchema, operatorTenantWithUsageSchema, showEvent, showTenant } from './schemas.js';
import { listTenants } from './tenant-rows.js';

const id = pathIdOrNone('account');
const oneTenant = okBody({ tenant: operatorTenantSchema });

/** `GET /v1/admin/tenants` */
export const getTenants = routeHandler({
  operation: {
    id: 'listTenants',
    summary: 'Lists accounts, newest first.',
    answers: { 200: okBody({ tenants: listOf(operatorTenantSchema, 'The accounts.'), pagination: paginationSchema }) },
  },
  query: {
    status: choice(TENANT_STATUSES, 'Only accounts that stand so.'),
    tier: choice(PLAN_NAMES, 'Only accounts of that plan.'),
    ruc: queryWords(13, 'Only RUCs that contain this.', '1790012345001'),
    email: queryWords(254, 'Only addresses that contain this.', 'facturas@example.com'),
    ...queryPage(),
  },
  answer: async ({ exchange }: OperatorCall, { query: filter }) => {
    const { tenants, total } = await exchange.services.database.read((tables) => listTenants(tables, filter));
    const { page, limit } = filter;
    return json(200, { ok: true, tenants: tenants.map(showTenant), pagination: { total, page, limit } });
  },
});

/** `GET /v1/admin/tenants/:id/events` */
export const getEvents = routeHandler({
  operation: {
    id: 'listEventsOfTenant',
    summary: 'Lists what happened to an account, oldest first.',
    answers: { 200: okBody({ events: listOf(eventSchema, 'The events.') }) },
    refuses: ['NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange }: OperatorCall, { params }) => {
    const read = await openTenantEvents(exchange.services, params.id);
    return jsonPieces(writeList(exchange, { around: ['{"ok":true,"events":', '}'], read, show: showEvent }));
  },
});

/** `PATCH /v1/admin/tenants/:id/status` */
export const patchStatus = routeHandler({
  operation: {
    id: 'setTenantStatus',
    summary: 'Suspends an account with a reason, or ends its suspension.',
    answers: { 200: oneTenant },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  params: { id },
  body: jsonBody({
    status: required(choice(['SUSPENDED', 'ACTIVE'], 'Where it is to stand.')),
    suspensionReasonCode: choice(SUSPENSION_REASONS, 'Why: needed with SUSPENDED.'),
  }),
  parse: (_exchange, { params, body: { status, suspensionReasonCode: reason } }) => {
    if (status === 'SUSPENDED' && !reason) throw invalid([ruleFailure('suspensionReasonCode', 'required')]);
    return { tenantId: params.id, status, reason: reason ?? 'OTHER' };
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
export const patchTier = routeHandler({
  operation: {
    id: 'setTenantTier',
    summary: 'Gives an account a plan without a payment.',
    answers: { 200: okBody({ tenant: operatorTenantWithUsageSchema }) },
    refuses: ['NOT_FOUND', 'TIER_CHANGE_NO_OP', 'SUBSCRIPTION_ALREADY_IN_FLIGHT'],
  },
  params: { id },
  body: jsonBody({ subscriptionTier: required(choice(PLAN_NAMES, 'The plan.')) }),
  parse: (_exchange, { params, body }) => ({ tenantId: params.id, tier: body.subscriptionTier }),
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const { services } = exchange;
    const tenant = await setTier(services, operator, wanted);
    const { documentQuota, documentCount } = await services.readUsage(tenant);
    return json(200, { ok: true, tenant: { ...showTenant(tenant), documentQuota, documentCount } });
  },
});

/** `POST /v1/admin/tenants/:id/verify` */
export const postVerification = routeHandler({
  operation: {
    id: 'verifyTenant',
    summary: 'Marks the address of an account as verified.',
    answers: { 200: oneTenant },
    refuses: ['NOT_FOUND', 'ACCOUNT_SUSPENDED', 'CONFLICT'],
  },
  params: { id },
  answer: async ({ exchange, operator }: OperatorCall, { params }) => {
    const tenant = await verifyTenant(exchange.services, operator, params.id);
    return json(200, { ok: true, tenant: showTenant(tenant) });
  },
});

/** `POST /v1/admin/tenants/:id/release` */
export const postRelease = routeHandler({
  operation: {
    id: 'releaseTenant',
    summary: 'Closes an account and frees its address and RUC for another registration.',
    answers: { 200: oneTenant },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  params: { id },
  answer: async ({ exchange, operator }: OperatorCall, { params }) => {
    const tenant = await releaseTenant(exchange.services, operator, params.id);
    return json(200, { ok: true, tenant: showTenant(tenant) });
  },
});

/** `POST /v1/admin/tenants/:id/promote` */
export const postPromotion = routeHandler({
  operation: {
    id: 'promoteTenant',
    summary: 'Moves an account to production.',
    answers: { 200: okBody({ tenant: operatorTenantSchema, ...promotedFields }) },
    refuses: [...PROMOTION_REFUSALS, 'ACCOUNT_SUSPENDED'],
  },
  params: { id },
  body: promotionBody,
  parse: (_exchange, { params, body }) => ({ tenantId: params.id, request: toPromotion(body) }),
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const { services } = exchange;
    const { tenant, keys, account } = await promoteTenant(services, operator, wanted);
    return json(200, {
      ok: true,
      apiKeys: keys,
      tenant: showTenant(tenant),
      environment: tenant.environment,
      ...(currentSubscription(account) ? showStart(services, account) : {}),
    });
  },
});
