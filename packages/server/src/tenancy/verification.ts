import type { Clock, Random } from 'sri-core';
import { Refusal } from '../errors.js';
import { mailTokenLabel } from '../mail/outbox-mail.js';
import { insertMail } from '../store/mail-outbox.js';
import type { ServerDatabase, Tables } from '../store/schema.js';
import { insertTenantEvent } from '../store/tenant-events.js';
import { changeTenantStatus } from '../store/tenant-status.js';
import { findTenant, lockTenant } from '../store/tenants.js';
import {
  consumeVerificationToken,
  endVerificationTokens,
  findVerifiableTenant,
  replaceVerificationToken,
} from '../store/verification-tokens.js';
import { createVerificationToken, hashToken } from './api-token.js';
import type { Tenant } from './tenant.js';
import type { Vault } from './vault.js';

/** What verifying e-mails needs. */
export interface VerificationParts {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: (now: Date) => string;
  readonly verificationTtlMs: number;
}

/**
 * Makes a new verification link for an account and queues its mail; earlier links end. Call it in the transaction of
 * what made it necessary. The token exists in clear only in the mail.
 */
export async function queueVerification(
  parts: VerificationParts,
  tables: Tables,
  tenant: Tenant,
  businessName: string,
): Promise<void> {
  const now = parts.clock.now();
  const token = createVerificationToken(parts.random);
  await replaceVerificationToken(tables, {
    hash: hashToken(token),
    tenantId: tenant.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + parts.verificationTtlMs),
  });
  const mail = { id: parts.newId(now), tenantId: tenant.id };
  await insertMail(tables, {
    ...mail,
    kind: 'VERIFICATION',
    recipient: tenant.email,
    language: tenant.language,
    data: {
      businessName,
      redirectUrl: tenant.verificationRedirectUrl,
      hours: String(Math.max(1, Math.round(parts.verificationTtlMs / HOUR_MS))),
    },
    token: parts.vault.seal(Buffer.from(token), mailTokenLabel(mail)),
    createdAt: now,
  });
}

/** The address a token would verify; null when it is unknown, used or expired. Changes nothing. */
export async function checkVerification(parts: VerificationParts, token: string): Promise<string | null> {
  return parts.database.read(async (tables) => {
    const tenantId = await findVerifiableTenant(tables, hashToken(token.toLowerCase()), parts.clock.now());
    const tenant = tenantId === null ? null : await findTenant(tables, tenantId);
    return tenant?.email ?? null;
  });
}

/**
 * Verifies an account's address and activates it.
 *
 * @returns the account as it stands afterwards.
 * @throws Refusal INVALID_OR_EXPIRED_TOKEN; ACCOUNT_SUSPENDED, and then the token is kept.
 */
export async function confirmVerification(parts: VerificationParts, token: string): Promise<Tenant> {
  const now = parts.clock.now();
  return parts.database.transaction(async (tables) => {
    const tenantId = await consumeVerificationToken(tables, hashToken(token.toLowerCase()), now);
    const tenant = tenantId === null ? null : await lockTenant(tables, tenantId);
    if (!tenant) throw new Refusal('INVALID_OR_EXPIRED_TOKEN');
    // Throwing rolls back, so that the token is not used up.
    if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
    const waits = tenant.status === 'PENDING_VERIFICATION';
    if (waits) await changeTenantStatus(tables, tenant.id, { from: tenant.status, to: 'ACTIVE', now });
    await endVerificationTokens(tables, tenant.id, now);
    await insertTenantEvent(tables, tenant.id, {
      id: parts.newId(now),
      eventType: 'EMAIL_VERIFIED',
      detail: { email: tenant.email },
      createdAt: now,
    });
    return waits ? { ...tenant, status: 'ACTIVE' } : tenant;
  });
}

// --- internal ---

const HOUR_MS = 3_600_000;
