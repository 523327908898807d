import { createHash } from 'node:crypto';
import type { DocumentType, Issuer } from 'sri-core';
import type { Tenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import type { Vault } from '../platform/secrets/vault.js';
import type { IssuerRecord } from './issuer-record.js';
import { insertIssuer } from './rows.js';
import { keepCertificate, noteCertificate, type SigningCredentials } from './signing-credentials.js';

/** The data of a new issuer. */
export interface IssuerSetup {
  /** The data in its documents; the RUC is the account's. */
  readonly data: Omit<Issuer, 'ruc'>;
  readonly certificate: SigningCredentials;
  /** Whether the certificate came with the request; false when it comes from another issuer. */
  readonly uploaded: boolean;
  /** Re-encoded, or null. */
  readonly logo: Uint8Array | null;
  readonly documentTypes: readonly DocumentType[];
  /** First numbers other than 1; a number may wait for a type that is not enabled yet. */
  readonly initialSequentials: readonly { readonly documentType: DocumentType; readonly sequential: number }[];
}

/** Dependencies of storing an issuer. */
export interface NewIssuerDeps extends WriteDeps {
  readonly vault: Vault;
}

/**
 * Stores a new issuer with its certificate, types, first numbers and logo, and records the certificate in the account's
 * history; in the transaction of `tables`.
 *
 * @returns null when the taxpayer has that branch and point already; then nothing was stored.
 */
export async function storeNewIssuer(
  parts: NewIssuerDeps,
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
  await keepCertificate(parts, tables, { issuer, credentials: setup.certificate, keyVersion: FIRST_KEY_VERSION, now });
  if (setup.uploaded) {
    await noteCertificate(parts, tables, {
      issuer,
      eventType: 'CERTIFICATE_UPLOADED',
      credentials: setup.certificate,
      now,
    });
  }
  return issuer;
}

// --- internal ---

const FIRST_KEY_VERSION = 1;

function toIssuerRecord(id: string, tenant: Tenant, setup: IssuerSetup): IssuerRecord {
  const { data, documentTypes, logo } = setup;
  const { fingerprint, ruc, validTo } = setup.certificate.certificate;
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
