import type { Random } from 'sri-core';
import { findTenant, insertTenantEvent, lockTenant, type Tenant } from '../accounts/index.js';
import { createVerificationToken, hashToken } from '../keys/index.js';
import { insertMail } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { openSealer } from '../platform/secrets/sealing.js';
import { mailTokenLabel } from '../platform/secrets/secret-label.js';
import type { Vault } from '../platform/secrets/vault.js';
import { activateVerified } from './note-verified-address.js';
import { judgeRedirectUrl, type RedirectRules } from './redirect-url.js';
import {
  consumeVerificationToken,
  endVerificationTokens,
  findVerifiableTenant,
  replaceVerificationToken,
} from './token-rows.js';

/** Dependencies of verifying e-mails. */
export interface VerificationDeps extends WriteDeps {
  readonly vault: Vault;
  readonly random: Random;
  readonly verificationTtlMs: number;
  /** The allowed targets of links. */
  readonly redirects: RedirectRules;
}

/**
 * Makes a new verification link for an account and queues its mail; earlier links end. Call it in the transaction of
 * its cause. The token exists in clear only in the mail.
 *
 * @throws MasterKeyNeededError
 */
export async function queueVerification(
  parts: VerificationDeps,
  tables: Tables,
  tenant: Tenant,
  businessName: string,
): Promise<void> {
  const now = parts.clock.now();
  const { verificationRedirectUrl: url } = tenant;
  const token = createVerificationToken(parts.random);
  await replaceVerificationToken(tables, {
    hash: hashToken(token),
    tenantId: tenant.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + parts.verificationTtlMs),
  });
  const sealer = await openSealer(tables, parts.vault, now);
  const mail = { id: parts.newId(now), tenantId: tenant.id };
  await insertMail(tables, {
    ...mail,
    kind: 'VERIFICATION',
    recipient: tenant.email,
    language: tenant.language,
    data: {
      businessName,
      // A target that was stored under other rules is replaced by the server's own route.
      redirectUrl: url !== null && judgeRedirectUrl(url, parts.redirects) === null ? url : null,
      hours: String(Math.max(1, Math.round(parts.verificationTtlMs / HOUR_MS))),
    },
    token: sealer.seal(Buffer.from(token), mailTokenLabel(mail)),
    createdAt: now,
  });
}

/** The account that a token verifies; null when it is unknown, used or expired. Changes nothing. */
export async function checkVerification(parts: VerificationDeps, token: string): Promise<Tenant | null> {
  return parts.database.read(async (tables) => {
    const tenantId = await findVerifiableTenant(tables, hashToken(token.toLowerCase()), parts.clock.now());
    return tenantId === null ? null : findTenant(tables, tenantId);
  });
}

/** A link that verifies no address. Its reader may have an account that is verified already. */
export function unusableLink(): Refusal {
  return new Refusal('INVALID_OR_EXPIRED_TOKEN', {
    found: {
      es: 'Si la cuenta aún espera su verificación, pida otro.',
      en: 'If the account still waits for its verification, ask for another.',
    },
  });
}

/**
 * Verifies an account's address and activates it.
 *
 * @returns the account afterwards.
 * @throws Refusal INVALID_OR_EXPIRED_TOKEN; ACCOUNT_SUSPENDED, and then the token is kept.
 */
export async function confirmVerification(parts: VerificationDeps, token: string): Promise<Tenant> {
  const now = parts.clock.now();
  return parts.database.transaction(async (tables) => {
    const hash = hashToken(token.toLowerCase());
    // The account is locked before its token, like in a recovery, so that the two cannot deadlock.
    const tenantId = await findVerifiableTenant(tables, hash, now);
    const tenant = tenantId === null ? null : await lockTenant(tables, tenantId);
    const isConsumed = tenant !== null && (await consumeVerificationToken(tables, hash, now)) !== null;
    if (!tenant || !isConsumed) throw unusableLink();
    // Throwing rolls back, so that the token is not used up.
    if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
    const waits = tenant.status === 'PENDING_VERIFICATION';
    const verified = waits ? await activateVerified(tables, tenant, now) : tenant;
    if (!waits) await endVerificationTokens(tables, tenant.id, now);
    await insertTenantEvent(tables, tenant.id, {
      id: parts.newId(now),
      eventType: 'EMAIL_VERIFIED',
      detail: { email: tenant.email },
      createdAt: now,
    });
    return verified;
  });
}

// --- internal ---

const HOUR_MS = 3_600_000;
