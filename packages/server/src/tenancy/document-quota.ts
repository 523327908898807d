import { type Clock, type Environment, ecuadorDate } from 'sri-core';
import { Refusal } from '../errors.js';
import { addDocuments, countDocuments } from '../store/document-usage.js';
import type { Tables } from '../store/schema.js';
import { PLAN_LIMITS, quotaApplies, type Tier } from './plans.js';
import type { Tenant } from './tenant.js';

/** Documents an account may create in the period that holds `now`. */
export function documentQuota(tenant: Pick<Tenant, 'subscriptionTier'>): number {
  return PLAN_LIMITS[tenant.subscriptionTier].documentQuota;
}

/** Documents an account has created in its environment and current period. */
export function currentDocumentCount(tables: Tables, tenant: Tenant, now: Date): Promise<number> {
  return countDocuments(tables, { tenantId: tenant.id, environment: tenant.environment, period: periodOf(now) });
}

/** The period that holds `now`: its first instant, and the first of the next. */
export function quotaPeriod(now: Date): { readonly start: Date; readonly end: Date } {
  const first = periodOf(now);
  // The 33rd day counted from the first of a month is in the next one.
  const next = periodOf(new Date(startOfDay(first).getTime() + 32 * DAY_MS));
  return { start: startOfDay(first), end: startOfDay(next) };
}

/** Documents as they are stored: whose, and in which world. */
export interface CountedDocuments {
  readonly issuerId: string;
  readonly environment: Environment;
  readonly count: number;
}

/**
 * Counts new documents in the transaction that stores them, so that the count is exact and the last one of a quota is
 * given once.
 *
 * @throws Refusal QUOTA_EXCEEDED, which undoes the whole transaction.
 */
export async function countNewDocuments(
  tables: Tables,
  { issuerId, environment, count }: CountedDocuments,
  rules: { readonly clock: Clock; readonly enforcement: 'production' | 'all' | 'off' },
): Promise<void> {
  const owner = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select(['tenants.id', 'tenants.subscription_tier'])
    .where('issuers.id', '=', issuerId)
    .executeTakeFirst();
  if (!owner) return;
  const quota = documentQuota({ subscriptionTier: owner.subscription_tier as Tier });
  const period = periodOf(rules.clock.now());
  const total = await addDocuments(tables, { tenantId: owner.id, environment, period }, count);
  if (quotaApplies(rules.enforcement, environment) && total > quota) {
    throw new Refusal('QUOTA_EXCEEDED', { params: { quota } });
  }
}

// --- internal ---

/** The first day of the calendar month in Ecuador. */
function periodOf(now: Date): string {
  return `${ecuadorDate(now).slice(0, 7)}-01`;
}

const DAY_MS = 24 * 60 * 60_000;

/** Midnight in Ecuador, which has no summer time. */
function startOfDay(date: string): Date {
  return new Date(`${date}T00:00:00-05:00`);
}
