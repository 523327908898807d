import { DOCUMENT_TYPES } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../app.js';
import { changeRows } from '../testing/change-rows.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import { asWebApplication, setStatus, WEB_SECRET, WEB_SETTINGS } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('a server for the operator’s own companies', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open({ settings: { ...WEB_SETTINGS, USE: 'own', QUOTA_ENFORCEMENT: 'all' } });
    const fromOperator: typeof server.request = (path, init, address) =>
      server.request(
        path,
        { ...init, headers: { ...init?.headers, 'x-internal-service-secret': WEB_SECRET } },
        address,
      );
    tenant = await registerTenant({ request: fromOperator });
    await setStatus(server, tenant, 'ACTIVE');
  });

  const me = (of = tenant, at = server) => ownAccount(at, of);

  it('USE=own gives accounts the plan without limits, with every document type', async () => {
    expect(await me()).toMatchObject({ subscriptionTier: 'OWN', documentQuota: 1_000_000_000 });
    for (const documentType of DOCUMENT_TYPES.filter((type) => type !== '01')) {
      const added = await postJson(server, `/v1/issuers/${tenant.issuerId}/document-types`, tenant.headers, {
        documentType,
      });
      expect([documentType, added.status]).toEqual([documentType, expect.toSatisfy((status) => status < 300)]);
    }
    // Ten times the limit of the free plan, counted and not created.
    await server.services.database.transaction((tables) =>
      tables
        .insertInto('document_usage')
        .values({ tenant_id: tenant.tenantId, environment: 'sandbox', period: '2026-11', document_count: 1_000 })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    expect((await createDocument(server, tenant)).status).toBe('SIGNED');
    const { keys, limit } = (await (await server.request('/v1/keys', { headers: tenant.auth })).json()) as {
      keys: unknown[];
      limit: { max: number };
    };
    expect([keys.length, limit.max]).toEqual([1, 100_000]);
  });

  it('USE=own accepts a registration from the operator only', async () => {
    const answer = await server.request('/v1/register', { method: 'POST', body: new FormData() });
    expect(answer.status).toBe(403);
    // The link of a mail in a browser.
    const link = `/v1/verify-email?token=${'0'.repeat(64)}`;
    const refused = await server.request(link, { headers: { accept: 'text/html' } });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('USE=own requires no agreement and no payment', async () => {
    const standing = await server.request('/v1/tenants/agreements', { headers: tenant.auth });
    expect(await standing.json()).toMatchObject({ agreements: { needsAcceptance: false, agreementsEnabled: false } });
    const web = asWebApplication(tenant.tenantId);
    const app = createApp(server.services);
    for (const [method, path] of [
      ['POST', '/v1/subscriptions'],
      ['GET', '/v1/payments'],
      ['GET', '/v1/tiers'],
    ] as const) {
      expect((await app.request(path, { method, headers: web })).status, path).toBe(404);
    }
    const mine = await server.request('/v1/subscriptions/me', { headers: tenant.auth });
    expect(await mine.json()).toMatchObject({ subscriptions: [], subscription: null });
  });

  it('the first start with USE=own moves older accounts to its plan, except with an active subscription', async () => {
    const service = await open();
    const other = await registerTenant(service);
    const paying = await registerTenant(service);
    const at = service.clock.now().getTime();
    await service.services.database.transaction(async (tables) => {
      const ids = [other.tenantId, paying.tenantId];
      await tables.updateTable('tenants').set({ subscription_tier: 'STARTER' }).where('id', 'in', ids).execute();
      await tables
        .insertInto('subscriptions')
        .values({
          ...{ id: crypto.randomUUID(), tenant_id: paying.tenantId, tier: 'STARTER', billing_interval: 'MONTHLY' },
          ...{ status: 'ACTIVE', pending_is_paid: 0, extra_seats: 0, created_at: at, updated_at: at },
        })
        .execute();
    });
    for (let start = 0; start < 2; start += 1) await open({ beside: service, settings: { USE: 'own' } });
    expect(await me(other, service)).toMatchObject({ subscriptionTier: 'OWN' });
    expect(await me(paying, service)).toMatchObject({ subscriptionTier: 'STARTER' });
    const events = await ownHistory(service, other);
    expect(events.filter(({ eventType }) => eventType === 'TIER_CHANGED')).toMatchObject([
      { detail: { fromTier: 'STARTER', toTier: 'OWN', subscriptionId: null } },
    ]);
  });

  it('a refusal by a plan of a service explains USE=own', async () => {
    const service = await open({ settings: { QUOTA_ENFORCEMENT: 'all' } });
    const free = await registerTenant(service);
    await changeRows(service, 'document_usage', { tenant_id: free.tenantId }, { document_count: 100 });
    const documents = documentsOf(service, free);
    await documents.create();
    await changeRows(service, 'document_usage', { tenant_id: free.tenantId }, { document_count: 100 });
    const refused = await documents.post('', SIMPLE_INVOICE);
    expect(refused.status).toBe(402);
    expect(((await refused.json()) as { detail: string }).detail).toContain('USE=own');
  });
});
