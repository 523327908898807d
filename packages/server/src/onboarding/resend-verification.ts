import { findTenantByEmail, lockTenant, setVerificationRedirect } from '../accounts/index.js';
import { readBusinessName } from '../issuers/index.js';
import { lastVerificationTokenAt } from './token-rows.js';
import { queueVerification, type VerificationDeps } from './verify-address.js';

/** A request for another verification mail. */
export interface ResendRequest {
  readonly email: string;
  /** The new target of the link, validated; null for the former one. */
  readonly redirectUrl: string | null;
}

/** Dependencies of resending. */
export interface ResendDeps extends VerificationDeps {
  readonly wakeMail: () => void;
}

/**
 * Sends another verification mail, if the address has an account that waits for one and its last mail is a minute old.
 * Returns no result, so that no caller learns which addresses are known.
 */
export async function resendVerification(parts: ResendDeps, request: ResendRequest): Promise<void> {
  const found = await parts.database.read((tables) => findTenantByEmail(tables, request.email));
  if (found?.status !== 'PENDING_VERIFICATION') return;
  const queued = await parts.database.transaction(async (tables) => {
    const now = parts.clock.now();
    // Concurrent calls wait here for each other; the later ones find the mail too new.
    const tenant = await lockTenant(tables, found.id);
    if (tenant?.status !== 'PENDING_VERIFICATION') return false;
    // A token from far ahead is of a clock that was since corrected.
    const last = await lastVerificationTokenAt(tables, tenant.id, new Date(now.getTime() + COOLING_MS));
    if (last && now.getTime() - last.getTime() < COOLING_MS) return false;
    const redirectUrl = request.redirectUrl ?? tenant.verificationRedirectUrl;
    if (redirectUrl !== tenant.verificationRedirectUrl) {
      await setVerificationRedirect(tables, tenant.id, { url: redirectUrl, now });
    }
    const businessName = await readBusinessName(tables, tenant.id);
    const addressed = { ...tenant, verificationRedirectUrl: redirectUrl };
    await queueVerification(parts, tables, addressed, businessName ?? tenant.email);
    return true;
  });
  if (queued) parts.wakeMail();
}

// --- internal ---

const COOLING_MS = 60_000;
