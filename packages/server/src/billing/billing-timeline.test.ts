import { beforeAll, describe, expect, it } from 'vitest';
import { formatDay } from '../platform/formats.js';
import { BILLING_SETTINGS, billingOf, DAY_MS, TEST_BANK } from '../testing/billing-suite.js';
import { changeTenant, readRow } from '../testing/change-rows.js';
import { setStatus, verifiedTenant } from '../testing/production-tenant.js';
import { queryPlans } from '../testing/query-plans.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';

const SETTINGS = { ...BILLING_SETTINGS, AGREEMENTS: 'off' };
const TIMELINE = ['RENEWAL_DUE', 'SUBSCRIPTION_RENEWED', 'SUBSCRIPTION_EXPIRED', 'STATUS_CHANGED'];
const HOUR_MS = 3_600_000;

/** The notifications of an account that pays one period and no renewal. */
const OF_UNPAID = [
  'PAYMENT_VERIFIED',
  'SUBSCRIPTION_RENEWAL_DUE',
  'SUBSCRIPTION_PAST_DUE_WARNING',
  'SUBSCRIPTION_EXPIRED',
];

describeOnDatabases('the timeline of a subscription', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let billing: ReturnType<typeof billingOf>;
  let end: number;

  /** A production account with a month of STARTER, on its own server with a manual clock. */
  async function begin(body: unknown = { tier: 'STARTER' }) {
    server = await open({ settings: SETTINGS });
    tenant = await billingOf(server, await verifiedTenant(server)).promote();
    billing = billingOf(server, tenant);
    await billing.subscribe(body);
    end = Date.parse((await billing.mine()).subscription?.currentPeriodEnd ?? '');
  }

  async function moveTo(days: number, hours = 0): Promise<void> {
    await server.tickAfter(end + days * DAY_MS + hours * HOUR_MS - server.clock.now().getTime());
  }

  const happened = async () => (await billing.events(...TIMELINE)).map(({ eventType }) => eventType);
  const reported = async () => (await billing.notices()).map(({ type }) => type);

  describe('an unpaid subscription', () => {
    beforeAll(() => begin());

    it('an unpaid subscription stays unchanged until seven days before its end', async () => {
      await moveTo(-7, -1);
      expect(await happened()).toEqual([]);
      expect(await billing.payments()).toHaveLength(1);
    });

    it('[R338] [R354] [R360] a renewal opens seven days before the end, with a notification', async () => {
      await moveTo(-7);
      const [renewal] = await billing.payments();
      expect(renewal).toMatchObject({
        purpose: 'RENEWAL',
        status: 'PENDING',
        amount: '20.00',
        totalAmount: '23.00',
        dueAt: new Date(end).toISOString(),
      });
      const { subscription, pendingPayment } = await billing.mine();
      expect(pendingPayment?.id).toBe(renewal?.id);
      expect(await billing.events('RENEWAL_DUE')).toMatchObject([
        { detail: { subscriptionId: subscription?.id, paymentId: renewal?.id } },
      ]);
      const [notice, ...more] = await billing.notices('SUBSCRIPTION_RENEWAL_DUE');
      expect(more).toEqual([]);
      expect(notice).toMatchObject({ severity: 'WARNING', issuerId: null });
      expect(notice?.metadata).toEqual({
        subscriptionId: subscription?.id,
        paymentId: renewal?.id,
        tier: 'STARTER',
        amount: '20.00',
        ivaAmount: '3.00',
        totalAmount: '23.00',
        currentPeriodEnd: new Date(end).toISOString(),
      });
      const mail = (await server.mails()).find((text) => text.includes('Renueve su plan'));
      const reported = ['$23.00', String(renewal?.['paymentCode']), TEST_BANK.bankName, TEST_BANK.accountNumber];
      for (const text of reported) expect(mail).toContain(text);
    });

    it('a renewal cannot be cancelled by its account', async () => {
      const [renewal] = await billing.payments();
      const refused = await billing.ask('DELETE', `/v1/payments/${renewal?.id}`);
      expect(await refused.json()).toMatchObject({ status: 409, code: 'PAYMENT_NOT_CANCELLABLE' });
    });

    it('[R355] an unpaid renewal causes one warning five days after the end', async () => {
      await moveTo(5, -1);
      expect(await billing.notices('SUBSCRIPTION_PAST_DUE_WARNING')).toEqual([]);
      await moveTo(5);
      await server.tick();
      await moveTo(6);
      const warnings = await billing.notices('SUBSCRIPTION_PAST_DUE_WARNING');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ severity: 'WARNING' });
      expect(warnings[0]?.metadata).toEqual({
        subscriptionId: (await billing.mine()).subscription?.id,
        tier: 'STARTER',
        currentPeriodEnd: new Date(end).toISOString(),
        suspendsAt: new Date(end + 7 * DAY_MS).toISOString(),
      });
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER', status: 'ACTIVE' });
    });

    it('[R115] [R122] [R356] an unpaid subscription expires seven days after its end, and the account becomes past due', async () => {
      await moveTo(7);
      expect(await billing.me()).toMatchObject({
        subscriptionTier: 'FREE',
        status: 'PAST_DUE',
        documentQuota: 100,
        suspensionReasonCode: null,
      });
      const { subscriptions, subscription } = await billing.mine();
      expect(subscription).toBeNull();
      expect(subscriptions).toMatchObject([
        { status: 'EXPIRED', payments: [{ purpose: 'RENEWAL', status: 'CANCELLED' }, { purpose: 'INITIAL' }] },
      ]);
      const events = await billing.events(...TIMELINE);
      expect(events).toMatchObject([
        { eventType: 'RENEWAL_DUE' },
        {
          eventType: 'SUBSCRIPTION_EXPIRED',
          detail: { subscriptionId: subscriptions[0]?.id, previousTier: 'STARTER' },
        },
        { eventType: 'STATUS_CHANGED', detail: { from: 'ACTIVE', to: 'PAST_DUE' } },
      ]);
      const [notice] = await billing.notices('SUBSCRIPTION_EXPIRED');
      expect(notice).toMatchObject({ severity: 'ERROR' });
      expect(notice?.metadata).toEqual({ subscriptionId: subscriptions[0]?.id, previousTier: 'STARTER' });
      expect(await billing.mails()).toEqual(['PAYMENT_VERIFIED', 'RENEWAL_DUE', 'PAST_DUE_WARNING', 'EXPIRED']);
      expect((await server.mails()).join()).toContain('plan gratuito');
    });

    it('[R116] a paid new subscription makes a past-due account active', async () => {
      const { payment } = await billing.start({ tier: 'GROWTH' });
      expect(await billing.me()).toMatchObject({ status: 'PAST_DUE', subscriptionTier: 'FREE' });
      await billing.report(payment.id);
      await billing.verify(payment.id);
      expect(await billing.me()).toMatchObject({ status: 'ACTIVE', subscriptionTier: 'GROWTH' });
      expect((await billing.events('STATUS_CHANGED')).at(-1)).toMatchObject({
        detail: { from: 'PAST_DUE', to: 'ACTIVE' },
      });
    });
  });

  describe('a paid subscription', () => {
    beforeAll(() => begin({ tier: 'STARTER', extraSeats: 1 }));

    it('[R338] a verified renewal moves the end by a month, from the old end', async () => {
      await moveTo(-7);
      const [renewal] = await billing.payments();
      expect(renewal?.amount).toBe('25.00');
      await billing.report(renewal?.id ?? '');
      await billing.verify(renewal?.id ?? '');
      const { subscription } = await billing.mine();
      // The 21st of December is followed by the 21st of January.
      expect([new Date(end).toISOString(), subscription?.currentPeriodEnd]).toEqual([
        '2026-12-21T15:00:00.000Z',
        '2027-01-21T15:00:00.000Z',
      ]);
      expect(await billing.events('SUBSCRIPTION_RENEWED')).toMatchObject([
        {
          detail: {
            subscriptionId: subscription?.id,
            paymentId: renewal?.id,
            currentPeriodEnd: '2027-01-21T15:00:00.000Z',
          },
        },
      ]);
      await moveTo(8);
      expect(await happened()).toEqual(['RENEWAL_DUE', 'SUBSCRIPTION_RENEWED']);
      expect((await billing.mine()).subscription?.currentPeriodStart).toBe('2026-12-21T15:00:00.000Z');
    });

    it('a late renewal within the days of grace keeps its day of the month', async () => {
      await moveTo(31 + 6);
      const [renewal] = await billing.payments();
      await billing.verify(renewal?.id ?? '');
      expect((await billing.mine()).subscription?.currentPeriodEnd).toBe('2027-02-21T15:00:00.000Z');
      await moveTo(31 + 20);
      expect(await billing.notices('SUBSCRIPTION_EXPIRED')).toEqual([]);
    });
  });

  it('an open payment of a larger plan is cancelled after the days that it pays', async () => {
    await begin();
    await moveTo(-10);
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await moveTo(-7);
    const [renewal] = await billing.payments();
    await billing.verify(renewal?.id ?? '');
    const status = async () => (await billing.payments()).find(({ id }) => id === payment?.id)?.status;
    await moveTo(0, -1);
    expect(await status()).toBe('PENDING');
    await moveTo(0);
    expect(await status()).toBe('CANCELLED');
    expect((await billing.mine()).pendingPayment).toBeNull();
    expect((await billing.changeTier({ tier: 'GROWTH' })).payment?.amount).toBe('70.00');
  });

  it('an unpaid renewal stays the pending payment beside a later reported payment', async () => {
    await begin();
    await moveTo(-7);
    const [renewal] = await billing.payments();
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.report(payment?.id ?? '');
    expect((await billing.mine()).pendingPayment?.id).toBe(renewal?.id);
  });

  describe('a subscription after a stop of the server', () => {
    it('a late round opens the renewal first, and gives the account its days to pay', async () => {
      await begin();
      await moveTo(40);
      const [renewal] = await billing.payments();
      expect(renewal).toMatchObject({ purpose: 'RENEWAL', status: 'PENDING', dueAt: new Date(end).toISOString() });
      const mail = (await server.mails()).find((text) => text.includes(String(renewal?.['paymentCode'])));
      const payBefore = formatDay(new Date(end + (40 + 7) * DAY_MS), 'es');
      expect(mail).toContain(`Subject: Renueve su plan antes del ${payBefore}`);
      const [notice] = await billing.notices('SUBSCRIPTION_RENEWAL_DUE');
      expect(notice?.message).toContain(`antes del ${payBefore}`);
      await moveTo(40 + 12, -1);
      expect(await billing.notices('SUBSCRIPTION_PAST_DUE_WARNING')).toEqual([]);
      await moveTo(40 + 12);
      expect(await billing.notices('SUBSCRIPTION_PAST_DUE_WARNING')).toMatchObject([
        { metadata: { suspendsAt: new Date(end + (40 + 14) * DAY_MS).toISOString() } },
      ]);
      await moveTo(40 + 14, -1);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER', status: 'ACTIVE' });
      await moveTo(40 + 14);
      expect(await reported()).toEqual(OF_UNPAID);
      expect(await happened()).toEqual(['RENEWAL_DUE', 'SUBSCRIPTION_EXPIRED', 'STATUS_CHANGED']);
      const before = await billing.events();
      await server.tick();
      await moveTo(400);
      expect(await billing.events()).toEqual(before);
    });

    it('a late round catches up in order after the renewal, each step once', async () => {
      await begin();
      await moveTo(-7);
      await moveTo(40);
      expect(await reported()).toEqual(OF_UNPAID);
    });

    it('a request of an account sees the current state before the hourly round', async () => {
      await begin();
      await moveTo(-7);
      await server.clock.advance(20 * DAY_MS);
      const refused = await billing.ask('POST', '/v1/subscriptions/change-tier', { tier: 'GROWTH' });
      expect(await refused.json()).toMatchObject({ status: 409, code: 'NO_ACTIVE_SUBSCRIPTION' });
      // The refused request stored nothing; the round stores the expiry.
      expect(await happened()).toEqual(['RENEWAL_DUE']);
      const { payment } = await billing.start({ tier: 'GROWTH' });
      expect(payment.amount).toBe('90.00');
      expect(await happened()).toEqual(['RENEWAL_DUE', 'SUBSCRIPTION_EXPIRED', 'STATUS_CHANGED']);
    });
  });

  it('the timeline runs once on several concurrent servers', async () => {
    await begin();
    const others = [
      await open({ settings: SETTINGS, beside: server }),
      await open({ settings: SETTINGS, beside: server }),
    ];
    for (const days of [-7, 5, 7]) {
      await server.clock.advance(end + days * DAY_MS - server.clock.now().getTime());
      await Promise.all([server, ...others, server].map((each) => each.tick()));
    }
    expect(await reported()).toEqual(OF_UNPAID);
    expect(await happened()).toEqual(['RENEWAL_DUE', 'SUBSCRIPTION_EXPIRED', 'STATUS_CHANGED']);
    expect(await billing.mails()).toEqual(['PAYMENT_VERIFIED', 'RENEWAL_DUE', 'PAST_DUE_WARNING', 'EXPIRED']);
    expect(await billing.payments()).toHaveLength(2);
  });

  it('a suspended account follows the timeline, and is past due after the suspension', async () => {
    await begin();
    await changeTenant(server, tenant, {
      status: 'SUSPENDED',
      status_before_suspension: 'ACTIVE',
      suspension_reason: 'OTHER',
    });
    await moveTo(-7);
    await moveTo(8);
    expect(await billing.me()).toMatchObject({ status: 'SUSPENDED', subscriptionTier: 'FREE' });
    expect(await billing.events('STATUS_CHANGED')).toEqual([]);
    const { status_before_suspension: before } = await readRow(server, 'tenants', { id: tenant.tenantId });
    expect(before).toBe('PAST_DUE');
    await setStatus(server, tenant, 'PAST_DUE');
  });

  it('a plan that is no longer offered ends without a renewal', async () => {
    await begin({ tier: 'STARTER', billingInterval: 'YEARLY' });
    const { STARTER } = server.services.billing.plans;
    const plans = { ...server.services.billing.plans, STARTER: { ...STARTER, yearlyPriceUsd: null } };
    Object.assign(server.services.billing, { plans });
    await moveTo(8);
    expect(await happened()).toEqual(['SUBSCRIPTION_EXPIRED', 'STATUS_CHANGED']);
    expect(await billing.payments()).toHaveLength(1);
  });
});

it('a step of an account never reads the payments of all accounts', async () => {
  const server = await openTestServer(null, { settings: SETTINGS });
  const tenant = await billingOf(server, await verifiedTenant(server)).promote();
  const billing = billingOf(server, tenant);
  await billing.start({ tier: 'STARTER' });
  const { statements, steps } = await queryPlans(server, async () => {
    const { pendingPayment } = await billing.mine();
    await billing.report(pendingPayment?.id ?? '');
    await billing.verify(pendingPayment?.id ?? '');
    await server.tickAfter(25 * DAY_MS);
  });
  expect(statements.some((text) => text.startsWith('update "subscriptions"'))).toBe(true);
  expect(steps.filter((step) => /^SCAN (payments|subscriptions)/.test(step))).toEqual([]);
  await server.close();
});
