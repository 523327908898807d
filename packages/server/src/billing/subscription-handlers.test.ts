import { beforeAll, describe, expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, DAY_MS, type ShownPayment, TEST_BANK } from '../testing/billing-suite.js';
import { changeTenant } from '../testing/change-rows.js';
import { askPromotion, asWebApplication, setStatus, verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, sendJson, type TestTenant } from '../testing/test-tenant.js';

const UUID = /^[0-9a-f-]{36}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describeOnDatabases('subscriptions', await databaseKinds(), (open) => {
  let server: TestServer;
  const openOwn = () => open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
  beforeAll(async () => {
    server = await openOwn();
  });

  /** An account with a plan, by default in production. */
  async function subscribed(body: unknown = { tier: 'STARTER' }, environment = 'production', on = server) {
    const sandbox = await verifiedTenant(on);
    const tenant = environment === 'production' ? await billingOf(on, sandbox).promote() : sandbox;
    const billing = billingOf(on, tenant);
    await billing.subscribe(body);
    return { tenant, billing };
  }

  async function code(answer: Response | Promise<Response>) {
    const { status, code: named } = (await (await answer).json()) as { status: number; code: string };
    return [status, named];
  }

  type Billing = ReturnType<typeof billingOf>;
  const startGrowth = (of: Billing) => code(of.ask('POST', '/v1/subscriptions', { tier: 'GROWTH' }));
  const changeTo = (of: Billing, body: unknown) => code(of.ask('POST', '/v1/subscriptions/change-tier', body));

  describe('the start of a subscription', () => {
    it('[R329] a start returns the subscription, its payment and the bank account, and applies nothing yet', async () => {
      const tenant = await verifiedTenant(server);
      const billing = billingOf(server, tenant);
      const started = await billing.start({ tier: 'GROWTH', extraSeats: 2 });
      const { subscription, payment } = started;
      expect(subscription).toMatchObject({
        id: expect.stringMatching(UUID),
        tenantId: tenant.tenantId,
        tenant_id: tenant.tenantId,
        tier: 'GROWTH',
        billingInterval: 'MONTHLY',
        billing_interval: 'MONTHLY',
        status: 'PENDING_PAYMENT',
        currentPeriodStart: null,
        currentPeriodEnd: null,
        pendingTier: null,
        pendingBillingInterval: null,
        extraSeats: 2,
        pendingExtraSeats: null,
        initialInvoiceDocumentId: null,
        initial_invoice_document_id: null,
        createdAt: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
        canceledAt: null,
      });
      expect(payment).toMatchObject({
        subscriptionId: subscription.id,
        subscription_id: subscription.id,
        purpose: 'INITIAL',
        status: 'PENDING',
        method: 'SPI_TRANSFER',
        paymentCode: expect.stringMatching(/^P-[0-9A-Z]{4}-[0-9A-Z]{5}$/),
        amount: '100.00',
        ivaRate: '0.1500',
        iva_rate: '0.1500',
        ivaAmount: '15.00',
        iva_amount: '15.00',
        totalAmount: '115.00',
        total_amount: '115.00',
        targetTier: null,
        target_tier: null,
        targetBillingInterval: 'MONTHLY',
        targetExtraSeats: 2,
        rejectionReasonCode: null,
        reportedAt: null,
        verifiedAt: null,
        verified_at: null,
        period_start: null,
        period_end: null,
        invoice_document_id: null,
        updated_at: expect.stringMatching(TIME),
      });
      expect(started.bankTransfer).toEqual(TEST_BANK);
      expect(await billing.events('SUBSCRIPTION_CREATED')).toMatchObject([
        { detail: { subscriptionId: subscription.id, tier: 'GROWTH', billingInterval: 'MONTHLY' } },
      ]);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'FREE', documentQuota: 100, extraSeats: 0 });
      const mine = await billing.mine();
      expect(mine).toEqual({
        ok: true,
        subscriptions: [{ ...subscription, payments: [payment] }],
        subscription,
        pendingPayment: payment,
        bankTransfer: TEST_BANK,
      });
    });

    it('a year costs ten months', async () => {
      const billing = billingOf(server, await verifiedTenant(server));
      const { payment } = await billing.start({ tier: 'BUSINESS', billingInterval: 'YEARLY', extraSeats: 1 });
      expect(payment).toMatchObject({ amount: '2350.00', ivaAmount: '352.50', totalAmount: '2702.50' });
    });

    it('[R122] [R174] [R331] [R333] a verified payment applies tier, quota and seats', async () => {
      const { billing } = await subscribed({ tier: 'GROWTH', extraSeats: 3 }, 'sandbox');
      const { subscription } = await billing.mine();
      expect(subscription?.status).toBe('ACTIVE');
      expect(await billing.me()).toMatchObject({
        subscriptionTier: 'GROWTH',
        status: 'ACTIVE',
        documentQuota: 1000,
        extraSeats: 3,
        pendingExtraSeats: null,
      });
      expect(await billing.events('SUBSCRIPTION_ACTIVATED')).toMatchObject([
        { detail: { subscriptionId: subscription?.id, tier: 'GROWTH' } },
      ]);
      const events = (await billing.events()).map(({ eventType }) => eventType);
      expect(events.slice(-4)).toEqual([
        'SUBSCRIPTION_CREATED',
        'PAYMENT_REPORTED',
        'PAYMENT_VERIFIED',
        'SUBSCRIPTION_ACTIVATED',
      ]);
    });

    it('a start is refused beside another subscription, and without a verified address', async () => {
      const { billing } = await subscribed();
      expect(await startGrowth(billing)).toEqual([409, 'SUBSCRIPTION_ALREADY_IN_FLIGHT']);
      const unpaid = billingOf(server, await verifiedTenant(server));
      await unpaid.start();
      expect(await startGrowth(unpaid)).toEqual([409, 'SUBSCRIPTION_ALREADY_IN_FLIGHT']);
      const unverified = billingOf(server, await registerTenant(server));
      expect(await startGrowth(unverified)).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED']);
      expect((await unverified.mine()).subscriptions).toEqual([]);
    });

    it.each<[string, unknown, string]>([
      ['no plan', {}, 'tier'],
      ['the free plan', { tier: 'FREE' }, 'tier'],
      ['an unknown plan', { tier: 'SOLO' }, 'tier'],
      ['a plan that is no text', { tier: ['STARTER'] }, 'tier'],
      ['an unknown interval', { tier: 'STARTER', billingInterval: 'WEEKLY' }, 'billingInterval'],
      ['half a seat', { tier: 'STARTER', extraSeats: 0.5 }, 'extraSeats'],
      ['fewer seats than none', { tier: 'STARTER', extraSeats: -1 }, 'extraSeats'],
      ['seats as text', { tier: 'STARTER', extraSeats: '2' }, 'extraSeats'],
      ['too many seats', { tier: 'STARTER', extraSeats: 1001 }, 'extraSeats'],
    ])('a start is refused with %s', async (_, body, field) => {
      const billing = billingOf(server, await verifiedTenant(server));
      const refused = await billing.ask('POST', '/v1/subscriptions', body);
      expect(await refused.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ field }] });
      expect((await billing.mine()).subscriptions).toEqual([]);
    });
  });

  describe('a change of plan', () => {
    it('[R334] [R336] a larger plan costs the difference for the time left, and applies once it is paid', async () => {
      const server = await openOwn();
      const { billing } = await subscribed({ tier: 'STARTER' }, 'production', server);
      const { subscription: before } = await billing.mine();
      // 30 days, of which 10 are left.
      await server.clock.advance(20 * DAY_MS);
      const { payment, subscription, bankTransfer, effectiveAt } = await billing.changeTier({ tier: 'GROWTH' });
      expect(payment).toMatchObject({
        purpose: 'TIER_CHANGE',
        amount: '23.33',
        ivaAmount: '3.50',
        totalAmount: '26.83',
      });
      expect(bankTransfer).toEqual(TEST_BANK);
      expect(effectiveAt).toBeUndefined();
      expect(subscription.tier).toBe('STARTER');
      expect(await billing.events('TIER_CHANGE_REQUESTED')).toMatchObject([
        {
          detail: {
            subscriptionId: before?.id,
            fromTier: 'STARTER',
            toTier: 'GROWTH',
            fromBillingInterval: 'MONTHLY',
            toBillingInterval: 'MONTHLY',
            totalAmount: 26.83,
            effectiveAt: null,
          },
        },
      ]);
      expect(await changeTo(billing, { tier: 'BUSINESS' })).toEqual([409, 'TIER_CHANGE_ALREADY_PENDING']);
      await billing.report(payment?.id ?? '');
      await billing.verify(payment?.id ?? '');
      const { subscription: after } = await billing.mine();
      expect(after).toMatchObject({ tier: 'GROWTH', currentPeriodEnd: before?.currentPeriodEnd });
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'GROWTH', documentQuota: 1000 });
      expect(await billing.events('TIER_CHANGED')).toMatchObject([
        {
          detail: {
            fromTier: 'STARTER',
            toTier: 'GROWTH',
            fromBillingInterval: 'MONTHLY',
            toBillingInterval: 'MONTHLY',
          },
        },
      ]);
    });

    it('[R335] a smaller plan is free and applies at the end of the period', async () => {
      const { billing } = await subscribed({ tier: 'GROWTH' });
      const { subscription: before } = await billing.mine();
      const answer = await billing.changeTier({ tier: 'STARTER' });
      expect(answer).toMatchObject({ payment: null, effectiveAt: before?.currentPeriodEnd });
      expect(answer).not.toHaveProperty('bankTransfer');
      expect(answer.subscription).toMatchObject({ tier: 'GROWTH', pendingTier: 'STARTER' });
      expect(await billing.events('TIER_CHANGE_SCHEDULED')).toMatchObject([
        {
          detail: {
            fromTier: 'GROWTH',
            toTier: 'STARTER',
            totalAmount: 0,
            paymentId: null,
            effectiveAt: answer.effectiveAt,
          },
        },
      ]);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'GROWTH' });
      await server.tickAfter(24 * DAY_MS);
      const [renewal] = await billing.payments();
      expect(renewal).toMatchObject({ purpose: 'RENEWAL', amount: '20.00', targetTier: 'STARTER' });
      await billing.verify(renewal?.id ?? '');
      await server.tickAfter(7 * DAY_MS);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER', documentQuota: 200 });
      expect(await billing.events('TIER_CHANGED')).toMatchObject([
        { detail: { fromTier: 'GROWTH', toTier: 'STARTER' } },
      ]);
      expect((await billing.mine()).subscription).toMatchObject({ tier: 'STARTER', pendingTier: null });
    });

    it('[R335] a change of interval costs its full price, and waits for the end of the period', async () => {
      const { billing } = await subscribed();
      const { subscription: before } = await billing.mine();
      const end = before?.currentPeriodEnd ?? '';
      const { payment } = await billing.changeTier({ tier: 'STARTER', billingInterval: 'YEARLY' });
      expect(payment).toMatchObject({ amount: '200.00', totalAmount: '230.00', dueAt: end });
      expect(await billing.events('TIER_CHANGE_REQUESTED')).toMatchObject([
        { detail: { totalAmount: 230, effectiveAt: end, toBillingInterval: 'YEARLY' } },
      ]);
      await billing.verify(payment?.id ?? '');
      expect((await billing.mine()).subscription).toMatchObject({
        billingInterval: 'MONTHLY',
        pendingTier: 'STARTER',
        pendingBillingInterval: 'YEARLY',
      });
      expect(await billing.events('TIER_CHANGE_SCHEDULED')).toMatchObject([
        { detail: { toBillingInterval: 'YEARLY', totalAmount: 230, paymentId: payment?.id, effectiveAt: end } },
      ]);
      await server.tickAfter(32 * DAY_MS);
      expect((await billing.mine()).subscription).toMatchObject({
        billingInterval: 'YEARLY',
        currentPeriodStart: end,
        currentPeriodEnd: end.replace('2027', '2028').replace('2026', '2027'),
      });
      expect(await billing.me()).toMatchObject({ documentQuota: 2400 });
      // The account paid for the year, so no renewal was opened.
      expect((await billing.payments()).filter(({ purpose }) => purpose === 'RENEWAL')).toEqual([]);
    });

    it('a change of plan in the sandbox applies at once', async () => {
      const { billing } = await subscribed({ tier: 'GROWTH' }, 'sandbox');
      const down = await billing.changeTier({ tier: 'STARTER' });
      expect(down).toMatchObject({ payment: null, subscription: { tier: 'STARTER', pendingTier: null } });
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER' });
      // Production restarts the whole period, so the account pays no share of the current period.
      const up = await billing.changeTier({ tier: 'GROWTH' });
      expect(up.payment?.amount).toBe('90.00');
      await billing.verify(up.payment?.id ?? '');
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'GROWTH' });
      const { payment } = await billing.changeTier({ tier: 'GROWTH', billingInterval: 'YEARLY' });
      expect(payment?.amount).toBe('900.00');
      await billing.verify(payment?.id ?? '');
      expect((await billing.mine()).subscription).toMatchObject({ tier: 'GROWTH', billingInterval: 'YEARLY' });
    });

    it('a change is refused for the same plan, without a subscription, and beside a pending end', async () => {
      const { billing } = await subscribed();
      const change = (body: unknown) => changeTo(billing, body);
      expect(await change({ tier: 'STARTER' })).toEqual([400, 'TIER_CHANGE_NO_OP']);
      expect(await change({ tier: 'STARTER', billingInterval: 'MONTHLY' })).toEqual([400, 'TIER_CHANGE_NO_OP']);
      expect(await change({ tier: 'FREE' })).toEqual([400, 'VALIDATION_FAILED']);
      expect(await change({ billingInterval: 'YEARLY' })).toEqual([400, 'VALIDATION_FAILED']);
      await billing.cancel();
      expect(await change({ tier: 'GROWTH' })).toEqual([409, 'CANCELLATION_ALREADY_PENDING']);
      const none = billingOf(server, await verifiedTenant(server));
      expect(await changeTo(none, { tier: 'GROWTH' })).toEqual([409, 'NO_ACTIVE_SUBSCRIPTION']);
      await none.start();
      expect(await changeTo(none, { tier: 'GROWTH' })).toEqual([409, 'NO_ACTIVE_SUBSCRIPTION']);
    });
  });

  describe('the period of a payment', () => {
    /** A payment's period, with both spellings the same. */
    const periodOf = (payment: ShownPayment | undefined) => {
      expect([payment?.['periodStart'], payment?.['periodEnd']]).toEqual([
        payment?.['period_start'],
        payment?.['period_end'],
      ]);
      return [payment?.['period_start'], payment?.['period_end']];
    };

    it('the period of a payment matches its purpose', async () => {
      const server = await openOwn();
      const { billing } = await subscribed({ tier: 'STARTER' }, 'production', server);
      const first = (await billing.mine()).subscription;
      expect(periodOf((await billing.payments())[0])).toEqual([first?.currentPeriodStart, first?.currentPeriodEnd]);

      await server.clock.advance(10 * DAY_MS);
      const upgrade = (await billing.changeTier({ tier: 'GROWTH' })).payment;
      expect(periodOf(upgrade ?? undefined)).toEqual([null, null]);
      await server.clock.advance(DAY_MS);
      await billing.verify(upgrade?.id ?? '');
      const now = server.clock.now().toISOString();
      expect((await billing.payments())[0]).toMatchObject({ target_tier: 'GROWTH', updated_at: now, verified_at: now });
      expect(periodOf((await billing.payments())[0])).toEqual([now, first?.currentPeriodEnd]);
      expect((await billing.mine()).subscription?.['updated_at']).toBe(now);

      await server.tickAfter(14 * DAY_MS);
      const renewal = (await billing.mine()).pendingPayment;
      await billing.verify(renewal?.id ?? '');
      const renewed = (await billing.mine()).subscription;
      expect(periodOf((await billing.payments())[0])).toEqual([first?.currentPeriodEnd, renewed?.currentPeriodEnd]);

      const yearly = (await billing.changeTier({ tier: 'GROWTH', billingInterval: 'YEARLY' })).payment;
      await billing.verify(yearly?.id ?? '');
      const [start, end] = periodOf((await billing.payments())[0]);
      expect(start).toBe(renewed?.currentPeriodEnd);
      expect(Date.parse(String(end)) - Date.parse(String(start))).toBeGreaterThanOrEqual(365 * DAY_MS);
    });

    it('the period of a change of interval begins at once in the sandbox', async () => {
      const { billing } = await subscribed({ tier: 'STARTER' }, 'sandbox');
      const { payment } = await billing.changeTier({ tier: 'STARTER', billingInterval: 'YEARLY' });
      await billing.verify(payment?.id ?? '');
      const { subscription } = await billing.mine();
      expect(periodOf((await billing.payments())[0])).toEqual([
        subscription?.currentPeriodStart,
        subscription?.currentPeriodEnd,
      ]);
    });
  });

  describe('extra seats', () => {
    it('extra seats cost the time left, and fewer seats are free from the end of the period', async () => {
      const server = await openOwn();
      const { billing } = await subscribed({ tier: 'STARTER' }, 'production', server);
      await server.clock.advance(15 * DAY_MS);
      const { payment } = await billing.seats(4);
      expect(payment).toMatchObject({
        purpose: 'TIER_CHANGE',
        targetTier: 'STARTER',
        amount: '10.00',
        targetExtraSeats: 4,
      });
      const asked = (extraSeats: unknown) => code(billing.ask('POST', '/v1/subscriptions/seats', { extraSeats }));
      expect(await asked(2)).toEqual([409, 'SEAT_CHANGE_ALREADY_PENDING']);
      await billing.verify(payment?.id ?? '');
      expect(await billing.me()).toMatchObject({ extraSeats: 4, pendingExtraSeats: null });
      expect(await asked(4)).toEqual([400, 'SEAT_CHANGE_NO_OP']);
      for (const wrong of [undefined, null, -1, 1.5, '2', 1e9]) {
        expect(await asked(wrong)).toEqual([400, 'VALIDATION_FAILED']);
      }
      const fewer = await billing.seats(1);
      expect(fewer).toMatchObject({ payment: null, effectiveAt: fewer.subscription.currentPeriodEnd });
      expect(await billing.me()).toMatchObject({ extraSeats: 4, pendingExtraSeats: 1 });
      expect(await asked(0)).toEqual([409, 'SEAT_CHANGE_ALREADY_PENDING']);
      await server.tickAfter(10 * DAY_MS);
      const [renewal] = await billing.payments();
      expect(renewal).toMatchObject({ purpose: 'RENEWAL', amount: '25.00', targetExtraSeats: 1 });
      await server.tickAfter(7 * DAY_MS);
      expect(await billing.me()).toMatchObject({ extraSeats: 1, pendingExtraSeats: null });
      expect(await billing.events('TIER_CHANGED')).toEqual([]);
    });
  });

  describe('the end of a subscription', () => {
    it('[R122] [R337] an end waits for the end of the period, and leaves the account active and free', async () => {
      const { billing } = await subscribed({ tier: 'GROWTH', extraSeats: 2 });
      const { subscription: before } = await billing.mine();
      const ended = await billing.cancel();
      expect(ended.effectiveAt).toBe(before?.currentPeriodEnd);
      expect(ended.subscription).toMatchObject({ status: 'ACTIVE', tier: 'GROWTH', pendingTier: 'FREE' });
      expect(await billing.events('SUBSCRIPTION_CANCELLATION_SCHEDULED')).toMatchObject([
        { detail: { subscriptionId: before?.id, tier: 'GROWTH', effectiveAt: before?.currentPeriodEnd } },
      ]);
      expect(await code(billing.ask('DELETE', '/v1/subscriptions'))).toEqual([409, 'CANCELLATION_ALREADY_PENDING']);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'GROWTH', extraSeats: 2 });
      await server.tickAfter(45 * DAY_MS);
      expect(await billing.me()).toMatchObject({ subscriptionTier: 'FREE', status: 'ACTIVE', extraSeats: 0 });
      const { subscriptions, subscription } = await billing.mine();
      expect(subscription).toBeNull();
      expect(subscriptions).toMatchObject([
        { status: 'CANCELLED', extraSeats: 0, canceledAt: expect.stringMatching(TIME) },
      ]);
      expect(await billing.events('SUBSCRIPTION_CANCELLED')).toHaveLength(1);
      expect(await billing.notices('SUBSCRIPTION_EXPIRED', 'SUBSCRIPTION_RENEWAL_DUE')).toEqual([]);
    });

    it('an end is refused without a subscription, and beside a pending change', async () => {
      const none = billingOf(server, await verifiedTenant(server));
      expect(await code(none.ask('DELETE', '/v1/subscriptions'))).toEqual([409, 'NO_ACTIVE_SUBSCRIPTION']);
      const { billing } = await subscribed({ tier: 'GROWTH' });
      await billing.changeTier({ tier: 'STARTER' });
      expect(await code(billing.ask('DELETE', '/v1/subscriptions'))).toEqual([409, 'TIER_CHANGE_ALREADY_PENDING']);
    });
  });

  describe('the move to production', () => {
    it('the move to production restarts the period of an active subscription', async () => {
      const { tenant } = await subscribed({ tier: 'STARTER' }, 'sandbox');
      await server.clock.advance(12 * DAY_MS);
      const promoted = await (await askPromotion(server, tenant, { tier: 'GROWTH' })).json();
      expect(promoted).toMatchObject({ subscription: { tier: 'STARTER', status: 'ACTIVE' }, payment: null });
      const [{ apiKey }] = (promoted as { apiKeys: [{ apiKey: string }] }).apiKeys;
      const moved = billingOf(server, { ...tenant, auth: { authorization: `Bearer ${apiKey}` } });
      const { subscription, subscriptions } = await moved.mine();
      expect(subscriptions).toHaveLength(1);
      expect(subscription).toMatchObject({ tier: 'STARTER', currentPeriodStart: server.clock.now().toISOString() });
      expect(tenant.tenantId).toBe(subscription?.['tenantId']);
    });

    it('the move to production starts the plan of the request', async () => {
      const tenant = await verifiedTenant(server);
      const body = { tier: 'GROWTH', billingInterval: 'YEARLY' };
      const answer = await postJson(server, '/v1/tenants/promote', asWebApplication(tenant.tenantId), body);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        environment: 'production',
        subscription: { tier: 'GROWTH', status: 'PENDING_PAYMENT' },
        payment: { purpose: 'INITIAL', amount: '900.00' },
        bankTransfer: TEST_BANK,
      });
    });

    it('the move to production starts no plan without a request', async () => {
      const tenant = await verifiedTenant(server);
      const answer = await postJson(server, '/v1/tenants/promote', asWebApplication(tenant.tenantId), {});
      expect(Object.keys((await answer.json()) as object)).toEqual(['ok', 'apiKeys', 'tenant', 'environment']);
    });
  });

  describe('permissions', () => {
    const routes: readonly [string, string, unknown][] = [
      ['POST', '/v1/subscriptions', { tier: 'STARTER' }],
      ['POST', '/v1/subscriptions/change-tier', { tier: 'STARTER' }],
      ['POST', '/v1/subscriptions/seats', { extraSeats: 1 }],
      ['DELETE', '/v1/subscriptions', undefined],
      ['GET', '/v1/payments', undefined],
    ];

    it.each(routes)('[R323] %s %s belongs to the web application', async (method, path, body) => {
      const tenant = await verifiedTenant(server);
      expect(await code(sendJson(server, method, path, tenant.auth, body))).toEqual([403, 'INTERNAL_SERVICE_ONLY']);
    });

    it('[R318] a subscription requires billing:manage to read', async () => {
      const tenant = await verifiedTenant(server);
      const withScopes = async (scopes: readonly string[]): Promise<TestTenant['auth']> => {
        await setTier(tenant, 'STARTER');
        const made = await postJson(server, '/v1/keys', tenant.auth, { scopes });
        return { authorization: `Bearer ${((await made.json()) as { apiKey: string }).apiKey}` };
      };
      const without = await withScopes(['documents:read']);
      const refused = await server.request('/v1/subscriptions/me', { headers: without });
      expect(await refused.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'billing:manage' });
      const having = await withScopes(['billing:manage']);
      expect((await server.request('/v1/subscriptions/me', { headers: having })).status).toBe(200);
    });

    it('[R326] a suspended account may only read', async () => {
      const { tenant, billing } = await subscribed();
      await setStatus(server, tenant, 'SUSPENDED');
      expect((await billing.mine()).subscription?.status).toBe('ACTIVE');
      expect(await code(billing.ask('DELETE', '/v1/subscriptions'))).toEqual([403, 'ACCOUNT_SUSPENDED']);
    });

    async function setTier(tenant: TestTenant, tier: string): Promise<void> {
      await changeTenant(server, tenant, { subscription_tier: tier });
    }
  });
});
