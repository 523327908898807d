import type { Selectable } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';
import { findTenant, type Tenant, toTenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { PublishedPrice } from './price-list.js';
import type { PublishedPricesTable } from './tables.js';

/** Locks the published prices until the transaction ends, so that decisions based on them stay valid. */
export async function lockPublishedPrices(tables: Tables, traits: DialectTraits): Promise<void> {
  for (const statement of traits.lockWrites('published_prices')) await statement.execute(tables);
}

/** Stores a published price. */
export async function insertPublishedPrice(tables: Tables, price: PublishedPrice): Promise<void> {
  await tables
    .insertInto('published_prices')
    .values({
      id: price.id,
      tier: price.tier,
      billing_interval: price.billingInterval,
      previous_price_usd: price.previousPriceUsd,
      new_price_usd: price.newPriceUsd,
      effective_at: price.effectiveAt.getTime(),
      published_at: price.publishedAt.getTime(),
      withdrawn_at: null,
    })
    .execute();
}

/** Marks a price as withdrawn. */
export async function noteWithdrawal(
  tables: Tables,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await tables.updateTable('published_prices').set({ withdrawn_at: now.getTime() }).where('id', '=', id).execute();
}

/** Every published price, also a withdrawn one, in the order in which they take effect. */
export async function listPublishedPrices(tables: Tables): Promise<readonly PublishedPrice[]> {
  const rows = await tables.selectFrom('published_prices').selectAll().orderBy('effective_at').orderBy('id').execute();
  return rows.map(toPrice);
}

/** Active accounts not yet notified of a price, at most `limit`. */
export async function listUnnotifiedTenants(
  tables: Tables,
  priceId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('tenants')
    .leftJoin('price_announcements', (join) =>
      join.onRef('price_announcements.tenant_id', '=', 'tenants.id').on('price_announcements.price_id', '=', priceId),
    )
    .select('tenants.id')
    .where('tenants.status', '=', 'ACTIVE')
    .where('tenants.id', '>', after)
    .where('price_announcements.tenant_id', 'is', null)
    .orderBy('tenants.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Accounts notified of a price but not of its withdrawal, at most `limit`. Suspended ones are notified afterwards. */
export async function listUnnotifiedOfWithdrawal(
  tables: Tables,
  priceId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('price_announcements')
    .innerJoin('tenants', 'tenants.id', 'price_announcements.tenant_id')
    .select('tenant_id')
    .where('price_id', '=', priceId)
    .where('tenants.status', '<>', 'SUSPENDED')
    .where('tenant_id', '>', after)
    .where('withdrawal_notified_at', 'is', null)
    .orderBy('tenant_id')
    .limit(limit)
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Marks an account as notified of the withdrawal of a price, in the transaction of the notification.
 *
 * @returns the account; null when it was notified already.
 */
export async function noteWithdrawalNotified(
  tables: Tables,
  { priceId, tenantId, now }: Announcement,
): Promise<Tenant | null> {
  const { numUpdatedRows } = await tables
    .updateTable('price_announcements')
    .set({ withdrawal_notified_at: now.getTime() })
    .where('price_id', '=', priceId)
    .where('tenant_id', '=', tenantId)
    .where('withdrawal_notified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? null : findTenant(tables, tenantId);
}

/** A price of which an account is notified. */
export interface Announcement {
  readonly priceId: string;
  readonly tenantId: string;
  readonly now: Date;
}

/**
 * Marks an account as notified of a price, in the transaction of the notification.
 *
 * @returns the account; null when it was notified already or is no longer active.
 */
export async function noteAnnouncement(
  tables: Tables,
  { priceId, tenantId, now }: Announcement,
): Promise<Tenant | null> {
  const row = await tables
    .selectFrom('tenants')
    .selectAll()
    .where('id', '=', tenantId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  if (!row) return null;
  const noted = await tables
    .insertInto('price_announcements')
    .values({ price_id: priceId, tenant_id: tenantId, announced_at: now.getTime(), withdrawal_notified_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('tenant_id')
    .executeTakeFirst();
  return noted ? toTenant(row) : null;
}

/** The number of accounts notified of each price. */
export async function countAnnouncements(tables: Tables): Promise<ReadonlyMap<string, number>> {
  const rows = await tables
    .selectFrom('price_announcements')
    .select((expression) => ['price_id', expression.fn.countAll<number | string>().as('announced')])
    .groupBy('price_id')
    .execute();
  return new Map(rows.map(({ price_id, announced }) => [price_id, Number(announced)]));
}

// --- internal ---

function toPrice(row: Selectable<PublishedPricesTable>): PublishedPrice {
  return {
    id: row.id,
    tier: row.tier as PublishedPrice['tier'],
    billingInterval: row.billing_interval as PublishedPrice['billingInterval'],
    previousPriceUsd: row.previous_price_usd,
    newPriceUsd: row.new_price_usd,
    effectiveAt: new Date(row.effective_at),
    publishedAt: new Date(row.published_at),
    withdrawnAt: row.withdrawn_at === null ? null : new Date(row.withdrawn_at),
  };
}
