import { createPrivateKey, type KeyObject } from 'node:crypto';
import { CertificateInvalidError, type OpenedP12, openP12, toSigningCertificate } from 'sri-core';
import { insertTenantEvent, type Tenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { ProblemCode, ProblemReason } from '../platform/errors/error-catalogue.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { FairQueue } from '../platform/jobs/fair-queue.js';
import { openSealer } from '../platform/secrets/sealing.js';
import { signingKeyLabel } from '../platform/secrets/secret-label.js';
import type { Vault } from '../platform/secrets/vault.js';
import { type KeptCertificate, readCertificate, storeCertificate } from './certificate-rows.js';
import type { IssuerRecord } from './issuer-record.js';

/** A certificate, its key and the authorities above it. */
export type SigningCredentials = Pick<OpenedP12, 'certificate' | 'privateKey' | 'chain'>;

/** A P12 file as sent. */
export interface UploadedP12 {
  readonly bytes: Uint8Array;
  readonly password: string | null;
}

/** Dependencies of opening P12 files. */
export interface P12Deps {
  /** Files are untrusted and may cost seconds each, so callers take turns. */
  readonly p12Queue: FairQueue;
}

/**
 * Opens a P12 of any taxpayer when it is the caller's turn.
 *
 * @throws Refusal CERTIFICATE_INVALID and its finer names; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function openP12File(
  { p12Queue }: P12Deps,
  p12: UploadedP12,
  { caller, now }: { readonly caller: string; readonly now: Date },
): Promise<SigningCredentials> {
  return p12Queue
    .run(caller, () => openP12(p12.bytes, p12.password, { now }))
    .catch((error: unknown) => {
      throw toCertificateRefusal(error);
    });
}

/**
 * Refuses a certificate of another taxpayer in production. In sandbox it may name any, for tests; the stored RUC shows
 * the difference. A certificate without a RUC is accepted.
 *
 * @param tenant the locked account: a promotion may commit while a P12 is opened.
 * @throws Refusal CERTIFICATE_INVALID with RUC_MISMATCH.
 */
export function requireOwnCertificate(tenant: Tenant, { ruc }: { readonly ruc: string | null }): void {
  if (tenant.environment === 'production' && ruc !== null && ruc !== tenant.ruc) {
    throw new Refusal('CERTIFICATE_INVALID', { reason: 'RUC_MISMATCH' });
  }
}

/** The certificate of an issuer with its opened key, or null. @throws SecretUnreadableError */
export async function readSigningCredentials(
  vault: Vault,
  tables: Tables,
  issuer: IssuerRecord,
): Promise<SigningCredentials | null> {
  const kept = await readCertificate(tables, issuer.id);
  if (!kept) return null;
  return {
    certificate: toSigningCertificate(kept.certificate),
    privateKey: openSigningKey(vault, kept),
    chain: kept.chain,
  };
}

/** The opened key of a certificate. @throws SecretUnreadableError */
export function openSigningKey(vault: Vault, kept: KeptCertificate): KeyObject {
  const key = vault.open(kept.key, signingKeyLabel(kept));
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  key.fill(0);
  return privateKey;
}

/**
 * Stores a certificate for an issuer, its key sealed for that issuer and version. Replaces the former one.
 *
 * @throws MasterKeyNeededError
 */
export async function keepCertificate(
  parts: { readonly vault: Vault },
  tables: Tables,
  entry: {
    readonly issuer: Pick<IssuerRecord, 'id' | 'tenantId'>;
    readonly credentials: SigningCredentials;
    readonly keyVersion: number;
    readonly now: Date;
  },
): Promise<void> {
  const { issuer, credentials, keyVersion, now } = entry;
  const { fingerprint, ruc, validFrom, validTo, der } = credentials.certificate;
  const owner = { tenantId: issuer.tenantId, issuerId: issuer.id, keyVersion };
  const sealer = await openSealer(tables, parts.vault, now);
  const pkcs8 = credentials.privateKey.export({ format: 'der', type: 'pkcs8' });
  const key = sealer.seal(pkcs8, signingKeyLabel(owner));
  pkcs8.fill(0);
  const kept = { ...owner, fingerprint, ruc, validFrom, validTo, certificate: der, chain: credentials.chain, key };
  await storeCertificate(tables, kept, now);
}

/** Records in the account's history that an issuer has a new certificate. */
export async function noteCertificate(
  parts: { readonly newId: (now: Date) => string },
  tables: Tables,
  entry: {
    readonly issuer: Pick<IssuerRecord, 'id' | 'tenantId'>;
    readonly eventType: 'CERTIFICATE_UPLOADED' | 'CERTIFICATE_RENEWED';
    readonly credentials: SigningCredentials;
    readonly now: Date;
  },
): Promise<void> {
  const { issuer, eventType, credentials, now } = entry;
  const { fingerprint, validTo } = credentials.certificate;
  await insertTenantEvent(tables, issuer.tenantId, {
    id: parts.newId(now),
    eventType,
    detail: { issuerId: issuer.id, certFingerprint: fingerprint, certExpiry: validTo.toISOString() },
    createdAt: now,
  });
}

// --- internal ---

/** The core's errors as codes. Registration returns them as reasons, since the contract lists its codes. */
const REFUSALS: Readonly<Record<string, readonly [ProblemCode, ProblemReason?]>> = {
  CERTIFICATE_INVALID: ['CERTIFICATE_INVALID'],
  CERTIFICATE_PASSWORD_INVALID: ['CERTIFICATE_PASSWORD_INVALID'],
  CERTIFICATE_KEY_NOT_FOUND: ['CERTIFICATE_KEY_NOT_FOUND'],
  CERTIFICATE_EXPIRED: ['CERTIFICATE_EXPIRED'],
  CERTIFICATE_KEY_UNSUPPORTED: ['CERTIFICATE_INVALID', 'CERTIFICATE_KEY_UNSUPPORTED'],
  CERTIFICATE_NOT_YET_VALID: ['CERTIFICATE_INVALID', 'CERTIFICATE_NOT_YET_VALID'],
};

function toCertificateRefusal(cause: unknown): unknown {
  const known = cause instanceof Error && 'code' in cause ? REFUSALS[String(cause.code)] : undefined;
  if (!known) return cause;
  const [code, reason] = known;
  const found = cause instanceof CertificateInvalidError ? cause.found : null;
  return new Refusal(code, { ...(reason ? { reason } : {}), found, cause });
}
