import type { Language } from '../language.js';
import type { Tables } from './schema.js';

/** The account of an issuer, as far as telling it something needs it. */
export interface IssuerOwner {
  readonly tenantId: string;
  readonly language: Language;
}

/** Whose issuer that is; null when there is none of that id. */
export async function findOwner(tables: Tables, issuerId: string): Promise<IssuerOwner | null> {
  const row = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select(['tenants.id', 'tenants.language'])
    .where('issuers.id', '=', issuerId)
    .executeTakeFirst();
  return row ? { tenantId: row.id, language: row.language as Language } : null;
}
