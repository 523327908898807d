import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Environment, Language } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';
import type { Tier } from './plans.js';
import type { TenantsTable } from './tables.js';
import type { SuspensionReason, Tenant, TenantStatus } from './tenant.js';

/** The form in which addresses are compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether there is any account. */
export async function hasAccounts(tables: Tables): Promise<boolean> {
  return (await tables.selectFrom('tenants').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Stores a new account. @returns the name that is taken already; null when the account was stored. */
export async function insertTenant(tables: Tables, tenant: Tenant): Promise<'email' | 'ruc' | null> {
  const at = tenant.createdAt.getTime();
  const stored = await tables
    .insertInto('tenants')
    .values({
      id: tenant.id,
      email: tenant.email,
      email_key: emailKey(tenant.email),
      ruc: tenant.ruc,
      subscription_tier: tenant.subscriptionTier,
      status: tenant.status,
      status_before_suspension: null,
      suspension_reason: null,
      environment: tenant.environment,
      language: tenant.language,
      verification_redirect_url: tenant.verificationRedirectUrl,
      agreement_accepted_at: null,
      agreement_version: null,
      created_at: at,
      updated_at: at,
      recovered_at: null,
    })
    // The second of two identical registrations waits here for the first, and then finds its rows.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored ? null : findTaken(tables, tenant);
}

/** The name that belongs to another account already; null when both are free. */
export async function findTaken(
  tables: Tables,
  names: { readonly email: string; readonly ruc: string },
): Promise<'email' | 'ruc' | null> {
  const key = emailKey(names.email);
  const rows = await tables
    .selectFrom('tenants')
    .select(['email_key'])
    .where((where) => where.or([where('email_key', '=', key), where('ruc', '=', names.ruc)]))
    .execute();
  if (rows.length === 0) return null;
  return rows.some((row) => row.email_key === key) ? 'email' : 'ruc';
}

/** The account of that address, or null. */
export async function findTenantByEmail(tables: Tables, email: string): Promise<Tenant | null> {
  const row = await tables
    .selectFrom('tenants')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  return row ? toTenant(row) : null;
}

/** The account of that id, or null. */
export async function findTenant(tables: Tables, tenantId: string): Promise<Tenant | null> {
  const row = await tables.selectFrom('tenants').selectAll().where('id', '=', tenantId).executeTakeFirst();
  return row ? toTenant(row) : null;
}

/**
 * The account as it stands now, or null. Locks it until the transaction ends, so that decisions based on counts stay
 * valid.
 */
export async function lockTenant(tables: Tables, tenantId: string): Promise<Tenant | null> {
  const row = await tables
    .updateTable('tenants')
    .set((set) => ({ updated_at: set.ref('updated_at') }))
    .where('id', '=', tenantId)
    .returningAll()
    .executeTakeFirst();
  return row ? toTenant(row) : null;
}

/** Changes the language of an account. Its copies of agreements that were not accepted follow. */
export async function setTenantLanguage(
  tables: Tables,
  tenantId: string,
  { language, now }: { readonly language: Language; readonly now: Date },
): Promise<void> {
  await updateTenant(tables, tenantId, { language, agreements_due: 1 }, now);
}

/** Changes the target of the links in an account's verification mails; null for the server's own route. */
export async function setVerificationRedirect(
  tables: Tables,
  tenantId: string,
  { url, now }: { readonly url: string | null; readonly now: Date },
): Promise<void> {
  await updateTenant(tables, tenantId, { verification_redirect_url: url }, now);
}

/** Stores that an account has accepted the agreements, with the version of the terms. */
export async function noteAgreementAcceptance(
  tables: Tables,
  tenantId: string,
  { at, termsVersion }: { readonly at: Date; readonly termsVersion: string },
): Promise<void> {
  await updateTenant(tables, tenantId, { agreement_accepted_at: at.getTime(), agreement_version: termsVersion }, at);
}

/** Moves an account to production. */
export async function moveTenantToProduction(tables: Tables, tenantId: string, now: Date): Promise<void> {
  await updateTenant(tables, tenantId, { environment: 'production' }, now);
}

/** Whether the accounts of issuers are suspended, by issuer. */
export async function areOwnersSuspended(
  tables: Tables,
  issuerIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select(['issuers.id', 'tenants.status'])
    .where('issuers.id', 'in', issuerIds)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status === 'SUSPENDED']));
}

/** Accounts that were released: the account's id follows their RUC, which another registration may have. */
export const IS_RELEASED = sql<SqlBool>`ruc like '% %'`;

/** Whether an account was released: its address and its RUC belong to another registration. */
export async function isReleased(tables: Tables, tenantId: string): Promise<boolean> {
  const named = tables.selectFrom('tenants').select('id').where('id', '=', tenantId).where(IS_RELEASED);
  return (await named.executeTakeFirst()) !== undefined;
}

/** Columns that `toTenant` reads. Frequent statements name them, so that they can be prepared. */
export const TENANT_COLUMNS = [
  'tenants.id',
  'tenants.email',
  'tenants.ruc',
  'tenants.subscription_tier',
  'tenants.status',
  'tenants.suspension_reason',
  'tenants.environment',
  'tenants.language',
  'tenants.verification_redirect_url',
  'tenants.agreement_accepted_at',
  'tenants.agreement_version',
  'tenants.created_at',
  'tenants.recovered_at',
] as const;

type TenantRow = Pick<
  Selectable<TenantsTable>,
  (typeof TENANT_COLUMNS)[number] extends `tenants.${infer Column extends keyof TenantsTable}` ? Column : never
>;

/** A row as an account. */
export function toTenant(row: TenantRow): Tenant {
  return {
    id: row.id,
    email: row.email,
    // The RUC of a released account is followed by the account's id.
    ruc: row.ruc.slice(0, 13),
    subscriptionTier: row.subscription_tier as Tier,
    status: row.status as TenantStatus,
    suspensionReason: row.suspension_reason as SuspensionReason | null,
    environment: row.environment as Environment,
    language: row.language as Language,
    verificationRedirectUrl: row.verification_redirect_url,
    agreementAcceptedAt: row.agreement_accepted_at === null ? null : new Date(row.agreement_accepted_at),
    agreementVersion: row.agreement_version,
    createdAt: new Date(row.created_at),
    recoveredAt: row.recovered_at === null ? null : new Date(row.recovered_at),
  };
}

// --- internal ---

async function updateTenant(
  tables: Tables,
  tenantId: string,
  values: Updateable<TenantsTable>,
  now: Date,
): Promise<void> {
  await tables
    .updateTable('tenants')
    .set({ ...values, updated_at: now.getTime() })
    .where('id', '=', tenantId)
    .execute();
}
