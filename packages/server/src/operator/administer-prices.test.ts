import { silentLogger } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLAN_LIMITS } from '../accounts/plans.js';
import { announcePrices } from '../billing/announce-prices.js';
import { createPrices, type PublishedPrice } from '../billing/price-list.js';
import type { PublishingDeps } from '../notifications/index.js';
import { ADMIN_SETTINGS, askAsOperator, auditOf } from '../testing/admin-access.js';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { ownNotifications } from '../testing/own-account.js';
import { activeTenant, setStatus } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_NOW, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { readPriceText, readTimestamp } from './price-draft.js';

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.parse(TEST_NOW) + days * DAY);

describe('a published price', () => {
  const price: PublishedPrice = {
    id: '1',
    tier: 'STARTER',
    billingInterval: 'MONTHLY',
    previousPriceUsd: '20.00',
    newPriceUsd: '25.00',
    effectiveAt: inDays(30),
    publishedAt: inDays(0),
    withdrawnAt: null,
  };

  it('[R358] a price applies from its moment on, and earlier due dates keep the former price', () => {
    const prices = createPrices(PLAN_LIMITS, [price]);
    expect(prices.tier('STARTER', 'MONTHLY', new Date(inDays(30).getTime() - 1))).toBe(2000n);
    expect(prices.tier('STARTER', 'MONTHLY', inDays(30))).toBe(2500n);
    expect(prices.tier('STARTER', 'YEARLY', inDays(31))).toBe(20000n);
    expect(prices.tier('GROWTH', 'MONTHLY', inDays(31))).toBe(9000n);
  });

  it('a price sells no plan that the configuration has withdrawn since', () => {
    const plans = { ...PLAN_LIMITS, STARTER: { ...PLAN_LIMITS.STARTER, monthlyPriceUsd: null } };
    expect(createPrices(plans, [price]).tier('STARTER', 'MONTHLY', inDays(31))).toBeNull();
  });

  it.each(['25', '25.5', '25.00', '0.01', '9999999.99'])('reads %s as a price', (text) => {
    expect(readPriceText(text)).toBe(text);
  });

  it.each(['', '0', '0.00', '-1', '+1', '1,5', '1.005', '1e2', '007', '.5', '5.', 'NaN', '٥', '10000000'])(
    'rejects %s as a price',
    (text) => {
      expect(readPriceText(text)).toBeNull();
    },
  );

  it.each([
    ['2027-03-01T05:00:00Z', '2027-03-01T05:00:00.000Z'],
    ['2027-03-01T00:00-05:00', '2027-03-01T05:00:00.000Z'],
    ['2027-03-01', null],
    ['2027-02-29T00:00:00Z', null],
    ['2027-04-31T00:00:00Z', null],
    ['2027-13-01T00:00:00Z', null],
    ['2027-03-01T25:00:00Z', null],
    ['2027-03-01T05:00:00', null],
    ['tomorrow', null],
  ])('reads the moment of a price only with day, time and zone: %s', (text, moment) => {
    expect(readTimestamp(text)?.toISOString() ?? null).toBe(moment);
  });
});

describeOnDatabases('the operator and prices', await databaseKinds(), (open) => {
  let server: TestServer;
  let active: TestTenant;
  let english: TestTenant;
  let pending: TestTenant;
  const draft = {
    tier: 'STARTER',
    billingInterval: 'MONTHLY',
    newPriceUsd: 25.5,
    effectiveAt: inDays(40).toISOString(),
  };

  beforeAll(async () => {
    server = await open({ settings: { ...ADMIN_SETTINGS, ONBOARDING_RATE: '1000/1h' } });
    active = await registerTenant(server);
    english = await registerTenant(server, { language: 'en' });
    pending = await registerTenant(server);
    await setStatus(server, active, 'ACTIVE');
    await setStatus(server, english, 'ACTIVE');
    await server.tick();
  });

  async function announcementsTo(tenant: TestTenant) {
    return (await ownNotifications(server, tenant)).filter(({ type }) => type === 'PRICE_CHANGE_ANNOUNCED');
  }

  it.each([
    ['a moment 29 days ahead', { effectiveAt: inDays(29).toISOString() }, 'effectiveAt'],
    [
      'a moment a second less than 30 days ahead',
      { effectiveAt: new Date(inDays(30).getTime() - 1000).toISOString() },
      'effectiveAt',
    ],
    ['a moment of the year 10000', { effectiveAt: '9999-12-31T23:59:59-12:00' }, 'effectiveAt'],
    ['a moment without a zone', { effectiveAt: '2027-03-01T00:00:00' }, 'effectiveAt'],
    ['a number of milliseconds', { effectiveAt: inDays(60).getTime() }, 'effectiveAt'],
    ['no price', { newPriceUsd: 0 }, 'newPriceUsd'],
    ['a price below zero', { newPriceUsd: '-5' }, 'newPriceUsd'],
    ['three decimals', { newPriceUsd: '1.005' }, 'newPriceUsd'],
    ['an unchanged price', { newPriceUsd: '20.00' }, 'newPriceUsd'],
    ['the free tier', { tier: 'FREE' }, 'billingInterval'],
    ['an unknown tier', { tier: 'GOLD' }, 'tier'],
    ['an unknown interval', { billingInterval: 'WEEKLY' }, 'billingInterval'],
  ])('rejects a price change with %s', async (_name, change, field) => {
    const before = await storedRows(server);
    const { status, body } = await askAsOperator(server, 'POST', 'prices', { ...draft, ...change });
    expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'VALIDATION_FAILED', field]);
    expect(await storedRows(server)).toEqual(before);
  });

  it('[R357] [R360] a price change notifies every active account once, also accounts that become active before it', async () => {
    const published = await askAsOperator(server, 'POST', 'prices', draft);
    expect(published.status).toBe(201);
    const { price } = published.body;
    expect(price).toEqual({
      tierPriceId: expect.any(String),
      tier: 'STARTER',
      billingInterval: 'MONTHLY',
      previousPriceUsd: 20,
      newPriceUsd: 25.5,
      effectiveAt: draft.effectiveAt,
      publishedAt: TEST_NOW,
      withdrawnAt: null,
    });
    const [entry] = await auditOf(server, price.tierPriceId);
    expect(entry).toMatchObject({ action: 'price.publish', targetType: 'price', after: { newPriceUsd: '25.50' } });
    const again = await askAsOperator(server, 'POST', 'prices', { ...draft, newPriceUsd: '30' });
    expect([again.status, again.body.reason]).toEqual([409, 'PRICE_CHANGE_PENDING']);

    await server.tick();
    await server.tick();
    const [notification] = await announcementsTo(active);
    expect(notification).toMatchObject({
      type: 'PRICE_CHANGE_ANNOUNCED',
      severity: 'INFO',
      issuerId: null,
      message: expect.stringMatching(/^El precio mensual del plan STARTER pasa de \$20\.00 a \$25\.50, sin IVA, /),
    });
    expect(notification?.metadata).toEqual({
      tierPriceId: price.tierPriceId,
      tier: 'STARTER',
      billingInterval: 'MONTHLY',
      previousPriceUsd: 20,
      newPriceUsd: 25.5,
      effectiveAt: draft.effectiveAt,
    });
    expect(await announcementsTo(active)).toHaveLength(1);
    expect((await announcementsTo(english))[0]).toMatchObject({ title: 'Change of price' });
    expect(await announcementsTo(pending)).toEqual([]);
    const mails = (await server.mails()).filter((mail) => /Nuevo precio|New price/.test(mail));
    expect(mails).toHaveLength(2);

    await server.clock.advance(39 * DAY);
    await setStatus(server, pending, 'ACTIVE');
    await server.tick();
    await server.tick();
    expect(await announcementsTo(pending)).toHaveLength(1);
    expect(await announcementsTo(active)).toHaveLength(1);
    const listed = await askAsOperator(server, 'GET', 'prices');
    expect(listed.body.prices).toEqual([{ ...price, notifiedTenants: 3 }]);
  });

  it('[R358] a price takes effect at its moment, and no account is notified after it', async () => {
    await server.clock.advance(2 * DAY);
    const late = await activeTenant(server);
    await server.tick();
    expect(await announcementsTo(late)).toEqual([]);
    const effectiveAt = new Date(server.clock.now().getTime() + 31 * DAY).toISOString();
    const next = await askAsOperator(server, 'POST', 'prices', { ...draft, newPriceUsd: '19.99', effectiveAt });
    expect(next.body.price).toMatchObject({ previousPriceUsd: 25.5, newPriceUsd: 19.99 });
  });

  it('[R357] two servers at once notify each account once of a price', async () => {
    const beside = await open({ beside: server });
    await Promise.all([server.tick(), beside.tick(), server.tick(), beside.tick()]);
    expect(await announcementsTo(active)).toHaveLength(2);
    expect(await announcementsTo(pending)).toHaveLength(2);
  });

  it('a withdrawn price is notified, and published again for the right year', async () => {
    const own = await open({ settings: { ...ADMIN_SETTINGS, ONBOARDING_RATE: '1000/1h' } });
    const reported = await activeTenant(own);
    const suspended = await activeTenant(own);
    const readsEnglish = await registerTenant(own, { language: 'en' });
    await setStatus(own, readsEnglish, 'ACTIVE');
    const wrong = { ...draft, effectiveAt: '2127-03-01T05:00:00.000Z' };
    const { tierPriceId } = (await askAsOperator(own, 'POST', 'prices', wrong)).body.price;
    await own.tick();
    await setStatus(own, suspended, 'SUSPENDED');

    const withdraw = () => askAsOperator(own, 'DELETE', `prices/${tierPriceId}`);
    const withdrawn = await withdraw();
    expect([withdrawn.status, withdrawn.body.price]).toMatchObject([200, { tierPriceId, withdrawnAt: TEST_NOW }]);
    expect((await auditOf(own, tierPriceId))[0]).toMatchObject({ action: 'price.withdraw' });
    const again = await withdraw();
    expect([again.status, again.body.reason]).toEqual([409, 'PRICE_NOT_WITHDRAWABLE']);
    await own.tick();
    await own.tick();
    const late = await activeTenant(own);
    await own.tick();

    const noticesOf = async (tenant: TestTenant) =>
      (await ownNotifications(own, tenant)).map(({ type, message, metadata }) => ({ type, message, metadata }));
    const notices = await noticesOf(reported);
    expect(notices).toHaveLength(2);
    expect(notices).toContainEqual({
      type: 'PRICE_CHANGE_ANNOUNCED',
      message: 'El precio mensual del plan STARTER ya no cambia el 1 de marzo de 2127: sigue en $20.00, sin IVA.',
      metadata: {
        tierPriceId,
        tier: 'STARTER',
        billingInterval: 'MONTHLY',
        previousPriceUsd: 25.5,
        newPriceUsd: 20,
        effectiveAt: wrong.effectiveAt,
      },
    });
    expect(await noticesOf(late)).toEqual([]);
    const mails = async () => (await own.mails()).filter((mail) => /no cambia el|does not change on/.test(mail)).length;
    expect(await mails()).toBe(2);
    await setStatus(own, suspended, 'ACTIVE');
    await own.tick();
    await own.tick();
    expect([await noticesOf(suspended), await mails()]).toMatchObject([{ length: 2 }, 3]);

    const tiers = (await (await own.request('/v1/tiers')).json()) as { tiers: unknown[] };
    expect(tiers.tiers[1]).toMatchObject({ upcomingPriceMonthlyUsd: null, monthlyPriceEffectiveAt: null });
    expect((await askAsOperator(own, 'POST', 'prices', draft)).status).toBe(201);
    const listed = await askAsOperator(own, 'GET', 'prices');
    expect(listed.body.prices).toMatchObject([
      { effectiveAt: draft.effectiveAt, withdrawnAt: null },
      { effectiveAt: wrong.effectiveAt, withdrawnAt: TEST_NOW, notifiedTenants: 3 },
    ]);
  });

  it('a price cannot be withdrawn once a renewal may ask for it, seven days before it takes effect', async () => {
    const own = await open({ settings: { ...ADMIN_SETTINGS, ONBOARDING_RATE: '1000/1h' } });
    const publish = async (billingInterval: string) =>
      (await askAsOperator(own, 'POST', 'prices', { ...draft, billingInterval, newPriceUsd: '9' })).body.price;
    const [monthly, yearly] = [await publish('MONTHLY'), await publish('YEARLY')];
    await own.clock.advance(33 * DAY - 1);
    expect((await askAsOperator(own, 'DELETE', `prices/${monthly.tierPriceId}`)).status).toBe(200);
    await own.clock.advance(1);
    const late = await askAsOperator(own, 'DELETE', `prices/${yearly.tierPriceId}`);
    expect([late.status, late.body.reason]).toEqual([409, 'PRICE_NOT_WITHDRAWABLE']);
    const unknown = await askAsOperator(own, 'DELETE', `prices/${crypto.randomUUID()}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('[R357] an account that fails does not stop the notifications of the others', async () => {
    const effectiveAt = new Date(server.clock.now().getTime() + 31 * DAY).toISOString();
    const yearly = { ...draft, billingInterval: 'YEARLY', newPriceUsd: '300', effectiveAt };
    expect((await askAsOperator(server, 'POST', 'prices', yearly)).status).toBe(201);
    const { billing, clock } = server.services;
    let failing = true;
    const publishing: PublishingDeps = {
      ...billing.publishing,
      async announce(...message) {
        if (!failing) return billing.publishing.announce(...message);
        failing = false;
        throw new Error('of one account');
      },
    };
    expect(await announcePrices({ ...billing, publishing }, silentLogger, clock.now())).toBe(3);
    expect(await announcePrices(billing, silentLogger, clock.now())).toBe(1);
  });

  it('[R357] an account cannot switch off the notification of prices', async () => {
    const body = JSON.stringify([{ type: 'PRICE_CHANGE_ANNOUNCED', channel: 'IN_APP', enabled: false }]);
    const headers = { ...active.auth, 'content-type': 'application/json' };
    const response = await server.request('/v1/notifications/preferences', { method: 'PATCH', headers, body });
    expect(response.status).toBe(400);
  });
});
