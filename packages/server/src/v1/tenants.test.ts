import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, registerTenant } from '../testing/test-tenant.js';

describeOnDatabases('the own account', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  it('[R013] [R014] [R015] [R016] [R018] [R019] [R020] [R021] [R022] [R171] [R309] shows twelve fields, for any key', async () => {
    const tenant = await registerTenant(server, { email: 'yo@ejemplo.ec' });
    const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ok: true,
      tenant: {
        id: tenant.tenantId,
        email: 'yo@ejemplo.ec',
        subscriptionTier: 'FREE',
        status: 'PENDING_VERIFICATION',
        suspensionReasonCode: null,
        documentCount: 0,
        documentQuota: 100,
        extraSeats: 0,
        pendingExtraSeats: null,
        sandbox: true,
        agreementAcceptedAt: null,
        agreementVersion: null,
      },
    });
  });

  it('[R017] counts the documents of the current month', async () => {
    const tenant = await registerTenant(server);
    const count = async () => {
      const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
      return ((await response.json()) as { tenant: { documentCount: number } }).tenant.documentCount;
    };
    await Promise.all([1, 2, 3].map(() => createDocument(server, tenant)));
    expect(await count()).toBe(3);
    server.clock.set('2026-12-01T04:59:00Z');
    expect(await count()).toBe(3);
    server.clock.set('2026-12-01T05:00:00Z');
    expect(await count()).toBe(0);
    server.clock.set('2026-11-21T15:00:00Z');
  });

  it('[R173] [R311] asks for a key', async () => {
    const response = await server.request('/v1/tenants/me');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ status: 401, code: 'UNAUTHORIZED', detail: expect.any(String) });
  });

  it('[R172] [R326] is shown to a suspended account, with the reason', async () => {
    const tenant = await registerTenant(server);
    await server.services.database.transaction((tables) =>
      tables
        .updateTable('tenants')
        .set({ status: 'SUSPENDED', suspension_reason: 'OTHER' })
        .where('id', '=', tenant.tenantId)
        .execute(),
    );
    const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
    expect(await response.json()).toMatchObject({ tenant: { status: 'SUSPENDED', suspensionReasonCode: 'OTHER' } });
  });

  it('[R173] [R385] answers 120 times a minute and key', async () => {
    const tenant = await registerTenant(server);
    const other = await registerTenant(server);
    const ask = (headers: Record<string, string>) => server.request('/v1/tenants/me', { headers });
    const responses = await Promise.all(Array.from({ length: 125 }, () => ask({ ...tenant.auth })));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await ask({ ...other.auth })).status).toBe(200);
    await server.clock.advance(60_000);
    const after = await ask({ ...tenant.auth });
    expect([after.status, after.headers.get('ratelimit-limit'), after.headers.get('ratelimit-remaining')]).toEqual([
      200,
      '120',
      '119',
    ]);
  });

  it('[R175] [R176] [R385] history is oldest first, and asks for a key', async () => {
    const tenant = await registerTenant(server);
    await server.tick();
    const response = await server.request('/v1/tenants/events', { headers: tenant.auth });
    const { events } = (await response.json()) as { events: { eventType: string }[] };
    expect(events.map(({ eventType }) => eventType)).toEqual(['CERTIFICATE_UPLOADED', 'VERIFICATION_EMAIL_SENT']);
    expect(response.headers.get('ratelimit-limit')).toBe('60');
    expect((await server.request('/v1/tenants/events')).status).toBe(401);
  });
});
