import { changeTenantStatus, type Tenant } from '../accounts/index.js';
import { revokeKeysSetAside } from '../keys/index.js';
import { releaseUnverifiedMails } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { findFirstRecovery, forgetRecoveries } from './recovery-rows.js';
import { endVerificationTokens } from './token-rows.js';
import { statusBefore } from './undo-recovery.js';

/**
 * Activates an account that waits for its verification, in the transaction that locked it. Its links end, and its held
 * mails become due. A recovery can no longer be undone, so the keys it set aside are revoked. An account that was past due
 * before its recovery is so again, unless it has paid. An account whose subscription expired since is past due too.
 *
 * @returns the account afterwards.
 */
export async function activateVerified(tables: Tables, tenant: Tenant, now: Date): Promise<Tenant> {
  const recovery = await findFirstRecovery(tables, tenant.id);
  const previous = await statusBefore(tables, tenant, recovery?.previousStatus ?? 'PENDING_VERIFICATION');
  const status = previous === 'PENDING_VERIFICATION' ? 'ACTIVE' : previous;
  await changeTenantStatus(tables, tenant.id, { from: tenant.status, to: status, recoveredAt: null, now });
  await endVerificationTokens(tables, tenant.id, now);
  await revokeKeysSetAside(tables, tenant.id);
  await forgetRecoveries(tables, tenant.id);
  await releaseUnverifiedMails(tables, tenant.id, now);
  return { ...tenant, status, recoveredAt: null };
}
