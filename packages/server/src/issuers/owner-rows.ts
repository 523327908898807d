import type { Language } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/** The account of an issuer, with the data for notifications. */
export interface IssuerOwner {
  readonly tenantId: string;
  readonly language: Language;
}

/** The account of that issuer, or null. */
export async function findOwner(tables: Tables, issuerId: string): Promise<IssuerOwner | null> {
  return (await findOwners(tables, new Set([issuerId]))).get(issuerId) ?? null;
}

/** The accounts of issuers, by issuer id. */
export async function findOwners(
  tables: Tables,
  issuerIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, IssuerOwner>> {
  const rows = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select(['issuers.id', 'issuers.tenant_id', 'tenants.language'])
    .where('issuers.id', 'in', [...issuerIds])
    .execute();
  return new Map(rows.map((row) => [row.id, { tenantId: row.tenant_id, language: row.language as Language }]));
}

/** The accounts of issuers, each once, in the order of their ids. */
export async function findTenantsOf(tables: Tables, issuerIds: readonly string[]): Promise<readonly string[]> {
  if (issuerIds.length === 0) return [];
  const rows = await tables
    .selectFrom('issuers')
    .select('tenant_id')
    .where('id', 'in', [...issuerIds])
    .groupBy('tenant_id')
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id);
}
