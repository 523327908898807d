import { beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../testing/billing-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';

describeOnDatabases('the list of tiers', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  async function tiers(of = server) {
    const answer = await of.request('/v1/tiers');
    expect(answer.status).toBe(200);
    return (await answer.json()) as { ivaRate: number; tiers: readonly Readonly<Record<string, unknown>>[] };
  }

  it('[R381] the list of tiers is public, with limits and prices as numbers', async () => {
    const answer = await tiers();
    expect(answer).toMatchObject({ ok: true, ivaRate: 0.15 });
    expect(answer.tiers.map(({ name }) => name)).toEqual(['FREE', 'STARTER', 'GROWTH', 'BUSINESS']);
    expect(answer.tiers.map(({ maxWebhookEndpoints }) => maxWebhookEndpoints)).toEqual([1, 2, 5, 10]);
    expect(answer.tiers[0]).toMatchObject({
      billingIntervals: ['MONTHLY'],
      priceMonthlyUsd: 0,
      priceYearlyUsd: null,
      priceYearlyUsdBase: null,
    });
    expect(answer.tiers.map(({ allowedDocumentTypes }) => allowedDocumentTypes)).toEqual([
      ['01'],
      ['01'],
      ['01', '04', '05', '07'],
      ['01', '03', '04', '05', '06', '07'],
    ]);
    expect(answer.tiers[2]).toEqual({
      name: 'GROWTH',
      documentQuota: 1000,
      maxBranches: null,
      maxIssuePointsPerBranch: null,
      maxWebhookEndpoints: 5,
      maxApiKeys: 10,
      writeRateLimit: 120,
      readRateLimit: 600,
      allowedDocumentTypes: ['01', '04', '05', '07'],
      billingIntervals: ['MONTHLY', 'YEARLY'],
      ivaRate: 0.15,
      priceMonthlyUsdBase: 90,
      priceMonthlyUsdIva: 13.5,
      priceMonthlyUsd: 103.5,
      priceYearlyUsdBase: 900,
      priceYearlyUsdIva: 135,
      priceYearlyUsd: 1035,
      upcomingPriceMonthlyUsd: null,
      monthlyPriceEffectiveAt: null,
      upcomingPriceYearlyUsd: null,
      yearlyPriceEffectiveAt: null,
      overagePerDocumentUsd: null,
      tierPriceIds: { MONTHLY: null, YEARLY: null },
    });
  });

  it('the list of tiers shows a future price, and applies it on its day', async () => {
    const own = await open({ settings: { IVA_RATE: '12.5' } });
    const now = own.clock.now();
    const effectiveAt = new Date(now.getTime() + 31 * DAY_MS);
    const id = own.services.billing.newId(now);
    await own.services.database.transaction((tables) =>
      tables
        .insertInto('published_prices')
        .values({
          id,
          tier: 'STARTER',
          billing_interval: 'YEARLY',
          previous_price_usd: '200.00',
          new_price_usd: '240.00',
          effective_at: effectiveAt.getTime(),
          published_at: now.getTime(),
        })
        .execute(),
    );
    expect((await tiers(own)).tiers[1]).toMatchObject({
      priceYearlyUsd: 225,
      upcomingPriceYearlyUsd: 270,
      yearlyPriceEffectiveAt: effectiveAt.toISOString(),
      upcomingPriceMonthlyUsd: null,
    });
    await own.clock.advance(31 * DAY_MS);
    expect((await tiers(own)).tiers[1]).toMatchObject({
      priceYearlyUsd: 270,
      upcomingPriceYearlyUsd: null,
      yearlyPriceEffectiveAt: null,
      tierPriceIds: { MONTHLY: null, YEARLY: id },
    });
  });
});
