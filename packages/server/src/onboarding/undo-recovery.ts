import {
  changeTenantStatus,
  findTenant,
  insertTenantEvent,
  lockTenant,
  type Tenant,
  type TenantStatus,
} from '../accounts/index.js';
import { lastSubscriptionStatus } from '../billing/index.js';
import { hashToken, restoreKeys, revokeActiveKeys, revokeKeysSetAside } from '../keys/index.js';
import { releaseUnverifiedMails } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { findFirstRecovery, findRecoveredTenant, forgetRecoveries } from './recovery-rows.js';
import { endVerificationTokens } from './token-rows.js';

/** The address of the account whose recovery a token undoes; null for any other token. Changes nothing. */
export function checkRecoveryUndo({ database, clock }: WriteDeps, token: string): Promise<string | null> {
  return database.read(async (tables) => {
    const tenantId = await findRecoveredTenant(tables, hashToken(token.toLowerCase()), clock.now());
    const tenant = tenantId === null ? null : await findTenant(tables, tenantId);
    return tenant?.email ?? null;
  });
}

/** A link that undoes no recovery. */
export function tooLate(): Refusal {
  return new Refusal('INVALID_OR_EXPIRED_TOKEN', {
    found: {
      es: 'Una recuperación se anula una vez, hasta que se confirme el correo. Después, recupere la cuenta de nuevo y renueve su certificado.',
      en: 'A recovery is undone once, until the address is confirmed. After that, recover the account again and renew its certificate.',
    },
  });
}

/**
 * Undoes every recovery of an account since its address was verified: their keys are revoked, the former keys work
 * again, and the status is restored. All of it commits together.
 *
 * @returns the account afterwards.
 * @throws Refusal INVALID_OR_EXPIRED_TOKEN, also once the address is verified; ACCOUNT_SUSPENDED, and then the token is
 *   kept.
 */
export function undoRecovery(deps: WriteDeps, token: string): Promise<Tenant> {
  const now = deps.clock.now();
  const hash = hashToken(token.toLowerCase());
  return deps.database.transaction(async (tables) => {
    const tenantId = await findRecoveredTenant(tables, hash, now);
    const tenant = tenantId === null ? null : await lockTenant(tables, tenantId);
    // Checked again under the lock: a verification, or the same link, may have come first.
    const isOpen = tenant !== null && (await findRecoveredTenant(tables, hash, now)) !== null;
    const first = isOpen ? await findFirstRecovery(tables, tenant.id) : null;
    if (!tenant || !first) throw tooLate();
    if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');

    await revokeActiveKeys(tables, { tenantId: tenant.id, environment: tenant.environment }, now);
    await restoreKeys(tables, tenant.id, first.id);
    await revokeKeysSetAside(tables, tenant.id);
    await forgetRecoveries(tables, tenant.id);
    const status = await statusBefore(tables, tenant, first.previousStatus);
    await changeTenantStatus(tables, tenant.id, { from: tenant.status, to: status, recoveredAt: null, now });
    // An account that was never verified still waits for it, with the newest link.
    if (status !== 'PENDING_VERIFICATION') {
      await endVerificationTokens(tables, tenant.id, now);
      await releaseUnverifiedMails(tables, tenant.id, now);
    }
    await insertTenantEvent(tables, tenant.id, {
      id: deps.newId(now),
      eventType: 'RECOVERY_UNDONE',
      detail: { environment: tenant.environment, status },
      createdAt: now,
    });
    return { ...tenant, status, recoveredAt: null };
  });
}

/** The status before a recovery. The account may have paid since, or its subscription may have expired. */
export async function statusBefore(tables: Tables, { id }: Tenant, previous: TenantStatus): Promise<TenantStatus> {
  if (previous === 'PENDING_VERIFICATION') return previous;
  const subscription = await lastSubscriptionStatus(tables, id);
  if (subscription === 'EXPIRED') return 'PAST_DUE';
  return subscription === 'ACTIVE' ? 'ACTIVE' : previous;
}
