import { createHash } from 'node:crypto';
import { type Clock, type DocumentType, type OpenedP12, openP12, type Random } from 'sri-core';
import { Refusal } from '../errors.js';
import type { Language } from '../language.js';
import { insertApiKey } from '../store/api-keys.js';
import { insertCertificate } from '../store/certificates.js';
import { insertIssuer } from '../store/issuers.js';
import type { ServerDatabase, Tables } from '../store/schema.js';
import { insertTenantEvent } from '../store/tenant-events.js';
import { findTaken, insertTenant } from '../store/tenants.js';
import { createApiToken, hashToken } from './api-token.js';
import type { IssuerRecord, StoredCertificate } from './issuer-record.js';
import { signingKeyLabel } from './issuer-source.js';
import { readUploadedLogo } from './logo.js';
import { SCOPES } from './scopes.js';
import type { Tenant } from './tenant.js';
import type { Vault } from './vault.js';
import { queueVerification, type VerificationParts } from './verification.js';

/** What somebody registers with. Every field has been checked for its form; the files have not been opened yet. */
export interface RegistrationRequest {
  /** The P12 file as it came. */
  readonly p12: Uint8Array;
  readonly p12Password: string | null;
  /** The logo as it came, or null. */
  readonly logo: Uint8Array | null;
  readonly email: string;
  readonly ruc: string;
  readonly businessName: string;
  readonly tradeName: string | null;
  readonly mainAddress: string | null;
  readonly branchCode: string;
  readonly issuePointCode: string;
  readonly requiredAccounting: boolean;
  readonly specialTaxpayer: string | null;
  readonly branchAddress: string | null;
  readonly documentTypes: readonly DocumentType[];
  readonly initialSequentials: readonly { readonly documentType: DocumentType; readonly sequential: number }[];
  readonly language: Language;
  readonly verificationRedirectUrl: string | null;
}

/** A new account with its first issuer and key. */
export interface Registered {
  readonly tenant: Tenant;
  readonly issuer: IssuerRecord;
  /** The key's token, which exists in clear only here. */
  readonly apiKey: string;
}

/** What registering needs. */
export interface RegistrationParts extends VerificationParts {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly apiKeyBrand: string;
  /** False when keys of registration belong to the web application, which are neither listed nor counted. */
  readonly keysAreListed: boolean;
  /** Tells the mail worker that a mail is due. */
  readonly wakeMail: () => void;
}

/**
 * Opens an account: one tenant, one issuer with its certificate, one sandbox key, and the mail that asks to verify the
 * address. All of it commits together, or nothing is stored.
 *
 * @throws Refusal INVALID_FILE_UPLOAD for the logo; CertificateInvalidError and the other certificate errors of core;
 * Refusal CONFLICT when the address or the RUC has an account.
 */
export async function register(parts: RegistrationParts, request: RegistrationRequest): Promise<Registered> {
  const now = parts.clock.now();
  const logo = request.logo && (await readUploadedLogo(request.logo));
  const registration: Registration = { ...request, logo };
  const opened = await openP12(registration.p12, registration.p12Password, { now });
  const taken = await parts.database.read((tables) => findTaken(tables, registration));
  if (taken) throw conflict(taken);

  const tenant = newTenant(parts, registration, now);
  const issuer = newIssuer(parts, registration, tenant, opened, now);
  const apiKey = createApiToken(parts.random, parts.apiKeyBrand, tenant.environment);
  await parts.database.transaction(async (tables) => {
    // Checked again by the database's own constraints: of two registrations at once one gets here first.
    const takenMeanwhile = await insertTenant(tables, tenant);
    if (takenMeanwhile) throw conflict(takenMeanwhile);
    await storeIssuer(parts, tables, { tenant, issuer, registration, opened, now });
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
    await queueVerification(parts, tables, tenant, registration.businessName);
  });
  parts.wakeMail();
  return { tenant, issuer, apiKey };
}

// --- internal ---

/** A request whose logo, if any, has been re-encoded. */
type Registration = RegistrationRequest;

const FIRST_KEY_VERSION = 1;

function conflict(taken: 'email' | 'ruc'): Refusal {
  return new Refusal('CONFLICT', { reason: taken === 'email' ? 'EMAIL_ALREADY_REGISTERED' : 'RUC_ALREADY_REGISTERED' });
}

function newTenant(parts: RegistrationParts, registration: Registration, now: Date): Tenant {
  return {
    id: parts.newId(now),
    email: registration.email,
    ruc: registration.ruc,
    subscriptionTier: 'FREE',
    status: 'PENDING_VERIFICATION',
    suspensionReason: null,
    environment: 'sandbox',
    language: registration.language,
    verificationRedirectUrl: registration.verificationRedirectUrl,
    agreementAcceptedAt: null,
    agreementVersion: null,
    createdAt: now,
  };
}

function newIssuer(
  parts: RegistrationParts,
  registration: Registration,
  tenant: Tenant,
  { certificate }: OpenedP12,
  now: Date,
): IssuerRecord & { readonly certificate: StoredCertificate } {
  return {
    id: parts.newId(now),
    tenantId: tenant.id,
    ruc: registration.ruc,
    businessName: registration.businessName,
    tradeName: registration.tradeName,
    mainAddress: registration.mainAddress,
    branchCode: registration.branchCode,
    issuePointCode: registration.issuePointCode,
    branchAddress: registration.branchAddress,
    requiredAccounting: registration.requiredAccounting,
    specialTaxpayer: registration.specialTaxpayer,
    withholdingAgent: null,
    rimpe: null,
    canIssue: true,
    documentTypes: registration.documentTypes,
    certificate: {
      fingerprint: certificate.fingerprint,
      ruc: certificate.ruc,
      validTo: certificate.validTo,
      keyVersion: FIRST_KEY_VERSION,
    },
    logoHash: registration.logo && createHash('sha256').update(registration.logo).digest('hex'),
  };
}

interface NewAccount {
  readonly tenant: Tenant;
  readonly issuer: IssuerRecord & { readonly certificate: StoredCertificate };
  readonly registration: Registration;
  readonly opened: OpenedP12;
  readonly now: Date;
}

async function storeIssuer(parts: RegistrationParts, tables: Tables, account: NewAccount): Promise<void> {
  const { tenant, issuer, registration, opened, now } = account;
  const firstNumbers = new Map(
    registration.initialSequentials.map(({ documentType, sequential }) => [documentType, sequential]),
  );
  const types = new Set([...registration.documentTypes, ...firstNumbers.keys()]);
  const stored = await insertIssuer(tables, {
    issuer,
    documentTypes: [...types].map((documentType) => ({
      documentType,
      active: registration.documentTypes.includes(documentType),
      initialSequential: firstNumbers.get(documentType) ?? null,
    })),
    logo: registration.logo && Buffer.from(registration.logo).toString('base64'),
    createdAt: now,
  });
  if (!stored) throw conflict('ruc');
  for (const [documentType, first] of firstNumbers) {
    const counter = { issuerId: issuer.id, environment: tenant.environment, documentType };
    await parts.database.setFirstSequential(tables, counter, first);
  }
  const { certificate } = opened;
  const key = { tenantId: tenant.id, issuerId: issuer.id, keyVersion: issuer.certificate.keyVersion };
  const pkcs8 = opened.privateKey.export({ format: 'der', type: 'pkcs8' });
  await insertCertificate(
    tables,
    {
      ...key,
      fingerprint: certificate.fingerprint,
      ruc: certificate.ruc,
      validFrom: certificate.validFrom,
      validTo: certificate.validTo,
      certificate: certificate.der,
      chain: opened.chain,
      key: parts.vault.seal(pkcs8, signingKeyLabel(key)),
    },
    now,
  );
  pkcs8.fill(0);
  await insertTenantEvent(tables, tenant.id, {
    id: parts.newId(now),
    eventType: 'CERTIFICATE_UPLOADED',
    detail: {
      issuerId: issuer.id,
      certFingerprint: certificate.fingerprint,
      certExpiry: certificate.validTo.toISOString(),
    },
    createdAt: now,
  });
}
