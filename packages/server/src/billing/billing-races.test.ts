import { beforeAll, describe, expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, DAY_MS, proofForm, TEST_PNG } from '../testing/billing-suite.js';
import { readRows } from '../testing/change-rows.js';
import { asWebApplication, verifiedTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';

/** The number of answers by status. */
function counted(answers: readonly { readonly status: number }[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The number of works that resolve to a value. */
async function succeeded(works: readonly Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(works);
  return settled.filter(({ status }) => status === 'fulfilled').length;
}

describeOnDatabases('concurrent operations of billing', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    server = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
    other = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' }, beside: server });
  });

  /** One account, reached through both servers. */
  async function account() {
    const sandbox = await verifiedTenant(server);
    const tenant = await billingOf(server, sandbox).promote();
    const through = [server, other].map((each) => billingOf(each, tenant));
    const [here, there] = through;
    if (!here || !there) throw new Error('two servers');
    return { tenant, here, there, each: [here, there, here, there] };
  }

  it('concurrent starts make one subscription', async () => {
    const { here, each } = await account();
    const answers = await Promise.all(each.map((by) => by.ask('POST', '/v1/subscriptions', { tier: 'STARTER' })));
    expect(counted(answers)).toEqual({ 201: 1, 409: 3 });
    expect(await here.payments()).toHaveLength(1);
    expect(await here.events('SUBSCRIPTION_CREATED')).toHaveLength(1);
  });

  it('concurrent verifications of a payment succeed once', async () => {
    const { here, each } = await account();
    const { payment } = await here.start();
    await here.report(payment.id);
    expect(await succeeded(each.map((by) => by.verify(payment.id)))).toBe(1);
    expect(await here.events('SUBSCRIPTION_ACTIVATED', 'PAYMENT_VERIFIED')).toHaveLength(2);
    expect(await here.notices()).toHaveLength(1);
  });

  it('a concurrent verification wins over a rejection, and all data agrees with it', async () => {
    const { here, there } = await account();
    const { payment } = await here.start();
    await here.report(payment.id);
    await Promise.allSettled([here.verify(payment.id), there.reject(payment.id)]);
    const [{ status } = { status: '' }] = await here.payments();
    const { subscriptionTier } = await here.me();
    // A verification may follow a rejection, but a rejection never follows a verification.
    expect([status, subscriptionTier]).toEqual(['VERIFIED', 'STARTER']);
  });

  describe.each([1, 2, 3])('a concurrent cancellation and report of a payment, round %i', () => {
    it('a concurrent cancellation or report of a payment succeeds, but not both', async () => {
      const { tenant, here, there } = await account();
      const { payment } = await here.start();
      const path = `/v1/payments/${payment.id}`;
      const headers = asWebApplication(tenant.tenantId);
      const answers = await Promise.all([
        here.ask('DELETE', path),
        other.request(`${path}/proof`, { method: 'PATCH', headers, body: proofForm([TEST_PNG]) }),
      ]);
      expect(counted(answers)).toEqual({ 200: 1, 409: 1 });
      const [{ status } = { status: '' }] = await there.payments();
      expect(status).toBe(answers[0]?.status === 200 ? 'CANCELLED' : 'REPORTED');
      const kept = await readRows(server, 'payment_proofs', { payment_id: payment.id }, ['id']);
      expect(kept).toHaveLength(status === 'REPORTED' ? 1 : 0);
    });
  });

  it('concurrent reports of a payment keep at most ten files', async () => {
    const { tenant, here } = await account();
    const { payment } = await here.start();
    const headers = asWebApplication(tenant.tenantId);
    const answers = await Promise.all(
      [server, other, server, other].map((by) =>
        by.request(`/v1/payments/${payment.id}/proof`, {
          method: 'PATCH',
          headers,
          body: proofForm([TEST_PNG, TEST_PNG, TEST_PNG]),
        }),
      ),
    );
    expect(counted(answers)).toEqual({ 200: 3, 400: 1 });
  });

  it('concurrent changes of plan make one payment', async () => {
    const { here, each } = await account();
    await here.subscribe();
    const answers = await Promise.all(
      each.map((by) => by.ask('POST', '/v1/subscriptions/change-tier', { tier: 'GROWTH' })),
    );
    expect(counted(answers)).toEqual({ 201: 1, 409: 3 });
    expect((await here.payments()).filter(({ purpose }) => purpose === 'TIER_CHANGE')).toHaveLength(1);
  });

  it('a concurrent end or change of plan succeeds, but not both', async () => {
    const { here, there } = await account();
    await here.subscribe({ tier: 'GROWTH' });
    const answers = await Promise.all([
      here.ask('DELETE', '/v1/subscriptions'),
      there.ask('POST', '/v1/subscriptions/change-tier', { tier: 'STARTER' }),
    ]);
    expect(counted(answers)[409]).toBe(1);
    const { subscription } = await here.mine();
    expect(subscription?.pendingTier).toBe(answers[0]?.status === 200 ? 'FREE' : 'STARTER');
  });

  it('a renewal that is verified during the expiry leaves the subscription active and consistent', async () => {
    const { here, there } = await account();
    await here.subscribe();
    const end = Date.parse((await here.mine()).subscription?.currentPeriodEnd ?? '');
    await server.tickAfter(end + 6 * DAY_MS - server.clock.now().getTime());
    const [renewal] = await here.payments();
    await here.report(renewal?.id ?? '');
    await server.clock.advance(DAY_MS);
    await Promise.all([server.tick(), other.tick(), there.verify(renewal?.id ?? '')]);
    // Reported in time: a subscription that expired first becomes active again with the verification.
    const { subscription } = await here.mine();
    expect(subscription).toMatchObject({ status: 'ACTIVE', tier: 'STARTER' });
    expect(await here.me()).toMatchObject({ subscriptionTier: 'STARTER', status: 'ACTIVE' });
    expect(await here.events('SUBSCRIPTION_EXPIRED')).toHaveLength(
      (await here.events('SUBSCRIPTION_ACTIVATED')).length - 1,
    );
  });

  it('concurrent promotions move the account once', async () => {
    const sandbox = await verifiedTenant(server);
    const through = [server, other].map((each) => billingOf(each, sandbox));
    await through[0]?.subscribe();
    await server.clock.advance(3 * DAY_MS);
    const answers = await Promise.all(through.map((by) => by.ask('POST', '/v1/tenants/promote', { tier: 'GROWTH' })));
    expect(counted(answers)).toEqual({ 200: 1, 409: 1 });
  });
});
