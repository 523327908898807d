import { beforeAll, expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, DAY_MS } from '../testing/billing-suite.js';
import { changeRows, readRow } from '../testing/change-rows.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('the quota of a paid plan', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
  });

  async function production() {
    const tenant = await billingOf(server, await verifiedTenant(server)).promote();
    return { tenant, billing: billingOf(server, tenant) };
  }

  async function quota(of: TestTenant) {
    const answer = await server.request('/v1/documents/stats', { headers: of.headers });
    return ((await answer.json()) as { stats: { quota: Readonly<Record<string, unknown>> } }).stats.quota;
  }

  it('[R174] the quota of a paid plan counts by the billing month from the payment on', async () => {
    const { tenant, billing } = await production();
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 1, documentQuota: 100 });
    await billing.subscribe();
    const { subscription } = await billing.mine();
    expect(await quota(tenant)).toEqual({
      documentCount: 0,
      documentQuota: 200,
      periodStart: subscription?.currentPeriodStart,
      periodEnd: subscription?.currentPeriodEnd,
    });
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 1, documentQuota: 200 });
    // A new calendar month does not start a new billing month.
    await server.clock.advance(12 * DAY_MS);
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 2 });
    await server.clock.advance(20 * DAY_MS);
    expect(await billing.me()).toMatchObject({ documentCount: 0, documentQuota: 200 });
    expect(await quota(tenant)).toMatchObject({ periodStart: subscription?.currentPeriodEnd });
  });

  it('the quota of a paid year does not restart with a month', async () => {
    const { tenant, billing } = await production();
    await billing.subscribe({ tier: 'GROWTH', billingInterval: 'YEARLY' });
    expect(await billing.me()).toMatchObject({ documentCount: 0, documentQuota: 12_000 });
    await createDocument(server, tenant);
    await server.clock.advance(60 * DAY_MS);
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 2, documentQuota: 12_000 });
  });

  it('the quota of an unpaid year is the quota of a month', async () => {
    const { tenant, billing } = await production();
    await billing.subscribe({ tier: 'GROWTH', billingInterval: 'YEARLY' });
    await server.tickAfter(366 * DAY_MS);
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 1, documentQuota: 1000 });
    const period = (await billing.mine()).subscription?.currentPeriodEnd ?? '';
    await changeRows(server, 'document_usage', { tenant_id: tenant.tenantId, period }, { document_count: 1000 });
    await expect(createDocument(server, tenant)).rejects.toThrow(/402.*QUOTA_EXCEEDED/);
    const [renewal] = await billing.payments();
    await billing.verify(renewal?.id ?? '');
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 1001, documentQuota: 12_000 });
  });

  it('a larger plan raises a quota that is used up', async () => {
    const { tenant, billing } = await production();
    await billing.subscribe();
    await createDocument(server, tenant);
    const { period } = await readRow(server, 'document_usage', { tenant_id: tenant.tenantId });
    await changeRows(server, 'document_usage', { tenant_id: tenant.tenantId, period }, { document_count: 199 });
    await createDocument(server, tenant);
    await expect(createDocument(server, tenant)).rejects.toThrow(/402.*QUOTA_EXCEEDED/);
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.verify(payment?.id ?? '');
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 201, documentQuota: 1000 });
  });

  it('an expired subscription returns the quota to the calendar month and the free plan', async () => {
    const { tenant, billing } = await production();
    await billing.subscribe();
    await createDocument(server, tenant);
    for (const days of [25, 20]) {
      await server.tickAfter(days * DAY_MS);
    }
    expect(await billing.me()).toMatchObject({ documentCount: 0, documentQuota: 100, status: 'PAST_DUE' });
    expect((await quota(tenant))['periodStart']).toMatch(/^\d{4}-\d\d-01T05:00:00.000Z$/);
    await createDocument(server, tenant);
    expect(await billing.me()).toMatchObject({ documentCount: 1 });
  });

  it('the quota restarts with the move to production', async () => {
    const sandbox = await verifiedTenant(server);
    const billing = billingOf(server, sandbox);
    await billing.subscribe();
    await createDocument(server, sandbox);
    await server.clock.advance(5 * DAY_MS);
    const moved = billingOf(server, await billing.promote());
    expect(await moved.me()).toMatchObject({ documentCount: 0, documentQuota: 200 });
  });
});
