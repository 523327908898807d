import { sql } from 'kysely';
import { IS_RELEASED, type Tenant, type TenantStatus, type Tier, toTenant } from '../accounts/index.js';
import { readPage, type WantedPage } from '../platform/database/page.js';
import type { Tables } from '../platform/database/tables.js';

// The operator sees every account, so no query here is scoped by account.

/** The filter of accounts; null for any. */
export interface TenantFilter extends WantedPage {
  readonly status: TenantStatus | null;
  readonly tier: Tier | null;
  /** Part of a RUC. */
  readonly ruc: string | null;
  /** Part of an address, case-insensitive. */
  readonly email: string | null;
}

/** An account with the name of its first issuer, or null. */
export interface ListedTenant extends Tenant {
  readonly businessName: string | null;
}

/** One page of accounts, newest first, and the total. */
export async function listTenants(
  tables: Tables,
  { status, tier, ruc, email, ...wanted }: TenantFilter,
): Promise<{ readonly tenants: readonly ListedTenant[]; readonly total: number }> {
  let query = tables.selectFrom('tenants');
  if (status !== null) query = query.where('status', '=', status);
  if (tier !== null) query = query.where('subscription_tier', '=', tier);
  // The RUC and the compared form of the address of a released account are followed by the account's id.
  if (ruc !== null) query = query.where(sql<boolean>`substr(ruc, 1, 13) like ${containing(ruc)} escape '!'`);
  if (email !== null)
    query = query.where(sql<boolean>`lower(email) like ${containing(email.toLowerCase())} escape '!'`);
  const ordered = query
    .selectAll()
    .select((expression) =>
      expression
        .selectFrom('issuers')
        .select('business_name')
        .whereRef('issuers.tenant_id', '=', 'tenants.id')
        .orderBy('issuers.created_at')
        .orderBy('issuers.id')
        .limit(1)
        .as('business_name'),
    )
    // Ids are in the order of creation. An order without an index would read and sort every account.
    .orderBy('id', 'desc');
  const { rows, total } = await readPage(ordered, wanted);
  const tenants = rows.map((row) => ({ ...toTenant(row), businessName: row.business_name }));
  return { tenants, total };
}

/** Accounts in the sandbox that were not released: at most two. */
export async function listSandboxTenants(tables: Tables): Promise<readonly Tenant[]> {
  const query = tables.selectFrom('tenants').selectAll().where('environment', '=', 'sandbox');
  const rows = await query
    .where(({ not }) => not(IS_RELEASED))
    .limit(2)
    .execute();
  return rows.map(toTenant);
}

/** Sets the tier of an account. */
export async function setTenantTier(
  tables: Tables,
  tenantId: string,
  { tier, now }: { readonly tier: Tier; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('tenants')
    .set({ subscription_tier: tier, updated_at: now.getTime() })
    .where('id', '=', tenantId)
    .execute();
}

/** The ids of accounts on another plan. */
export async function listTenantsNotOn(tables: Tables, tier: Tier): Promise<readonly string[]> {
  const rows = await tables.selectFrom('tenants').select('id').where('subscription_tier', '<>', tier).execute();
  return rows.map((row) => row.id);
}

/** Whether an active subscription determines the tier of an account. */
export async function hasActiveSubscription(tables: Tables, tenantId: string): Promise<boolean> {
  const row = await tables
    .selectFrom('subscriptions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  return row !== undefined;
}

// --- internal ---

/** A pattern for values that contain the text; its own wildcards are escaped. */
function containing(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
