import {
  type Clock,
  type Environment,
  ecuadorDate,
  IssuerNotFoundError,
  IssuerPausedError,
  type Language,
  type Occupancy,
} from 'sri-core';
import {
  type CurrentUsage,
  type Plans,
  type QuotaPeriod,
  quotaApplies,
  type Tenant,
  type Tier,
} from '../accounts/index.js';
import {
  type AddedDocuments,
  addDocuments,
  countDocuments,
  findIssuerOwners,
  type IssuerOwner,
  type NewCount,
} from '../documents/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { BillingInterval } from './account.js';
import { monthsOf, type PaidPeriods, periodAround } from './billing-period.js';
import { findActiveSubscription } from './rows.js';

/** Documents an account may create in a period. */
export function documentQuota(
  plans: Plans,
  tenant: Pick<Tenant, 'subscriptionTier'>,
  { months }: Pick<QuotaPeriod, 'months'> = { months: 1 },
): number {
  return plans[tenant.subscriptionTier].documentQuota * months;
}

/** The current usage of an account's quota. */
export async function currentUsage(tables: Tables, plans: Plans, tenant: Tenant, now: Date): Promise<CurrentUsage> {
  const subscription = await findActiveSubscription(tables, tenant.id);
  const period = quotaPeriod(subscription, now);
  const { environment } = tenant;
  return {
    documentCount: await countDocuments(tables, { tenantId: tenant.id, environment, period: period.name }),
    documentQuota: documentQuota(plans, tenant, period),
    period,
    extraSeats: subscription?.extraSeats ?? 0,
    pendingExtraSeats: subscription?.pendingExtraSeats ?? null,
  };
}

/** The owner and environment of stored documents. */
export interface CountedDocuments {
  readonly issuerId: string;
  readonly environment: Environment;
  readonly count: number;
}

/** The change of an account's usage by new documents. */
export interface QuotaUse {
  readonly tenantId: string;
  readonly language: Language;
  readonly environment: Environment;
  readonly before: number;
  readonly count: number;
  readonly quota: number;
  readonly period: QuotaPeriod;
}

/** Counts new documents of issuers. */
export interface DocumentCounter {
  /**
   * Counts new documents in the transaction that stores them. So the count is exact, and the last document of a
   * quota is given once. Checks each issuer again, because it may have been removed or paused during signing: a removed
   * issuer never has documents.
   *
   * @returns the used parts of quotas, without accounts that have no quota in force.
   * @throws IssuerNotFoundError, IssuerPausedError, Refusal QUOTA_EXCEEDED, each of which rolls the whole transaction
   *   back.
   */
  count(tables: Tables, counted: readonly CountedDocuments[]): Promise<readonly QuotaUse[]>;
  /** The issuers whose owner is cached. */
  occupancy(): Occupancy;
}

/** The rules for a quota. */
export interface QuotaRules {
  readonly clock: Clock;
  readonly plans: Plans;
  readonly enforcement: 'production' | 'all' | 'off';
}

/** Caches owners, and uses a cached owner while it is unchanged. */
export function createDocumentCounter(
  { clock, plans, enforcement }: QuotaRules,
  mostOwners = MOST_OWNERS,
): DocumentCounter {
  const owners = new Map<string, IssuerOwner>();

  /** @throws IssuerNotFoundError, IssuerPausedError */
  async function readOwners(tables: Tables, counted: readonly CountedDocuments[]) {
    const found = await findIssuerOwners(
      tables,
      counted.map(({ issuerId }) => issuerId),
    );
    for (const { issuerId } of counted) {
      const owner = found.get(issuerId);
      if (owner?.active !== 1) throw new IssuerNotFoundError('The issuer has been removed.');
      if (owner.can_issue !== 1) throw new IssuerPausedError('This issuer is paused.');
      remember(issuerId, owner);
    }
    return found;
  }

  function remember(issuerId: string, owner: IssuerOwner): void {
    owners.delete(issuerId);
    owners.set(issuerId, owner);
    const [oldest] = owners.keys();
    if (owners.size > mostOwners && oldest !== undefined) owners.delete(oldest);
  }

  /** @throws Refusal QUOTA_EXCEEDED */
  function toUse({ tenantId, environment, total }: NewCount, added: readonly Added[]): QuotaUse | null {
    const own = added.filter(({ owner, ...each }) => owner.id === tenantId && each.environment === environment);
    const [first] = own;
    if (!first || !quotaApplies(enforcement, environment)) return null;
    const { owner, quotaPeriod: period } = first;
    const quota = documentQuota(plans, { subscriptionTier: owner.subscription_tier as Tier }, period);
    if (total > quota) throw new Refusal('QUOTA_EXCEEDED', { params: { quota } });
    const count = own.reduce((sum, each) => sum + each.count, 0);
    const language = owner.language as Language;
    return { tenantId, language, environment, before: total - count, count: total, quota, period };
  }

  return {
    async count(tables, counted) {
      if (counted.length === 0) return [];
      const now = clock.now();
      let current: ReadonlyMap<string, IssuerOwner> = owners;
      for (;;) {
        const added = counted.flatMap((documents) => {
          const owner = current.get(documents.issuerId);
          return owner ? [toAdded(documents, owner, now)] : [];
        });
        const counts = added.length === counted.length ? await addDocuments(tables, added) : null;
        if (counts) return counts.flatMap((each) => toUse(each, added) ?? []);
        // An owner is unknown, or has changed since it was read.
        current = await readOwners(tables, counted);
      }
    },
    occupancy: () => ({ used: owners.size, limit: mostOwners }),
  };
}

// --- internal ---

type QuotaSubscription = PaidPeriods & { readonly currentPeriodEnd: Date };

/** The period that contains `now`: the period of the active subscription, or the calendar month without one. */
function quotaPeriod(subscription: QuotaSubscription | null, now: Date): QuotaPeriod {
  if (subscription) {
    const { start, end } = periodAround(subscription, now);
    // A year that is not paid yet has the documents of a month.
    const months = start < subscription.currentPeriodEnd ? monthsOf(subscription.billingInterval) : 1;
    // The name has milliseconds, so that a period that restarts within a day has its own count.
    return { start, end, name: start.toISOString(), months };
  }
  const name = calendarMonth(now);
  // The 33rd day counted from the first of a month is in the next one.
  const next = calendarMonth(new Date(startOfDay(name).getTime() + 32 * DAY_MS));
  return { start: startOfDay(name), end: startOfDay(next), name, months: 1 };
}

interface Added extends AddedDocuments {
  readonly quotaPeriod: QuotaPeriod;
}

function toAdded(documents: CountedDocuments, owner: IssuerOwner, now: Date): Added {
  const period = quotaPeriod(toPaidPeriods(owner), now);
  return { ...documents, owner, quotaPeriod: period, period: period.name };
}

/** Some 300 B each. */
const MOST_OWNERS = 1_000;

function toPaidPeriods({
  anchor,
  current_period_start: start,
  current_period_end: end,
  billing_interval: interval,
}: IssuerOwner): QuotaSubscription | null {
  if (anchor === null || start === null || end === null || interval === null) return null;
  const billingInterval = interval as BillingInterval;
  return {
    anchor: new Date(anchor),
    currentPeriodStart: new Date(start),
    currentPeriodEnd: new Date(end),
    billingInterval,
  };
}

/** The first day of the calendar month in Ecuador. */
function calendarMonth(now: Date): string {
  return `${ecuadorDate(now).slice(0, 7)}-01`;
}

const DAY_MS = 24 * 60 * 60_000;

/** Midnight in Ecuador, which has no summer time. */
function startOfDay(date: string): Date {
  return new Date(`${date}T00:00:00-05:00`);
}
