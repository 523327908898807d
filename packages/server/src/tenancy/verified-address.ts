import { releaseUnverifiedMails } from '../store/held-mails.js';
import { revokeKeysSetAside } from '../store/key-revocation.js';
import { forgetRecoveries } from '../store/recoveries.js';
import type { Tables } from '../store/schema.js';
import { changeTenantStatus } from '../store/tenant-status.js';
import { endVerificationTokens } from '../store/verification-tokens.js';
import type { Tenant } from './tenant.js';

/**
 * Activates an account that waits for its verification, in the transaction that locked it. Its links end, and its mails
 * that waited are due. A recovery cannot be undone any more, so the keys it set aside are revoked.
 *
 * @returns the account afterwards.
 */
export async function activateVerified(tables: Tables, tenant: Tenant, now: Date): Promise<Tenant> {
  await changeTenantStatus(tables, tenant.id, { from: tenant.status, to: 'ACTIVE', recoveredAt: null, now });
  await endVerificationTokens(tables, tenant.id, now);
  await revokeKeysSetAside(tables, tenant.id);
  await forgetRecoveries(tables, tenant.id);
  await releaseUnverifiedMails(tables, tenant.id, now);
  return { ...tenant, status: 'ACTIVE', recoveredAt: null };
}
