import {
  anyObject,
  flag,
  named,
  oneOf,
  orNull,
  type Shown,
  show,
  text,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import type { TenantEvent } from './event-rows.js';
import { PLAN_NAMES } from './plans.js';
import { SUSPENSION_REASONS, TENANT_STATUSES, type Tenant } from './tenant.js';
import type { CurrentUsage } from './usage.js';

const identity = {
  id: uuid('Id of the account.'),
  email: text('Its address.', 'facturas@example.com'),
  subscriptionTier: oneOf(PLAN_NAMES, 'Its plan.'),
  status: oneOf(TENANT_STATUSES, 'Where it stands.', 'ACTIVE'),
};
const figures = {
  documentCount: whole('Documents issued in the period.', 3, { minimum: 0 }),
  documentQuota: whole('Documents the plan allows in a period.', 100, { minimum: 0 }),
};
const agreement = {
  agreementAcceptedAt: orNull(timestamp('When agreements were last accepted.')),
  agreementVersion: orNull(text('The version of the terms that was accepted last.', '2026-01')),
};

/** The account. */
export const tenantSchema = named('Tenant', 'The account.', {
  ...identity,
  suspensionReasonCode: orNull(oneOf(SUSPENSION_REASONS, 'Why it is suspended; null unless it is.')),
  ...figures,
  extraSeats: whole('Further seats that are paid.', 0, { minimum: 0 }),
  pendingExtraSeats: orNull(whole('Seats from the next period on; null when nothing changes.', 2, { minimum: 0 })),
  sandbox: flag('Whether it is in the test environment.'),
  ...agreement,
});

/** The account in the answer of a registration. */
export const registeredTenantSchema = named('RegisteredTenant', 'The account, as registration gives it.', {
  ...identity,
  ...figures,
  createdAt: timestamp('When it was registered.'),
  ...agreement,
});

/** The account in the answer of a recovery. */
export const recoveredTenantSchema = named('RecoveredTenant', 'The account, as recovery gives it.', {
  ...identity,
  ...figures,
});

/** An event of an account. */
export const eventSchema = named('TenantEvent', 'Something that happened to the account.', {
  id: uuid('Id of the event.'),
  eventType: text('What happened.', 'EMAIL_VERIFIED'),
  detail: orNull(anyObject('What else is known of it.')),
  createdAt: timestamp('When.'),
});

/** The account in the answer of `GET /v1/tenants/me`. */
export function toTenantBody(tenant: Tenant, usage: CurrentUsage): Shown<typeof tenantSchema> {
  const { suspensionReason: suspensionReasonCode, environment } = tenant;
  return show(tenantSchema, { ...tenant, ...usage, suspensionReasonCode, sandbox: environment === 'sandbox' });
}

/** The account in the answer of a registration: these fields and no others. */
export function toRegisteredTenantBody(tenant: Tenant, documentQuota: number): Shown<typeof registeredTenantSchema> {
  return show(registeredTenantSchema, { ...tenant, documentQuota, documentCount: 0 });
}

/** The account in the answer of a recovery: these fields and no others. */
export function toRecoveredTenantBody(
  tenant: Tenant,
  usage: Pick<CurrentUsage, 'documentCount' | 'documentQuota'>,
): Shown<typeof recoveredTenantSchema> {
  return show(recoveredTenantSchema, { ...tenant, ...usage });
}

/** Shapes an event of an account. */
export function toEventBody(event: TenantEvent): Shown<typeof eventSchema> {
  return show(eventSchema, event);
}
