import { type Clock, type DocumentType, openP12, type Random } from 'sri-core';
import { Refusal } from '../errors.js';
import type { Language } from '../language.js';
import { insertApiKey } from '../store/api-keys.js';
import type { ServerDatabase } from '../store/schema.js';
import { findTaken, insertTenant } from '../store/tenants.js';
import { createApiToken, hashToken } from './api-token.js';
import type { IssuerRecord } from './issuer-record.js';
import { readUploadedLogo } from './logo.js';
import { type IssuerSetup, storeNewIssuer } from './new-issuer.js';
import { SCOPES } from './scopes.js';
import type { P12Parts } from './signing-means.js';
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
export interface RegistrationParts extends VerificationParts, P12Parts {
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
 * Refusal CONFLICT when the address or the RUC has an account; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when the caller, or
 * everybody, sends more certificates than can be opened.
 *
 * @param caller whose turn it has to be for the certificate to be opened.
 */
export async function register(
  parts: RegistrationParts,
  request: RegistrationRequest,
  caller: string,
): Promise<Registered> {
  const now = parts.clock.now();
  const logo = request.logo && (await readUploadedLogo(request.logo));
  const certificate = await parts.p12Turns.take(caller, () => openP12(request.p12, request.p12Password, { now }));
  const taken = await parts.database.read((tables) => findTaken(tables, request));
  if (taken) throw conflict(taken);

  const tenant = newTenant(parts, request, now);
  const { documentTypes, initialSequentials } = request;
  const setup: IssuerSetup = { data: request, certificate, uploaded: true, logo, documentTypes, initialSequentials };
  const apiKey = createApiToken(parts.random, parts.apiKeyBrand, tenant.environment);
  const issuer = await parts.database.transaction(async (tables) => {
    // Checked again by the database's own constraints: of two registrations at once one gets here first.
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

function conflict(taken: 'email' | 'ruc'): Refusal {
  return new Refusal('CONFLICT', { reason: taken === 'email' ? 'EMAIL_ALREADY_REGISTERED' : 'RUC_ALREADY_REGISTERED' });
}

function newTenant(parts: RegistrationParts, request: RegistrationRequest, now: Date): Tenant {
  return {
    id: parts.newId(now),
    email: request.email,
    ruc: request.ruc,
    subscriptionTier: 'FREE',
    status: 'PENDING_VERIFICATION',
    suspensionReason: null,
    environment: 'sandbox',
    language: request.language,
    verificationRedirectUrl: request.verificationRedirectUrl,
    agreementAcceptedAt: null,
    agreementVersion: null,
    createdAt: now,
  };
}
