import type { Environment } from 'sri-core';
import {
  type CurrentUsage,
  changeTenantStatus,
  findTenant,
  insertTenantEvent,
  lockTenant,
  type Plans,
  SCOPES,
  type Tenant,
} from '../accounts/index.js';
import { currentUsage, findActiveSubscription } from '../billing/index.js';
import { type IssuerRecord, listIssuerIds, openP12File, readIssuer, type UploadedP12 } from '../issuers/index.js';
import { createApiToken, createVerificationToken, hashToken, insertApiKey, setKeysAside } from '../keys/index.js';
import { insertMail } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Limits } from '../platform/limits/limits.js';
import { openSealer } from '../platform/secrets/sealing.js';
import { mailTokenLabel } from '../platform/secrets/secret-label.js';
import { findRecoverable, type Recoverable } from './recovery-account-rows.js';
import { findFirstRecovery, forgetRecoveries, insertRecovery, type OpenRecovery } from './recovery-rows.js';
import type { RegistrationDeps } from './register.js';
import { endVerificationTokens } from './token-rows.js';
import { queueVerification } from './verify-address.js';

/** A request for recovery. */
export interface RecoveryRequest {
  readonly p12: UploadedP12;
  readonly email: string;
}

/** An account with its new key. */
export interface Recovered {
  /** The account afterwards. */
  readonly tenant: Tenant;
  readonly usage: CurrentUsage;
  /** The issuer of the certificate. */
  readonly issuer: IssuerRecord;
  /** The key's token, which exists in clear only here. */
  readonly apiKey: string;
  /** The environment of the account and of the key. */
  readonly environment: Environment;
}

/** Dependencies of recovering. */
export interface RecoveryDeps extends RegistrationDeps {
  readonly limits: Limits;
  readonly plans: Plans;
}

/**
 * Recovers an account for the owner of its certificate: the keys of its environment end, a new one replaces them, and
 * the address must be verified again. A mail to that address reports it at once, with a link that undoes it until the
 * address is verified. All of it commits together.
 *
 * The certificate is opened before any look-up. Neither the answer nor its time shows whether the address is unknown or
 * the certificate is another.
 *
 * @returns null when the address and the certificate match no account; then nothing has changed.
 * @param caller the client's address, whose turn decides when the certificate is opened.
 * @throws Refusal as `openP12File`; ACCOUNT_SUSPENDED, only if the certificate matches.
 */
export async function recoverAccount(
  parts: RecoveryDeps,
  request: RecoveryRequest,
  caller: string,
): Promise<Recovered | null> {
  const { certificate } = await openP12File(parts, request.p12, { caller, now: parts.clock.now() });
  const names = { email: request.email, fingerprint: certificate.fingerprint };
  const found = await parts.database.read((tables) => findRecoverable(tables, names));
  const recovered =
    found && (await parts.database.transaction((tables) => recover(parts, tables, found, { ...names, caller })));
  if (recovered) parts.wakeMail();
  else await takeAsLong(parts, request);
  return recovered;
}

// --- internal ---

/** @returns null when the issuer's certificate has changed since the look-up. */
async function recover(
  parts: RecoveryDeps,
  tables: Tables,
  { tenantId }: Recoverable,
  { caller, ...names }: Parameters<typeof findRecoverable>[1] & { readonly caller: string },
): Promise<Recovered | null> {
  const now = parts.clock.now();
  // Concurrent recoveries wait here for each other, so that one key remains.
  const before = await lockTenant(tables, tenantId);
  const found = await findRecoverable(tables, names);
  const issuer = found && (await readIssuer(tables, found.issuerId));
  if (!before || !issuer) return null;
  if (before.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
  const { environment } = before;
  const tenant: Tenant = { ...before, status: 'PENDING_VERIFICATION', recoveredAt: now };
  const recoveryId = parts.newId(now);
  const apiKey = createApiToken(parts.random, parts.apiKeyBrand, environment);
  await setKeysAside(tables, tenant, { recoveryId, now });
  await insertApiKey(tables, {
    id: parts.newId(now),
    tenantId,
    tokenHash: hashToken(apiKey),
    last4: apiKey.slice(-4),
    label: 'Recovery key',
    environment,
    scopes: SCOPES,
    listed: parts.keysAreListed,
    createdAt: now,
  });
  await changeTenantStatus(tables, tenantId, { from: before.status, to: tenant.status, recoveredAt: now, now });
  await insertTenantEvent(tables, tenantId, {
    id: parts.newId(now),
    eventType: 'ACCOUNT_RECOVERED',
    detail: { environment, previousStatus: before.status, address: caller },
    createdAt: now,
  });
  const recovery = { id: recoveryId, tenantId, previousStatus: before.status, createdAt: now };
  await offerUndo(parts, tables, { tenant, recovery, address: caller });
  await queueVerification(parts, tables, tenant, issuer.businessName);
  const usage = await currentUsage(tables, parts.plans, tenant, now);
  return { tenant, usage, issuer, apiKey, environment };
}

/** Stores the token that undoes a recovery and queues the mail with its link. The token exists in clear only there. */
async function offerUndo(
  { random, newId, vault }: RecoveryDeps,
  tables: Tables,
  { tenant, recovery, address }: { tenant: Tenant; recovery: OpenRecovery & { createdAt: Date }; address: string },
): Promise<void> {
  const { createdAt } = recovery;
  const sealer = await openSealer(tables, vault, createdAt);
  const token = createVerificationToken(random);
  const expiresAt = new Date(createdAt.getTime() + UNDO_DAYS * DAY_MS);
  await insertRecovery(tables, { ...recovery, tokenHash: hashToken(token), expiresAt });
  const mail = { id: newId(createdAt), tenantId: tenant.id };
  await insertMail(tables, {
    ...mail,
    kind: 'RECOVERY',
    recipient: tenant.email,
    language: tenant.language,
    data: { at: createdAt.toISOString(), address, days: String(UNDO_DAYS) },
    token: sealer.seal(Buffer.from(token), mailTokenLabel(mail)),
    createdAt,
  });
}

/** A mail may stay unread over a weekend and a holiday. */
const UNDO_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * A recovery runs more statements than a look-up, and waits for the disk. So this runs as many for an account that does
 * not exist. It commits a row without effect, which the clean-up deletes.
 */
async function takeAsLong(parts: RecoveryDeps, { email }: RecoveryRequest): Promise<void> {
  const now = parts.clock.now();
  const absent = parts.newId(now);
  await parts.database.transaction(async (tables) => {
    await lockTenant(tables, absent);
    await findRecoverable(tables, { email, fingerprint: absent });
    await readIssuer(tables, absent);
    await setKeysAside(tables, { id: absent, environment: 'sandbox' }, { recoveryId: absent, now });
    // Costs as much as the change of status.
    await lockTenant(tables, absent);
    // Costs as much as the undo token and its mail, and fails in the same way where no token can be sealed.
    await openSealer(tables, parts.vault, now);
    await forgetRecoveries(tables, absent);
    await findFirstRecovery(tables, absent);
    await openSealer(tables, parts.vault, now);
    await endVerificationTokens(tables, absent, now);
    await listIssuerIds(tables, absent);
    await findTenant(tables, absent);
    await findActiveSubscription(tables, absent);
  });
  await parts.limits.use(`recovery:${absent}`, { limit: 1, windowMs: 60_000 });
}
