import { MONEY_SCALE, parseDecimal } from 'sri-core';
import type { OfferedTier, Plans } from '../accounts/index.js';
import type { BillingInterval } from './account.js';
import type { Prices } from './pricing.js';

/** A published price with the moment it takes effect. */
export interface PublishedPrice {
  readonly id: string;
  readonly tier: OfferedTier;
  readonly billingInterval: BillingInterval;
  /** The price it replaces. Before IVA, exact decimal text with two decimals, like the new one. */
  readonly previousPriceUsd: string;
  readonly newPriceUsd: string;
  readonly effectiveAt: Date;
  readonly publishedAt: Date;
  /** Null unless the operator has withdrawn it; then it never takes effect. */
  readonly withdrawnAt: Date | null;
}

/**
 * The prices of the plans. A published price replaces the configured one when it takes effect; of two with the same
 * moment the last published wins.
 */
export function createPrices(plans: Plans, published: readonly PublishedPrice[]): Prices {
  return {
    tier(tier, interval, at) {
      const price = priceAt(plans, published, { tier, interval, at });
      // FREE is never sold.
      return price === null || tier === 'FREE' ? null : parseDecimal(price, MONEY_SCALE);
    },
    seat(tier, interval) {
      const { extraSeatMonthlyUsd, extraSeatYearlyUsd } = plans[tier];
      const price = interval === 'YEARLY' ? extraSeatYearlyUsd : extraSeatMonthlyUsd;
      return price === null ? null : parseDecimal(price, MONEY_SCALE);
    },
  };
}

/** A plan and its interval. */
export interface PricedPlan {
  readonly tier: OfferedTier;
  readonly interval: BillingInterval;
}

/** The price of a plan at a moment, before IVA, as exact decimal text; null if it is not offered. */
export function priceAt(
  plans: Plans,
  published: readonly PublishedPrice[],
  { at, ...plan }: PricedPlan & { readonly at: Date },
): string | null {
  const { yearlyPriceUsd, monthlyPriceUsd } = plans[plan.tier];
  const builtIn = plan.interval === 'YEARLY' ? yearlyPriceUsd : monthlyPriceUsd;
  // A published price sells no plan that the configuration has withdrawn.
  return builtIn && (publishedPriceAt(published, { at, ...plan })?.newPriceUsd ?? builtIn);
}

/** The published price in effect at a moment; null while the configured price applies. */
export function publishedPriceAt(
  published: readonly PublishedPrice[],
  { at, ...plan }: PricedPlan & { readonly at: Date },
): PublishedPrice | null {
  return inOrder(published, plan).findLast(({ effectiveAt }) => effectiveAt <= at) ?? null;
}

/** The published price that takes effect next, or null. */
export function upcomingPrice(
  published: readonly PublishedPrice[],
  { now, ...plan }: PricedPlan & { readonly now: Date },
): PublishedPrice | null {
  const next = inOrder(published, plan).find(({ effectiveAt }) => effectiveAt > now);
  return next ? publishedPriceAt(published, { at: next.effectiveAt, ...plan }) : null;
}

// --- internal ---

function inOrder(published: readonly PublishedPrice[], { tier, interval }: PricedPlan): PublishedPrice[] {
  return published
    .filter((price) => price.tier === tier && price.billingInterval === interval && price.withdrawnAt === null)
    .toSorted(
      (a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime() || a.publishedAt.getTime() - b.publishedAt.getTime(),
    );
}
