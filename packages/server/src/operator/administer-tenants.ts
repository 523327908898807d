import {
  findTenant,
  insertTenantEvent,
  isReleased,
  listTenantEvents,
  lockTenant,
  type SuspensionReason,
  suspendTenant,
  type Tenant,
  type TenantContext,
  type TenantEvent,
  type Tier,
  unsuspendTenant,
} from '../accounts/index.js';
import { changeBillingWithin, closeBilling } from '../billing/index.js';
import {
  activateVerified,
  hasDocument,
  type Promoted,
  type PromotionRequest,
  promote,
  releaseAccount,
} from '../onboarding/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import { auditing } from './audited.js';
import { changePlan } from './change-plan.js';
import type { Operator } from './operator.js';

/** Dependencies of administering accounts. */
export type TenantAdministrationDeps = Pick<Services, keyof WriteDeps | 'promotion'>;

/**
 * Returns a reader of the history of an account, oldest first, one page at a time: the events after a given one, or the
 * first ones.
 *
 * @throws Refusal NOT_FOUND
 */
export async function openTenantEvents(
  { database }: TenantAdministrationDeps,
  tenantId: string,
): Promise<(after: TenantEvent | null, limit: number) => Promise<readonly TenantEvent[]>> {
  const tenant = await database.read((tables) => findTenant(tables, tenantId));
  if (!tenant) throw new Refusal('NOT_FOUND');
  return (after, limit) => database.read((tables) => listTenantEvents(tables, onBehalfOf(tenant), { after, limit }));
}

/** Suspends an account. @throws Refusal NOT_FOUND, CONFLICT */
export function suspend(
  deps: TenantAdministrationDeps,
  operator: Operator,
  { tenantId, reason }: { readonly tenantId: string; readonly reason: SuspensionReason },
): Promise<Tenant> {
  return suspendTenant(audited(deps, operator, 'tenant.suspend', tenantId), tenantId, reason);
}

/** Ends a suspension. @throws Refusal NOT_FOUND, CONFLICT */
export function unsuspend(deps: TenantAdministrationDeps, operator: Operator, tenantId: string): Promise<Tenant> {
  return unsuspendTenant(audited(deps, operator, 'tenant.unsuspend', tenantId), tenantId);
}

/**
 * Sets the tier of an account without a payment.
 *
 * @throws Refusal NOT_FOUND; TIER_CHANGE_NO_OP; SUBSCRIPTION_ALREADY_IN_FLIGHT while an active subscription determines
 *   the tier.
 */
export function setTier(
  deps: TenantAdministrationDeps,
  operator: Operator,
  { tenantId, tier }: { readonly tenantId: string; readonly tier: Tier },
): Promise<Tenant> {
  const { database, clock, newId } = audited(deps, operator, 'tenant.set-tier', tenantId);
  const now = clock.now();
  return database.transaction((tables) => changePlan(tables, { tenantId, tier }, { now, newId }));
}

/**
 * Marks the address of an account as verified, where mail cannot reach it. Open links end.
 *
 * @throws Refusal NOT_FOUND; ACCOUNT_SUSPENDED; CONFLICT when it is verified.
 */
export function verifyTenant(deps: TenantAdministrationDeps, operator: Operator, tenantId: string): Promise<Tenant> {
  const { database, clock, newId } = audited(deps, operator, 'tenant.verify', tenantId);
  const now = clock.now();
  return database.transaction(async (tables) => {
    const tenant = await lockTenant(tables, tenantId);
    if (!tenant) throw new Refusal('NOT_FOUND');
    if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
    if (tenant.status !== 'PENDING_VERIFICATION') throw new Refusal('CONFLICT', { reason: 'ALREADY_VERIFIED' });
    const verified = await activateVerified(tables, tenant, now);
    // EMAIL_VERIFIED is reserved to the owner of the address.
    const detail = { from: tenant.status, to: verified.status };
    await insertTenantEvent(tables, tenantId, { id: newId(now), eventType: 'STATUS_CHANGED', detail, createdAt: now });
    return verified;
  });
}

/**
 * Closes an account with its billing, and frees its address and RUC.
 *
 * @throws Refusal NOT_FOUND; CONFLICT when it is released, or its address is verified and it has documents in production.
 */
export async function releaseTenant(
  deps: TenantAdministrationDeps,
  operator: Operator,
  tenantId: string,
): Promise<Tenant> {
  const { database, clock, newId } = audited(deps, operator, 'tenant.release', tenantId);
  const released = await database.transaction(async (tables) => {
    const tenant = await lockTenant(tables, tenantId);
    if (!tenant) throw new Refusal('NOT_FOUND');
    if (tenant.status !== 'PENDING_VERIFICATION' && (await hasDocument(tables, tenantId, 'production'))) {
      throw new Refusal('CONFLICT', { reason: 'HAS_PRODUCTION_DOCUMENTS' });
    }
    if (await isReleased(tables, tenantId)) throw new Refusal('CONFLICT', { reason: 'ALREADY_RELEASED' });
    const { account } = await changeBillingWithin(tables, deps.promotion.billing, tenantId, closeBilling);
    // Due changes may have ended a subscription.
    const status = account.isSuspended ? tenant.status : account.status;
    const closed = { ...tenant, subscriptionTier: account.tier, status };
    return releaseAccount(tables, closed, { by: 'OPERATOR', newId, now: clock.now() });
  });
  deps.promotion.billing.wake();
  return released;
}

/** Moves an account to production. @throws Refusal as `promote` */
export function promoteTenant(
  deps: TenantAdministrationDeps,
  operator: Operator,
  { tenantId, request }: { readonly tenantId: string; readonly request: PromotionRequest },
): Promise<Promoted> {
  const { database } = audited(deps, operator, 'tenant.promote', tenantId);
  return promote({ ...deps.promotion, database }, tenantId, request);
}

/** The context of reads for an account. */
export function onBehalfOf(tenant: Tenant): TenantContext {
  return { tenant, environment: tenant.environment, keyId: null, scopes: [] };
}

// --- internal ---

/** The state of an account, in the form of the record. Locks the account. */
async function describeTenant(tables: Tables, tenantId: string) {
  const tenant = await lockTenant(tables, tenantId);
  if (!tenant) return null;
  const { status, suspensionReason, subscriptionTier, environment } = tenant;
  return { status, suspensionReasonCode: suspensionReason, subscriptionTier, environment };
}

function audited(deps: WriteDeps, operator: Operator, action: string, id: string): WriteDeps {
  const describe = (tables: Tables) => describeTenant(tables, id);
  return { ...deps, database: auditing(deps, operator, { action, targetType: 'tenant', targetId: id, describe }) };
}
