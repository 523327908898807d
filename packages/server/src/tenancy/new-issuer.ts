import { createHash } from 'node:crypto';
import type { DocumentType, Issuer, OpenedP12 } from 'sri-core';
import { insertCertificate } from '../store/certificates.js';
import { insertIssuer } from '../store/issuers.js';
import type { ServerDatabase, Tables } from '../store/schema.js';
import { insertTenantEvent } from '../store/tenant-events.js';
import type { IssuerRecord } from './issuer-record.js';
import { signingKeyLabel } from './issuer-source.js';
import type { Tenant } from './tenant.js';
import type { Vault } from './vault.js';

/** What a new issuer is set up with. */
export interface IssuerSetup {
  /** What its documents say of it; the RUC is the account's. */
  readonly data: Omit<Issuer, 'ruc'>;
  readonly opened: OpenedP12;
  /** Re-encoded, or null. */
  readonly logo: Uint8Array | null;
  readonly documentTypes: readonly DocumentType[];
  /** First numbers other than 1; a number may wait for a type that is not enabled yet. */
  readonly initialSequentials: readonly { readonly documentType: DocumentType; readonly sequential: number }[];
}

/** What storing an issuer needs. */
export interface NewIssuerParts {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly newId: (now: Date) => string;
}

/**
 * Stores a new issuer with its certificate, types, first numbers and logo, and notes the certificate in the account's
 * history; in the transaction of `tables`.
 *
 * @returns null when the taxpayer has that branch and point already; then nothing was stored.
 */
export async function storeNewIssuer(
  parts: NewIssuerParts,
  tables: Tables,
  { tenant, setup, now }: { readonly tenant: Tenant; readonly setup: IssuerSetup; readonly now: Date },
): Promise<IssuerRecord | null> {
  const issuer = toIssuerRecord(parts.newId(now), tenant, setup);
  const firstNumbers = new Map(setup.initialSequentials.map((entry) => [entry.documentType, entry.sequential]));
  const types = new Set([...setup.documentTypes, ...firstNumbers.keys()]);
  const stored = await insertIssuer(tables, {
    issuer,
    documentTypes: [...types].map((documentType) => ({
      documentType,
      active: setup.documentTypes.includes(documentType),
      initialSequential: firstNumbers.get(documentType) ?? null,
    })),
    logo: setup.logo && Buffer.from(setup.logo).toString('base64'),
    createdAt: now,
  });
  if (!stored) return null;
  for (const [documentType, first] of firstNumbers) {
    const counter = { issuerId: issuer.id, environment: tenant.environment, documentType };
    await parts.database.setFirstSequential(tables, counter, first);
  }
  await storeCertificate(parts, tables, { issuer, opened: setup.opened, now });
  return issuer;
}

// --- internal ---

const FIRST_KEY_VERSION = 1;

function toIssuerRecord(id: string, tenant: Tenant, setup: IssuerSetup): IssuerRecord {
  const { data, documentTypes, logo } = setup;
  const { fingerprint, ruc, validTo } = setup.opened.certificate;
  return {
    id,
    tenantId: tenant.id,
    ruc: tenant.ruc,
    businessName: data.businessName,
    tradeName: data.tradeName ?? null,
    mainAddress: data.mainAddress ?? null,
    branchCode: data.branchCode,
    issuePointCode: data.issuePointCode,
    branchAddress: data.branchAddress ?? null,
    requiredAccounting: data.requiredAccounting,
    specialTaxpayer: data.specialTaxpayer ?? null,
    withholdingAgent: data.withholdingAgent ?? null,
    rimpe: data.rimpe ?? null,
    canIssue: true,
    documentTypes,
    certificate: { fingerprint, ruc, validTo, keyVersion: FIRST_KEY_VERSION },
    logoHash: logo && createHash('sha256').update(logo).digest('hex'),
  };
}

async function storeCertificate(
  parts: NewIssuerParts,
  tables: Tables,
  { issuer, opened, now }: { readonly issuer: IssuerRecord; readonly opened: OpenedP12; readonly now: Date },
): Promise<void> {
  const { fingerprint, ruc, validFrom, validTo, der } = opened.certificate;
  const owner = { tenantId: issuer.tenantId, issuerId: issuer.id, keyVersion: FIRST_KEY_VERSION };
  const pkcs8 = opened.privateKey.export({ format: 'der', type: 'pkcs8' });
  const key = parts.vault.seal(pkcs8, signingKeyLabel(owner));
  pkcs8.fill(0);
  const kept = { ...owner, fingerprint, ruc, validFrom, validTo, certificate: der, chain: opened.chain, key };
  await insertCertificate(tables, kept, now);
  await insertTenantEvent(tables, issuer.tenantId, {
    id: parts.newId(now),
    eventType: 'CERTIFICATE_UPLOADED',
    detail: { issuerId: issuer.id, certFingerprint: fingerprint, certExpiry: validTo.toISOString() },
    createdAt: now,
  });
}
