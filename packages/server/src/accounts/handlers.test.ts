import { beforeAll, describe, expect, it } from 'vitest';
import { Exchange } from '../platform/http/exchange.js';
import { changeKeys, changeTenant } from '../testing/change-rows.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { getTenantEvents } from './handlers.js';
import { findTenant } from './rows.js';

describeOnDatabases('the own account', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  it('[R013] [R014] [R015] [R016] [R018] [R019] [R020] [R021] [R022] [R171] [R309] shows twelve fields of the account with any key', async () => {
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
    const count = async () => (await ownAccount(server, tenant))['documentCount'];
    await Promise.all([1, 2, 3].map(() => createDocument(server, tenant)));
    expect(await count()).toBe(3);
    server.clock.set('2026-12-01T04:59:00Z');
    expect(await count()).toBe(3);
    server.clock.set('2026-12-01T05:00:00Z');
    expect(await count()).toBe(0);
    server.clock.set('2026-11-21T15:00:00Z');
  });

  it('[R173] [R311] the account requires a key', async () => {
    const response = await server.request('/v1/tenants/me');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ status: 401, code: 'UNAUTHORIZED', detail: expect.any(String) });
  });

  it('[R172] [R326] shows the account and the reason to a suspended account', async () => {
    const tenant = await registerTenant(server);
    await changeTenant(server, tenant, { status: 'SUSPENDED', suspension_reason: 'OTHER' });
    expect(await ownAccount(server, tenant)).toMatchObject({ status: 'SUSPENDED', suspensionReasonCode: 'OTHER' });
  });

  it('[R173] [R385] answers each key 120 times a minute', async () => {
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

  it('[R175] [R176] [R385] lists the history oldest first, and requires a key', async () => {
    const tenant = await registerTenant(server);
    await server.tick();
    const response = await server.request('/v1/tenants/events', { headers: tenant.auth });
    const { ok, events } = (await response.json()) as { ok: boolean; events: { eventType: string }[] };
    expect(ok).toBe(true);
    expect(events.map(({ eventType }) => eventType)).toEqual(['CERTIFICATE_UPLOADED', 'VERIFICATION_EMAIL_SENT']);
    for (const event of events) {
      expect(event).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        eventType: expect.any(String),
        detail: expect.any(Object),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
    expect(response.headers.get('ratelimit-limit')).toBe('60');
    expect((await server.request('/v1/tenants/events')).status).toBe(401);
  });

  it('[R175] lists a long history whole, entries of one moment by their ids, and no entries without events', async () => {
    const tenant = await registerTenant(server);
    const { database, registration } = server.services;
    const at = server.clock.now();
    const ids = Array.from({ length: 1200 }, () => registration.newId(at));
    await database.transaction(async (tables) => {
      await tables.deleteFrom('tenant_events').where('tenant_id', '=', tenant.tenantId).execute();
    });
    expect(await ownHistory(server, tenant)).toEqual([]);
    await database.transaction(async (tables) => {
      for (const id of ids.toReversed()) {
        const event = { id, tenant_id: tenant.tenantId, event_type: 'PAYMENT_REPORTED', detail: null };
        await tables
          .insertInto('tenant_events')
          .values({ ...event, created_at: at.getTime() })
          .execute();
      }
    });
    const events = await ownHistory(server, tenant);
    expect(events.map(({ id }) => id)).toEqual(ids);
    expect(events[0]?.detail).toBeNull();
  });

  it('[R176] [R385] shows the history 60 times a minute and key', async () => {
    const tenant = await registerTenant(server);
    const ask = () => server.request('/v1/tenants/events', { headers: tenant.auth });
    const statuses = (await Promise.all(Array.from({ length: 65 }, ask))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const refused = await ask();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  it('[R176] does not find the history of a deleted account', async () => {
    const tenant = await registerTenant(server);
    const known = await server.services.database.read((tables) => findTenant(tables, tenant.tenantId));
    if (!known) throw new Error('The account is not there.');
    const gone = { ...known, id: '00000000-0000-7000-8000-000000000000' };
    const request = new Request('http://localhost/v1/tenants/events');
    const incoming = { request, path: '/v1/tenants/events', search: '', params: {}, socketAddress: null };
    const exchange = new Exchange(incoming, server.services);
    const prepared = await getTenantEvents.prepare(exchange);
    const context = { tenant: gone, environment: gone.environment, keyId: null, scopes: [] };
    await expect(prepared.answer({ exchange, context })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('[R175] [R176] shows the history of one account alone', async () => {
    const [one, two] = [await registerTenant(server), await registerTenant(server)];
    const events = await ownHistory(server, one);
    expect(events).toHaveLength(1);
    expect(await ownHistory(server, two)).not.toEqual(events);
  });

  describe('the language of an account', () => {
    const change = (of: TestTenant, body: unknown) => sendJson(server, 'PATCH', '/v1/tenants/language', of.auth, body);

    it('[R304] [R319] a new language applies to answers and mails from then on', async () => {
      const tenant = await registerTenant(server, { email: 'idioma@ejemplo.ec' });
      const detail = async (headers: Record<string, string> = {}) => {
        const path = `/v1/issuers/${tenant.issuerId}/sequentials/07`;
        const init = { method: 'PATCH', headers: { ...tenant.auth, 'content-type': 'application/json', ...headers } };
        const response = await server.request(path, { ...init, body: '{}' });
        const { title } = (await response.json()) as { title: string };
        return `${response.headers.get('content-language')} ${title}`;
      };
      expect(await detail()).toBe('es Datos inválidos');
      expect(await (await change(tenant, { language: 'en' })).json()).toEqual({ ok: true, language: 'en' });
      expect(await detail()).toBe('en Invalid data');
      expect(await detail({ 'accept-language': 'es' })).toBe('es Datos inválidos');
      await server.clock.advance(61_000);
      await postJson(server, '/v1/resend-verification', {}, { email: 'idioma@ejemplo.ec' });
      await server.services.background.idle();
      await server.tick();
      const subjects = (await server.mails())
        .filter((mail) => mail.includes('idioma@ejemplo.ec'))
        .map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]);
      expect(subjects).toContain('Confirm your e-mail');
      expect((await change(tenant, { language: 'es' })).status).toBe(200);
      expect(await detail()).toBe('es Datos inválidos');
    });

    it.each([
      [{}, 'required'],
      [{ language: null }, 'choice'],
      [{ language: 'fr' }, 'choice'],
      [{ language: 'ES' }, 'choice'],
      [{ language: ['es'] }, 'choice'],
    ])('[R304] rejects a language other than the two: %j', async (body, rule) => {
      const tenant = await registerTenant(server);
      const answer = await change(tenant, body);
      expect(await answer.json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'language', rule }],
      });
    });

    it('[R319] a change of language requires tenant:manage', async () => {
      const tenant = await registerTenant(server);
      const scopes = (list: string[]) => changeKeys(server, tenant, { scopes: JSON.stringify(list) });
      await scopes(['documents:write', 'tenant:promote']);
      const refused = await change(tenant, { language: 'en' });
      expect(await refused.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'tenant:manage' });
      await scopes(['tenant:manage']);
      expect((await change(tenant, { language: 'en' })).status).toBe(200);
    });
  });

  it('lists the events of one moment in order across pages', async () => {
    const tenant = await registerTenant(server);
    const id = (index: number) => `0197f3a0-c5d2-7b1e-8000-${String(index).padStart(12, '0')}`;
    const at = server.clock.now().getTime() + 1000;
    // Several events at one moment, across page boundaries.
    const rows = Array.from({ length: 130 }, (_, index) => ({
      id: id(index),
      tenant_id: tenant.tenantId,
      event_type: 'CERTIFICATE_UPDATED',
      detail: null,
      created_at: at + Math.floor(index / 30),
    }));
    await server.services.database.transaction((tables) =>
      tables.insertInto('tenant_events').values(rows.toReversed()).execute(),
    );
    const events = await ownHistory(server, tenant);
    const listed = events.filter(({ eventType }) => eventType === 'CERTIFICATE_UPDATED');
    expect(listed.map((event) => event.id)).toEqual(rows.map((row) => row.id));
  });
});
