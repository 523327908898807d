import { MONEY_SCALE, parseDecimal } from 'sri-core';
import type { OfferedTier, Plans } from '../accounts/index.js';
import type { BillingInterval } from './account.js';
import type { Prices } from './pricing.js';

/** A price that was published, which holds from a moment on. */
export interface PublishedPrice {
  readonly id: string;
  readonly tier: OfferedTier;
  readonly billingInterval: BillingInterval;
  /** What it takes the place of. Before IVA, exact decimal text with two decimals, as the new one. */
  readonly previousPriceUsd: string;
  readonly newPriceUsd: string;
  readonly effectiveAt: Date;
  readonly publishedAt: Date;
}

/**
 * The prices of the plans as they were set, each until a published one takes its place. Of two that hold from the same
 * moment on it is the one published last.
 */
export function createPrices(plans: Plans, published: readonly PublishedPrice[]): Prices {
  return {
    tier(tier, interval, at) {
      const price = priceAt(plans, published, { tier, interval, at });
      // FREE is given, not sold.
      return price === null || tier === 'FREE' ? null : parseDecimal(price, MONEY_SCALE);
    },
    seat(tier, interval) {
      const { extraSeatMonthlyUsd, extraSeatYearlyUsd } = plans[tier];
      const price = interval === 'YEARLY' ? extraSeatYearlyUsd : extraSeatMonthlyUsd;
      return price === null ? null : parseDecimal(price, MONEY_SCALE);
    },
  };
}

/** A plan with how often it is paid. */
export interface PricedPlan {
  readonly tier: OfferedTier;
  readonly interval: BillingInterval;
}

/** What a plan costs at a moment, before IVA, as exact decimal text; null where it is not offered so. */
export function priceAt(
  plans: Plans,
  published: readonly PublishedPrice[],
  { at, ...plan }: PricedPlan & { readonly at: Date },
): string | null {
  const { yearlyPriceUsd, monthlyPriceUsd } = plans[plan.tier];
  const builtIn = plan.interval === 'YEARLY' ? yearlyPriceUsd : monthlyPriceUsd;
  return publishedPriceAt(published, { at, ...plan })?.newPriceUsd ?? builtIn;
}

/** The published price that holds at a moment; null where the plan's own still does. */
export function publishedPriceAt(
  published: readonly PublishedPrice[],
  { at, ...plan }: PricedPlan & { readonly at: Date },
): PublishedPrice | null {
  return inOrder(published, plan).findLast(({ effectiveAt }) => effectiveAt <= at) ?? null;
}

/** The published price that takes effect next; null when none is to come. */
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
    .filter((price) => price.tier === tier && price.billingInterval === interval)
    .toSorted(
      (a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime() || a.publishedAt.getTime() - b.publishedAt.getTime(),
    );
}
