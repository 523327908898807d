import { insertTenantEvent, lockTenant, type Tenant, type Tier } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { hasActiveSubscription, listTenantsNotOn, setTenantTier } from './tenant-rows.js';

/**
 * Sets the plan of an account without a payment, in a transaction of the caller.
 *
 * @throws Refusal NOT_FOUND; TIER_CHANGE_NO_OP; SUBSCRIPTION_ALREADY_IN_FLIGHT while an active subscription determines
 *   the tier.
 */
export async function changePlan(
  tables: Tables,
  { tenantId, tier }: { readonly tenantId: string; readonly tier: Tier },
  { now, newId }: { readonly now: Date } & Pick<WriteDeps, 'newId'>,
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
 * Sets the plan OWN for every account of a server for its operator's own companies. An account keeps the plan of an
 * active subscription until that ends. Several processes may run it at once.
 */
export async function giveOwnPlan({ database, clock, newId }: WriteDeps): Promise<void> {
  for (const tenantId of await database.read((tables) => listTenantsNotOn(tables, 'OWN'))) {
    const change = { tenantId, tier: 'OWN' } as const;
    await database
      .transaction((tables) => changePlan(tables, change, { now: clock.now(), newId }))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
  }
}
