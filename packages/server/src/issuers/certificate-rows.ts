import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { SealedSecret } from '../platform/secrets/vault.js';

/** A certificate with its sealed key, as stored for an issuer. */
export interface KeptCertificate {
  readonly issuerId: string;
  readonly tenantId: string;
  readonly fingerprint: string;
  readonly ruc: string | null;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER of the authorities above it. */
  readonly chain: readonly Uint8Array[];
  readonly keyVersion: number;
  /** PKCS#8 DER of the private key, sealed for this issuer and version. */
  readonly key: SealedSecret;
}

/** Stores the certificate of an issuer. Replaces the former one with its sealed key. */
export async function storeCertificate(tables: Tables, kept: KeptCertificate, now: Date): Promise<void> {
  const row = {
    tenant_id: kept.tenantId,
    fingerprint: kept.fingerprint,
    ruc: kept.ruc,
    valid_from: kept.validFrom.getTime(),
    valid_to: kept.validTo.getTime(),
    certificate: toBase64(kept.certificate),
    chain: JSON.stringify(kept.chain.map(toBase64)),
    key_version: kept.keyVersion,
    master_key_id: kept.key.masterKeyId,
    wrapped_key: kept.key.wrappedKey,
    sealed_key: kept.key.ciphertext,
    created_at: now.getTime(),
  };
  await tables
    .insertInto('issuer_certificates')
    .values({ issuer_id: kept.issuerId, ...row })
    .onConflict((conflict) => conflict.column('issuer_id').doUpdateSet(row))
    .execute();
}

/** The issuers of an account that sign with a certificate, including removed issuers. */
export async function issuersSigningWith(
  tables: Tables,
  context: TenantContext,
  fingerprint: string,
): Promise<readonly { readonly issuerId: string; readonly keyVersion: number }[]> {
  const rows = await tables
    .selectFrom('issuer_certificates')
    .select(['issuer_id', 'key_version'])
    .where('tenant_id', '=', context.tenant.id)
    .where('fingerprint', '=', fingerprint)
    .orderBy('issuer_id')
    .execute();
  return rows.map((row) => ({ issuerId: row.issuer_id, keyVersion: row.key_version }));
}

/** The certificate of an issuer with its sealed key, or null. */
export async function readCertificate(tables: Tables, issuerId: string): Promise<KeptCertificate | null> {
  const row = await tables
    .selectFrom('issuer_certificates')
    .selectAll()
    .where('issuer_id', '=', issuerId)
    .executeTakeFirst();
  if (!row) return null;
  const chain: readonly string[] = JSON.parse(row.chain);
  return {
    issuerId: row.issuer_id,
    tenantId: row.tenant_id,
    fingerprint: row.fingerprint,
    ruc: row.ruc,
    validFrom: new Date(row.valid_from),
    validTo: new Date(row.valid_to),
    certificate: Buffer.from(row.certificate, 'base64'),
    chain: chain.map((der) => Buffer.from(der, 'base64')),
    keyVersion: row.key_version,
    key: { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key, ciphertext: row.sealed_key },
  };
}

// --- internal ---

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
