import { MONEY_SCALE, parseDecimal } from 'sri-core';
import type { BillingInterval } from '../billing/account.js';
import { type PublishedPrice, priceAt, publishedPriceAt, upcomingPrice } from '../billing/price-list.js';
import { withIva } from '../billing/pricing.js';
import { json } from '../http/answer.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { type Plans, TIERS, type Tier } from '../tenancy/plans.js';

/** `GET /v1/tiers`: what every tier allows and costs, for anybody. Prices are JSON numbers in dollars. */
export const getTiers = defineHandler({
  answer: async ({ exchange }: PublicCall) => {
    const { database, clock, billing } = exchange.services;
    const published = await database.read((tables) => billing.listPrices(tables));
    const list: PriceList = { plans: billing.plans, published, ivaRate: billing.ivaRate, now: clock.now() };
    return json(200, { ok: true, ivaRate: Number(list.ivaRate), tiers: TIERS.map((tier) => toTierBody(tier, list)) });
  },
});

// --- internal ---

interface PriceList {
  readonly plans: Plans;
  readonly published: readonly PublishedPrice[];
  readonly ivaRate: string;
  readonly now: Date;
}

function toTierBody(tier: Tier, list: PriceList) {
  const plan = list.plans[tier];
  const monthly = priceOf(tier, 'MONTHLY', list);
  const yearly = priceOf(tier, 'YEARLY', list);
  return {
    name: tier,
    documentQuota: plan.documentQuota,
    maxBranches: plan.maxBranches,
    maxIssuePointsPerBranch: plan.maxIssuePointsPerBranch,
    maxWebhookEndpoints: plan.maxWebhookEndpoints,
    maxApiKeys: plan.maxApiKeys,
    writeRateLimit: plan.writesPerMinute,
    readRateLimit: plan.readsPerMinute,
    allowedDocumentTypes: plan.documentTypes,
    billingIntervals: [...(monthly.base === null ? [] : ['MONTHLY']), ...(yearly.base === null ? [] : ['YEARLY'])],
    ivaRate: Number(list.ivaRate),
    priceMonthlyUsdBase: monthly.base,
    priceMonthlyUsdIva: monthly.iva,
    priceMonthlyUsd: monthly.total,
    priceYearlyUsdBase: yearly.base,
    priceYearlyUsdIva: yearly.iva,
    priceYearlyUsd: yearly.total,
    upcomingPriceMonthlyUsd: monthly.upcoming,
    monthlyPriceEffectiveAt: monthly.effectiveAt,
    upcomingPriceYearlyUsd: yearly.upcoming,
    yearlyPriceEffectiveAt: yearly.effectiveAt,
    overagePerDocumentUsd: null,
    tierPriceIds: { MONTHLY: monthly.id, YEARLY: yearly.id },
  };
}

/** A price now and the one to come, with IVA where not said otherwise; null where there is none. */
function priceOf(tier: Tier, interval: BillingInterval, { plans, published, ivaRate, now }: PriceList) {
  const current = sumsOf(priceAt(plans, published, { tier, interval, at: now }), ivaRate);
  const next = upcomingPrice(published, { tier, interval, now });
  return {
    ...current,
    upcoming: next && sumsOf(next.newPriceUsd, ivaRate).total,
    effectiveAt: next?.effectiveAt.toISOString() ?? null,
    id: publishedPriceAt(published, { tier, interval, at: now })?.id ?? null,
  };
}

function sumsOf(price: string | null, ivaRate: string) {
  if (price === null) return { base: null, iva: null, total: null };
  const { amount, ivaAmount, totalAmount } = withIva(parseDecimal(price, MONEY_SCALE), ivaRate);
  return { base: Number(amount), iva: Number(ivaAmount), total: Number(totalAmount) };
}
