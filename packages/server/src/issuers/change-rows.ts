import type { DocumentType, Issuer } from 'sri-core';
import { lockTenant, type Tenant, type TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { IssuerRecord } from './issuer-record.js';
import type { IssuersTable } from './tables.js';

/** The changeable data of an issuer; omitted fields stay. */
export type IssuerChanges = Partial<Omit<Issuer, 'ruc' | 'branchCode' | 'issuePointCode'>> & {
  readonly canIssue?: boolean;
};

/**
 * Locks the issuers of the account until the transaction ends, so that decisions based on counting or comparing them
 * stay valid.
 *
 * @returns the account as it is now. The request may have read it before a promotion or a change of its plan.
 */
export async function lockIssuers(tables: Tables, context: TenantContext): Promise<Tenant> {
  return (await lockTenant(tables, context.tenant.id)) ?? context.tenant;
}

/** Changes the data of an issuer's documents, and whether it may issue. */
export async function updateIssuer(
  tables: Tables,
  context: TenantContext,
  { id, changes, now }: { readonly id: string; readonly changes: IssuerChanges; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('issuers')
    .set({ ...toColumns(changes), updated_at: now.getTime() })
    .where('id', '=', id)
    .where('tenant_id', '=', context.tenant.id)
    .execute();
}

/** Removes an issuer, or reactivates it. Its data stays. */
export async function setIssuerActive(
  tables: Tables,
  context: TenantContext,
  { id, active, now }: { readonly id: string; readonly active: boolean; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('issuers')
    .set({ active: active ? 1 : 0, updated_at: now.getTime() })
    .where('id', '=', id)
    .where('tenant_id', '=', context.tenant.id)
    .execute();
}

/** Stores or removes the logo of an issuer of the account. */
export async function replaceLogo(
  tables: Tables,
  { id, tenantId }: IssuerRecord,
  { logo, now }: { readonly logo: { readonly image: string; readonly hash: string } | null; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('issuers')
    .set({ logo_hash: logo?.hash ?? null, updated_at: now.getTime() })
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .execute();
  await tables.deleteFrom('issuer_logos').where('issuer_id', '=', id).execute();
  if (logo) await tables.insertInto('issuer_logos').values({ issuer_id: id, image: logo.image }).execute();
}

/** Enables or disables a document type of an issuer. Its first number stays stored. */
export async function setDocumentTypeActive(
  tables: Tables,
  issuer: IssuerRecord,
  { documentType, active }: { readonly documentType: DocumentType; readonly active: boolean },
): Promise<void> {
  const flag = active ? 1 : 0;
  await tables
    .insertInto('issuer_document_types')
    .values({ issuer_id: issuer.id, document_type: documentType, active: flag, initial_sequential: null })
    .onConflict((conflict) => conflict.columns(['issuer_id', 'document_type']).doUpdateSet({ active: flag }))
    .execute();
}

/** Whether an issuer has a document, in either environment. */
export async function hasDocuments(tables: Tables, issuer: IssuerRecord): Promise<boolean> {
  const row = await tables
    .selectFrom('sri_documents')
    .select('issuer_id')
    .where('issuer_id', '=', issuer.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

// --- internal ---

const COLUMNS: Readonly<Record<keyof IssuerChanges, keyof IssuersTable>> = {
  businessName: 'business_name',
  tradeName: 'trade_name',
  mainAddress: 'main_address',
  branchAddress: 'branch_address',
  requiredAccounting: 'required_accounting',
  specialTaxpayer: 'special_taxpayer',
  withholdingAgent: 'withholding_agent',
  rimpe: 'rimpe',
  canIssue: 'can_issue',
};

function toColumns(changes: IssuerChanges): Partial<IssuersTable> {
  const columns = Object.entries(COLUMNS).map(([name, column]) => {
    const value = changes[name as keyof IssuerChanges];
    return [column, typeof value === 'boolean' ? Number(value) : value] as const;
  });
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined));
}
