import { beforeAll, describe, expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, DAY_MS, TEST_BANK } from '../testing/billing-suite.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { RegistrationFields } from '../testing/test-tenant.js';
import { sendJson } from '../testing/test-tenant.js';
import { REJECTION_REASONS } from './account.js';

describeOnDatabases('notifications of billing', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
  });

  async function account(fields: RegistrationFields = {}) {
    const sandbox = await verifiedTenant(server, fields);
    const tenant = await billingOf(server, sandbox).promote();
    return { tenant, billing: billingOf(server, tenant) };
  }

  const switchOff = (headers: Readonly<Record<string, string>>, type: string, channel: string) =>
    sendJson(server, 'PATCH', '/v1/notifications/preferences', headers, [{ type, channel, enabled: false }]);

  it('[R351] [R360] a verified payment is notified with its purpose, and by mail', async () => {
    const { billing } = await account();
    const { payment, subscription } = await billing.subscribe({ tier: 'GROWTH' });
    const [notice] = await billing.notices();
    expect(notice).toMatchObject({ type: 'PAYMENT_VERIFIED', severity: 'INFO', issuerId: null });
    expect(notice?.metadata).toEqual({
      paymentId: payment.id,
      subscriptionId: subscription.id,
      tier: 'GROWTH',
      billingInterval: 'MONTHLY',
      purpose: 'INITIAL',
      amount: '103.50',
      rejectionReasonCode: null,
    });
    await server.tick();
    const mail = (await server.mails()).at(-1);
    expect(mail).toContain('Subject: Pago verificado: plan GROWTH');
    expect(mail).toContain(`${payment['paymentCode']} de $103.50`);
    // Nothing is left to be transferred.
    expect(mail).not.toContain('escríbalo');
  });

  it('[R352] a verified change of plan is notified with the new plan', async () => {
    const { billing } = await account();
    await billing.subscribe();
    const { payment } = await billing.changeTier({ tier: 'BUSINESS', billingInterval: 'YEARLY' });
    await billing.verify(payment?.id ?? '');
    const notice = (await billing.notices()).at(-1);
    expect(notice?.metadata).toMatchObject({
      tier: 'BUSINESS',
      billingInterval: 'YEARLY',
      purpose: 'TIER_CHANGE',
      amount: '2645.00',
    });
    // The account stays on its plan until the period ends.
    expect(notice?.message).toBe('Verificamos su pago de $2,645.00 por el plan BUSINESS.');
  });

  it('[R351] a verified renewal is notified as a renewal', async () => {
    const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    const tenant = await billingOf(own, await verifiedTenant(own)).promote();
    const billing = billingOf(own, tenant);
    await billing.subscribe();
    await own.tickAfter(25 * DAY_MS);
    const [renewal] = await billing.payments();
    await billing.verify(renewal?.id ?? '');
    expect((await billing.notices()).at(-1)).toMatchObject({
      type: 'PAYMENT_VERIFIED',
      metadata: { purpose: 'RENEWAL', paymentId: renewal?.id, amount: '23.00' },
    });
  });

  it('a renewal names the smaller plan that its amount pays, in the list and by mail', async () => {
    const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    const billing = billingOf(own, await billingOf(own, await verifiedTenant(own)).promote());
    await billing.subscribe({ tier: 'GROWTH' });
    await billing.changeTier({ tier: 'STARTER' });
    await own.tickAfter(25 * DAY_MS);
    const text = 'Para renovar con el plan STARTER, transfiera $23.00 ';
    expect((await billing.notices()).at(-1)?.message).toContain(text);
    await own.tick();
    expect((await own.mails()).at(-1)).toContain(text);
  });

  it.each([false, true])(
    'a warning of an unpaid period says how to pay, unless the payment is reported: %s',
    async (isReported) => {
      const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
      const billing = billingOf(own, await billingOf(own, await verifiedTenant(own)).promote());
      await billing.subscribe();
      await own.tickAfter(25 * DAY_MS);
      const renewal = (await billing.payments()).find(({ purpose }) => purpose === 'RENEWAL');
      if (isReported) await billing.report(renewal?.id ?? '');
      await own.tickAfter(13 * DAY_MS);
      await own.tick();
      const mail = (await own.mails()).at(-1) ?? '';
      expect(mail).toContain('la cuenta pasa al plan gratuito');
      for (const part of [TEST_BANK.accountNumber, String(renewal?.['paymentCode']), 'Total: $23.00']) {
        expect(mail.includes(part)).toBe(!isReported);
      }
    },
  );

  it.each(REJECTION_REASONS)(
    '[R353] a rejection for %s is notified, with the bank account for the transfer',
    async (reason) => {
      const { billing } = await account();
      const { payment, subscription } = await billing.start();
      await billing.report(payment.id);
      await billing.reject(payment.id, reason);
      const [notice] = await billing.notices();
      expect(notice).toMatchObject({ type: 'PAYMENT_REJECTED', severity: 'WARNING' });
      expect(notice?.metadata).toEqual({
        paymentId: payment.id,
        subscriptionId: subscription.id,
        tier: 'STARTER',
        billingInterval: 'MONTHLY',
        purpose: 'INITIAL',
        amount: '23.00',
        rejectionReasonCode: reason,
      });
      expect(notice?.message).not.toContain('{');
      await server.tick();
      const mail = (await server.mails()).at(-1);
      expect(mail).toContain(TEST_BANK.accountNumber);
      expect(mail).toContain(String(payment['paymentCode']));
    },
  );

  it.each([
    ['es', 'Su plan es ahora STARTER.', 'Subject: Pago devuelto: plan GROWTH'],
    ['en', 'Your plan is now STARTER.', 'Subject: Payment refunded: plan GROWTH'],
  ])('a refund is notified with the plan that it restores, and by mail: %s', async (language, plan, subject) => {
    const { billing } = await account({ language });
    const { subscription } = await billing.subscribe();
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.verify(payment?.id ?? '');
    await billing.refund(payment?.id ?? '');
    const [notice] = await billing.notices('PAYMENT_REFUNDED');
    expect(notice).toMatchObject({ severity: 'INFO', message: expect.stringContaining(plan) });
    expect(notice?.metadata).toEqual({
      paymentId: payment?.id,
      subscriptionId: subscription.id,
      tier: 'GROWTH',
      billingInterval: 'MONTHLY',
      purpose: 'TIER_CHANGE',
      amount: payment?.totalAmount,
      rejectionReasonCode: null,
      restoredTier: 'STARTER',
    });
    await server.tick();
    const mail = (await server.mails()).at(-1);
    expect(mail).toContain(subject);
    expect(mail).toContain(plan);
  });

  it('a rejected payment that has no purpose left asks for no transfer', async () => {
    const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    const billing = billingOf(own, await billingOf(own, await verifiedTenant(own)).promote());
    await billing.subscribe();
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.report(payment?.id ?? '');
    await own.tickAfter(33 * DAY_MS);
    await billing.reject(payment?.id ?? '', 'OTHER');
    expect((await billing.payments()).find(({ id }) => id === payment?.id)?.status).toBe('CANCELLED');
    await own.tick();
    await asksForNothing(own);
  });

  it('a rejected renewal of a cancelled subscription asks for no transfer', async () => {
    const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    const billing = billingOf(own, await billingOf(own, await verifiedTenant(own)).promote());
    await billing.subscribe();
    await own.tickAfter(25 * DAY_MS);
    const [renewal] = await billing.payments();
    await billing.report(renewal?.id ?? '');
    await billing.cancel();
    await own.tickAfter(10 * DAY_MS);
    await billing.reject(renewal?.id ?? '', 'OTHER');
    expect((await billing.payments())[0]?.status).toBe('CANCELLED');
    await own.tick();
    await asksForNothing(own);
  });

  async function asksForNothing(own: TestServer) {
    const mail = (await own.mails()).at(-1);
    expect(mail).toContain('No pudimos verificar su pago');
    expect(mail).not.toMatch(/otra vez el comprobante|P-\w{4}-\w{5}|2100123456/);
  }

  it('a notification uses the language of the account', async () => {
    const { billing } = await account({ language: 'en' });
    const { payment } = await billing.start();
    await billing.reject(payment.id, 'WRONG_ACCOUNT');
    const [notice] = await billing.notices();
    expect(notice?.message).toBe('Your payment of $23.00 could not be verified: the transfer went to another account.');
    await server.tick();
    expect((await server.mails()).at(-1)).toContain('Subject: Payment rejected: the transfer went to another account');
  });

  describe('a notification that is switched off', () => {
    it('[R278] a notification without mail still appears in the list', async () => {
      const { tenant, billing } = await account();
      expect((await switchOff(tenant.auth, 'PAYMENT_VERIFIED', 'EMAIL')).status).toBe(200);
      const { payment } = await billing.start();
      await billing.reject(payment.id);
      await billing.verify(payment.id);
      expect(await billing.mails()).toEqual(['PAYMENT_REJECTED']);
      expect((await billing.notices()).map(({ type }) => type)).toEqual(['PAYMENT_REJECTED', 'PAYMENT_VERIFIED']);
    });

    it('a notification outside the list is still sent by mail', async () => {
      const { tenant, billing } = await account();
      await switchOff(tenant.auth, 'PAYMENT_VERIFIED', 'IN_APP');
      await billing.subscribe();
      expect(await billing.mails()).toEqual(['PAYMENT_VERIFIED']);
      expect(await billing.notices()).toEqual([]);
    });
  });

  it('the result of a billing mail adds no event of the verification mail', async () => {
    const { billing } = await account();
    await billing.subscribe();
    const before = await billing.events('VERIFICATION_EMAIL_SENT');
    await server.tick();
    expect(await billing.events('VERIFICATION_EMAIL_SENT', 'VERIFICATION_EMAIL_FAILED')).toHaveLength(
      Math.max(before.length, 1),
    );
  });

  it('[R358] a renewal due before a new price keeps the old price, and the next renewal has the new price', async () => {
    const own = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    const billing = billingOf(own, await billingOf(own, await verifiedTenant(own)).promote());
    await billing.subscribe();
    // Published on the day of the start; holds from the 45th day on.
    const now = own.clock.now();
    await own.services.database.transaction((tables) =>
      tables
        .insertInto('published_prices')
        .values({
          id: own.services.billing.newId(now),
          tier: 'STARTER',
          billing_interval: 'MONTHLY',
          previous_price_usd: '20.00',
          new_price_usd: '30.00',
          effective_at: now.getTime() + 45 * DAY_MS,
          published_at: now.getTime(),
        })
        .execute(),
    );
    const amounts: string[] = [];
    for (const days of [25, 31]) {
      await own.tickAfter(days * DAY_MS);
      const [renewal] = await billing.payments();
      amounts.push(renewal?.amount ?? '');
      await billing.verify(renewal?.id ?? '');
    }
    expect(amounts).toEqual(['20.00', '30.00']);
  });
});
