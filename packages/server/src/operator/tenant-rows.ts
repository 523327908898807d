import { sql } from 'kysely';
import { type Tenant, type TenantStatus, type Tier, toTenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';

// What the operator does concerns every account, so nothing here is scoped by one.

/** Which accounts are wanted; null for any. */
export interface TenantFilter {
  readonly status: TenantStatus | null;
  readonly tier: Tier | null;
  /** Part of a RUC. */
  readonly ruc: string | null;
  /** Part of an address, whatever its case. */
  readonly email: string | null;
  readonly page: number;
  readonly limit: number;
}

/** An account with the name of its first issuer; null when it has none. */
export interface ListedTenant extends Tenant {
  readonly businessName: string | null;
}

/** One page of the accounts, newest first, and how many there are in all. */
export async function listTenants(
  tables: Tables,
  { status, tier, ruc, email, page, limit }: TenantFilter,
): Promise<{ readonly tenants: readonly ListedTenant[]; readonly total: number }> {
  let query = tables.selectFrom('tenants');
  if (status !== null) query = query.where('status', '=', status);
  if (tier !== null) query = query.where('subscription_tier', '=', tier);
  if (ruc !== null) query = query.where(sql<boolean>`ruc like ${containing(ruc)} escape '\\'`);
  if (email !== null) query = query.where(sql<boolean>`email_key like ${containing(email.toLowerCase())} escape '\\'`);
  const { total } = await query
    .select((expression) => expression.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
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
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const tenants = rows.map((row) => ({ ...toTenant(row), businessName: row.business_name }));
  return { tenants, total: Number(total) };
}

/** Gives an account another tier. */
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

/** The accounts whose plan is another one, by their ids. */
export async function listTenantsNotOn(tables: Tables, tier: Tier): Promise<readonly string[]> {
  const rows = await tables.selectFrom('tenants').select('id').where('subscription_tier', '<>', tier).execute();
  return rows.map((row) => row.id);
}

/** Whether an active subscription says what the tier of an account is. */
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

/** A pattern for whatever contains the text, whose own marks mean nothing. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
