import type { Clock } from 'sri-core';
import { insertTenantEvent, lockTenant, type Tenant, type Tier } from '../accounts/index.js';
import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import { hasActiveSubscription, listTenantsNotOn, setTenantTier } from './tenant-rows.js';

/** What changing plans needs. */
export interface PlanChangeParts {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly newId: (now: Date) => string;
}

/**
 * Gives an account a plan without a payment, in a transaction of the caller.
 *
 * @throws Refusal NOT_FOUND; TIER_CHANGE_NO_OP; SUBSCRIPTION_ALREADY_IN_FLIGHT while an active subscription says what
 * the tier is.
 */
export async function changePlan(
  tables: Tables,
  { tenantId, tier }: { readonly tenantId: string; readonly tier: Tier },
  { now, newId }: { readonly now: Date } & Pick<PlanChangeParts, 'newId'>,
): Promise<Tenant> {
  const tenant = await lockTenant(tables, tenantId);
  if (!tenant) throw new Refusal('NOT_FOUND');
  if (tenant.subscriptionTier === tier) throw new Refusal('TIER_CHANGE_NO_OP');
  if (await hasActiveSubscription(tables, tenantId)) throw new Refusal('SUBSCRIPTION_ALREADY_IN_FLIGHT');
  await setTenantTier(tables, tenantId, { tier, now });
  const detail = {
    subscriptionId: null,
    fromTier: tenant.subscriptionTier,
    toTier: tier,
    fromBillingInterval: null,
    toBillingInterval: null,
  };
  await insertTenantEvent(tables, tenantId, { id: newId(now), eventType: 'TIER_CHANGED', detail, createdAt: now });
  return { ...tenant, subscriptionTier: tier };
}

/**
 * Gives every account the plan OWN, as a server for its operator's own companies has it. An account keeps the plan of an
 * active subscription until that ends. Several processes may do so at once.
 */
export async function giveOwnPlan({ database, clock, newId }: PlanChangeParts): Promise<void> {
  for (const tenantId of await database.read((tables) => listTenantsNotOn(tables, 'OWN'))) {
    const change = { tenantId, tier: 'OWN' } as const;
    await database
      .transaction((tables) => changePlan(tables, change, { now: clock.now(), newId }))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
  }
}
