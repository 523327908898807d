import { emailKey } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';

/** The account and issuer that match an address and a certificate. */
export interface Recoverable {
  readonly tenantId: string;
  readonly issuerId: string;
}

/**
 * The account of that address with the oldest active issuer that signs with that certificate; null without such an
 * account or issuer. One query in every case.
 */
export async function findRecoverable(
  tables: Tables,
  { email, fingerprint }: { readonly email: string; readonly fingerprint: string },
): Promise<Recoverable | null> {
  const row = await tables
    .selectFrom('tenants')
    .innerJoin('issuers', 'issuers.tenant_id', 'tenants.id')
    .innerJoin('issuer_certificates as certificate', 'certificate.issuer_id', 'issuers.id')
    .select(['tenants.id as tenant_id', 'issuers.id as issuer_id'])
    .where('tenants.email_key', '=', emailKey(email))
    .where('issuers.active', '=', 1)
    .where('certificate.fingerprint', '=', fingerprint)
    .orderBy('issuers.created_at')
    .orderBy('issuers.id')
    .limit(1)
    .executeTakeFirst();
  return row ? { tenantId: row.tenant_id, issuerId: row.issuer_id } : null;
}
