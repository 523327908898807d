import { changeTenantStatus, insertTenantEvent, type Tenant } from '../accounts/index.js';
import { revokeActiveKeys, revokeKeysSetAside } from '../keys/index.js';
import type { Tables } from '../platform/database/tables.js';
import { forgetRecoveries } from './recovery-rows.js';
import { freeNames } from './release-rows.js';
import { endVerificationTokens } from './token-rows.js';

/** The cause of a release. */
export type ReleasedBy = 'NEW_REGISTRATION' | 'OPERATOR';

/**
 * Closes an account in the transaction that locked it and frees its address and RUC. Its keys and links end, its mails
 * stop, and it stays suspended with its documents and history.
 *
 * @returns the account afterwards.
 */
export async function releaseAccount(
  tables: Tables,
  tenant: Tenant,
  { by, newId, now }: { readonly by: ReleasedBy; readonly newId: (now: Date) => string; readonly now: Date },
): Promise<Tenant> {
  await revokeActiveKeys(tables, { tenantId: tenant.id }, now);
  await revokeKeysSetAside(tables, tenant.id);
  await forgetRecoveries(tables, tenant.id);
  await endVerificationTokens(tables, tenant.id, now);
  const closed = { status: 'SUSPENDED', suspensionReason: 'VOLUNTARY_CLOSURE' } as const;
  if (tenant.status !== closed.status) {
    await changeTenantStatus(tables, tenant.id, {
      from: tenant.status,
      to: closed.status,
      reason: closed.suspensionReason,
      now,
    });
  }
  await freeNames(tables, tenant.id, now);
  await insertTenantEvent(tables, tenant.id, {
    id: newId(now),
    eventType: 'ACCOUNT_RELEASED',
    detail: { by, previousStatus: tenant.status },
    createdAt: now,
  });
  return tenant.status === closed.status ? tenant : { ...tenant, ...closed };
}
