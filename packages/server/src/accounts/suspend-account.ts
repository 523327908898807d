import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { insertTenantEvent } from './event-rows.js';
import { findTenant, isReleased, lockTenant } from './rows.js';
import { changeTenantStatus, statusBeforeSuspension } from './status-rows.js';
import type { SuspensionReason, Tenant } from './tenant.js';

/**
 * Suspends an account, for the operator. From then on it can only read. Its queue for the SRI waits; documents at the
 * SRI are still asked about.
 *
 * @returns the account afterwards.
 * @throws Refusal NOT_FOUND; CONFLICT when it is suspended already.
 */
export function suspendTenant(deps: WriteDeps, tenantId: string, reasonCode: SuspensionReason): Promise<Tenant> {
  return changeStatus(deps, tenantId, async (tables, tenant, now) => {
    if (tenant.status === 'SUSPENDED') throw new Refusal('CONFLICT', { reason: 'ALREADY_SUSPENDED' });
    await changeTenantStatus(tables, tenantId, { from: tenant.status, to: 'SUSPENDED', reason: reasonCode, now });
    return { reasonCode };
  });
}

/**
 * Ends a suspension, for the operator, and restores the former status.
 *
 * @returns the account afterwards.
 * @throws Refusal NOT_FOUND; CONFLICT when it is not suspended, or was released.
 */
export function unsuspendTenant(deps: WriteDeps, tenantId: string): Promise<Tenant> {
  return changeStatus(deps, tenantId, async (tables, tenant, now) => {
    if (tenant.status !== 'SUSPENDED') throw new Refusal('CONFLICT', { reason: 'NOT_SUSPENDED' });
    if (await isReleased(tables, tenantId)) throw new Refusal('CONFLICT', { reason: 'ALREADY_RELEASED' });
    const to = await statusBeforeSuspension(tables, tenantId);
    await changeTenantStatus(tables, tenantId, { from: 'SUSPENDED', to, now });
    await endHolds(tables, tenantId, now);
    return {};
  });
}

// --- internal ---

/** Makes the queued documents of an account due, which were put off during its suspension. */
async function endHolds(tables: Tables, tenantId: string, now: Date): Promise<void> {
  const at = now.getTime();
  await tables
    .updateTable('sri_jobs')
    .set({ due_at: at, ready_at: at })
    .where('issuer_id', 'in', tables.selectFrom('issuers').select('id').where('tenant_id', '=', tenantId))
    .where('ready_at', '>', at)
    .where('operation', '=', 'SEND')
    .where('lease_until', 'is', null)
    .execute();
}

/**
 * Changes the status and adds an entry to the account's history. @param change returns the further fields of the entry.
 */
function changeStatus(
  { database, clock, newId }: WriteDeps,
  tenantId: string,
  change: (tables: Tables, tenant: Tenant, now: Date) => Promise<Readonly<Record<string, string>>>,
): Promise<Tenant> {
  const now = clock.now();
  return database.transaction(async (tables) => {
    const before = await lockTenant(tables, tenantId);
    if (!before) throw new Refusal('NOT_FOUND');
    const detail = await change(tables, before, now);
    const after = await findTenant(tables, tenantId);
    if (!after) throw new Refusal('NOT_FOUND');
    await insertTenantEvent(tables, tenantId, {
      id: newId(now),
      eventType: 'STATUS_CHANGED',
      detail: { from: before.status, to: after.status, ...detail },
      createdAt: now,
    });
    return after;
  });
}
