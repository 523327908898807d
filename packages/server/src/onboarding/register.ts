import { openP12, type Random } from 'sri-core';
import { findTaken, insertTenant, lockTenant, SCOPES, type Tenant, type Tier } from '../accounts/index.js';
import {
  type IssuerRecord,
  type IssuerSetup,
  type LogoDeps,
  type P12Deps,
  readUploadedLogo,
  storeNewIssuer,
} from '../issuers/index.js';
import { createApiToken, hashToken, insertApiKey } from '../keys/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Vault } from '../platform/secrets/vault.js';
import type { Registration } from './registration-form.js';
import { releaseAccount } from './release-account.js';
import { givesWay, listHolders } from './release-rows.js';
import { queueVerification, type VerificationDeps } from './verify-address.js';

/** A new account with its first issuer and key. */
export interface Registered {
  readonly tenant: Tenant;
  readonly issuer: IssuerRecord;
  /** The key's token, which exists in clear only here. */
  readonly apiKey: string;
}

/** Dependencies of registering. */
export interface RegistrationDeps extends VerificationDeps, P12Deps, LogoDeps {
  readonly vault: Vault;
  readonly random: Random;
  readonly apiKeyBrand: string;
  /** The plan of a new account. */
  readonly firstPlan: Tier;
  /** False when keys of registration belong to the web application; these are neither listed nor counted. */
  readonly keysAreListed: boolean;
  /** Wakes the mail worker. */
  readonly wakeMail: () => void;
}

/**
 * Registers an account: one tenant, one issuer with its certificate, one sandbox key, and the verification mail. All of
 * it commits together, or nothing is stored. An account with the same address or RUC is released if it was never
 * verified, its link has expired, and it has no authorized document.
 *
 * @throws Refusal INVALID_FILE_UPLOAD for the logo; CertificateInvalidError and the other certificate errors of core;
 *   Refusal CONFLICT when the address or the RUC has an account; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when the
 *   caller, or all callers, send more certificates than can be opened.
 *
 * @param caller whose turn decides when the certificate is opened.
 */
export async function register(parts: RegistrationDeps, request: Registration, caller: string): Promise<Registered> {
  const now = parts.clock.now();
  const logo = request.logo && (await readUploadedLogo(parts, caller, request.logo));
  const certificate = await parts.p12Queue.run(caller, () => openP12(request.cert, request.certPassword, { now }));
  const taken = await parts.database.read((tables) => findTaken(tables, request));
  if (taken && !(await parts.database.read((tables) => allGiveWay(parts, tables, request, now)))) throw conflict(taken);

  const tenant = newTenant(parts, request, now);
  const { documentTypes, initialSequentials } = request;
  const setup: IssuerSetup = { data: request, certificate, uploaded: true, logo, documentTypes, initialSequentials };
  const apiKey = createApiToken(parts.random, parts.apiKeyBrand, tenant.environment);
  const issuer = await parts.database.transaction(async (tables) => {
    if (taken) await releaseHolders(parts, tables, request, now);
    // The database's constraints check again: of two concurrent registrations one is first.
    const takenMeanwhile = await insertTenant(tables, tenant);
    if (takenMeanwhile) throw conflict(takenMeanwhile);
    const stored = await storeNewIssuer(parts, tables, { tenant, setup, now });
    if (!stored) throw conflict('ruc');
    await insertApiKey(tables, {
      id: parts.newId(now),
      tenantId: tenant.id,
      tokenHash: hashToken(apiKey),
      last4: apiKey.slice(-4),
      label: 'Initial master key',
      environment: tenant.environment,
      scopes: SCOPES,
      listed: parts.keysAreListed,
      createdAt: now,
    });
    await queueVerification(parts, tables, tenant, request.businessName);
    return stored;
  });
  parts.wakeMail();
  return { tenant, issuer, apiKey };
}

// --- internal ---

type Names = Pick<Registration, 'email' | 'ruc'>;

function registeredBefore({ verificationTtlMs }: RegistrationDeps, now: Date): Date {
  return new Date(now.getTime() - verificationTtlMs);
}

async function allGiveWay(parts: RegistrationDeps, tables: Tables, names: Names, now: Date): Promise<boolean> {
  const limits = { registeredBefore: registeredBefore(parts, now) };
  for (const id of await listHolders(tables, names)) if (!(await givesWay(tables, id, limits))) return false;
  return true;
}

/** Releases the accounts that hold the names, each under its lock; of two newcomers the second finds them released. */
async function releaseHolders(parts: RegistrationDeps, tables: Tables, names: Names, now: Date): Promise<void> {
  const limits = { registeredBefore: registeredBefore(parts, now) };
  for (const id of await listHolders(tables, names)) {
    const holder = await lockTenant(tables, id);
    if (!holder || !(await givesWay(tables, id, limits))) continue;
    await releaseAccount(tables, holder, { by: 'NEW_REGISTRATION', newId: parts.newId, now });
  }
}

function conflict(taken: 'email' | 'ruc'): Refusal {
  return new Refusal('CONFLICT', { reason: taken === 'email' ? 'EMAIL_ALREADY_REGISTERED' : 'RUC_ALREADY_REGISTERED' });
}

function newTenant(parts: RegistrationDeps, request: Registration, now: Date): Tenant {
  return {
    id: parts.newId(now),
    email: request.email,
    ruc: request.ruc,
    subscriptionTier: parts.firstPlan,
    status: 'PENDING_VERIFICATION',
    suspensionReason: null,
    environment: 'sandbox',
    language: request.language ?? 'es',
    verificationRedirectUrl: request.verificationRedirectUrl,
    agreementAcceptedAt: null,
    agreementVersion: null,
    createdAt: now,
    recoveredAt: null,
  };
}
