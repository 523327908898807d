import { DOCUMENT_TYPES, MONEY_SCALE, parseDecimal } from 'sri-core';
import { type OfferedTier, type Plans, TIERS } from '../accounts/index.js';
import { json } from '../platform/http/answer.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import {
  decimal,
  listOf,
  named,
  okBody,
  oneOf,
  orNull,
  part,
  type Shown,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import { BILLING_INTERVALS, type BillingInterval } from './account.js';
import { type PublishedPrice, priceAt, publishedPriceAt, upcomingPrice } from './price-list.js';
import { toFraction, withIva } from './pricing.js';

const price = (about: string, example: number) =>
  orNull(decimal(`${about} In dollars; null where it is not offered.`, example));
const most = (about: string) => orNull(whole(`${about} Null for any number.`, 3));

const ivaRateSchema = decimal('IVA as a fraction of the price.', 0.15);

const tierSchema = named('Tier', 'What a plan allows and costs.', {
  name: oneOf(TIERS, 'The plan.', 'STARTER'),
  documentQuota: whole('Documents in a period.', 200),
  maxBranches: most('Branches.'),
  maxIssuePointsPerBranch: most('Issue points of a branch.'),
  maxWebhookEndpoints: whole('Webhooks.', 2),
  maxApiKeys: whole('Keys.', 5),
  writeRateLimit: whole('Writes of a key in a minute.', 60),
  readRateLimit: whole('Reads of a key in a minute.', 300),
  allowedDocumentTypes: listOf(oneOf(DOCUMENT_TYPES, 'A type.'), 'Document types.'),
  billingIntervals: listOf(oneOf(BILLING_INTERVALS, 'An interval.'), 'How it can be paid.'),
  ivaRate: ivaRateSchema,
  priceMonthlyUsdBase: price('A month before IVA.', 20),
  priceMonthlyUsdIva: price('The IVA of a month.', 3),
  priceMonthlyUsd: price('A month with IVA.', 23),
  priceYearlyUsdBase: price('A year before IVA.', 200),
  priceYearlyUsdIva: price('The IVA of a year.', 30),
  priceYearlyUsd: price('A year with IVA.', 230),
  upcomingPriceMonthlyUsd: price('A month with IVA, once the announced price holds.', 25.3),
  monthlyPriceEffectiveAt: orNull(timestamp('From when it holds.')),
  upcomingPriceYearlyUsd: price('A year with IVA, once the announced price holds.', 253),
  yearlyPriceEffectiveAt: orNull(timestamp('From when it holds.')),
  overagePerDocumentUsd: price('A document beyond the quota.', 0.1),
  tierPriceIds: part('Ids of published prices.', {
    MONTHLY: orNull(uuid('Of a month.')),
    YEARLY: orNull(uuid('Of a year.')),
  }),
});

/** `GET /v1/tiers`: limits and prices of every tier, public. Prices are JSON numbers in dollars. */
export const getTiers = routeHandler({
  operation: {
    id: 'listTiers',
    summary: 'Lists the plans with what they allow and cost.',
    answers: { 200: okBody({ ivaRate: ivaRateSchema, tiers: listOf(tierSchema, 'The plans.') }) },
  },
  answer: async ({ exchange }: PublicCall) => {
    const { database, clock, billing } = exchange.services;
    const published = await database.read((tables) => billing.listPrices(tables));
    const list: PriceList = { plans: billing.plans, published, ivaRate: billing.ivaRate, now: clock.now() };
    return json(200, {
      ok: true,
      ivaRate: Number(toFraction(list.ivaRate)),
      tiers: TIERS.map((tier) => toTierBody(tier, list)),
    });
  },
});

// --- internal ---

interface PriceList {
  readonly plans: Plans;
  readonly published: readonly PublishedPrice[];
  readonly ivaRate: string;
  readonly now: Date;
}

function toTierBody(tier: OfferedTier, list: PriceList): Shown<typeof tierSchema> {
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
    billingIntervals: BILLING_INTERVALS.filter((name) => (name === 'MONTHLY' ? monthly : yearly).base !== null),
    ivaRate: Number(toFraction(list.ivaRate)),
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

/** The current and the future price, with IVA unless stated otherwise; null without a price. */
function priceOf(tier: OfferedTier, interval: BillingInterval, { plans, published, ivaRate, now }: PriceList) {
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
