import { beforeAll, expect, it } from 'vitest';
import { ADMIN_SETTINGS, askAsOperator, auditOf } from '../testing/admin-access.js';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { readyTenant, setStatus, WEB_SETTINGS } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, register, registerTenant, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('the operator and accounts', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { ...ADMIN_SETTINGS, ...WEB_SETTINGS, ONBOARDING_RATE: '1000/1h' } });
    tenant = await registerTenant(server, { email: 'Primera_100%@ejemplo.ec', businessName: 'La Primera S.A.' });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsOperator(server, method, path, body);
  const refused = async (method: string, path: string, body: unknown, reported: readonly unknown[]) => {
    const before = await storedRows(server);
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.code, answer.body.reason ?? null]).toEqual(reported);
    expect(await storedRows(server)).toEqual(before);
  };
  const eventsOf = async (of: TestTenant) => (await ask('GET', `tenants/${of.tenantId}/events`)).body.events;

  it('lists accounts, newest first, by status, tier, RUC and address', async () => {
    const others = [await registerTenant(server), await registerTenant(server)];
    await setStatus(server, others[0] as TestTenant, 'ACTIVE');
    const { body } = await ask('GET', 'tenants');
    const ids = body.tenants.map(({ id }) => id);
    expect(ids).toEqual([...others.map(({ tenantId }) => tenantId).reverse(), tenant.tenantId]);
    expect(body.pagination).toEqual({ total: 3, page: 1, limit: 20 });
    expect(body.tenants.at(-1)).toEqual({
      id: tenant.tenantId,
      email: 'Primera_100%@ejemplo.ec',
      ruc: expect.stringMatching(/^\d{13}$/),
      businessName: 'La Primera S.A.',
      subscriptionTier: 'FREE',
      status: 'PENDING_VERIFICATION',
      suspensionReasonCode: null,
      sandbox: true,
      language: 'es',
      agreementAcceptedAt: null,
      agreementVersion: null,
      createdAt: server.clock.now().toISOString(),
    });
    const found = async (query: string) => (await ask('GET', `tenants?${query}`)).body.pagination.total;
    expect(await found('status=ACTIVE')).toBe(1);
    expect(await found('tier=FREE')).toBe(3);
    expect(await found('tier=GROWTH')).toBe(0);
    expect(await found('email=PRIMERA_100%25')).toBe(1);
    expect(await found('email=%25')).toBe(1);
    expect(await found('email=_')).toBe(1);
    expect(await found('email=%5C')).toBe(0);
    expect(await found(`ruc=${body.tenants.at(-1)?.ruc.slice(2, 11)}`)).toBe(1);
    const second = (await ask('GET', 'tenants?page=2&limit=2')).body;
    expect(second.tenants.map(({ id }) => id)).toEqual([tenant.tenantId]);
    expect(second.pagination).toEqual({ total: 3, page: 2, limit: 2 });
  });

  it('[R114] [R339] suspends an account and ends the suspension, with both entries in the history and the record', async () => {
    const path = `tenants/${tenant.tenantId}/status`;
    await refused('PATCH', path, { status: 'ACTIVE' }, [409, 'CONFLICT', 'NOT_SUSPENDED']);
    await refused('PATCH', path, { status: 'SUSPENDED' }, [400, 'VALIDATION_FAILED', null]);
    await refused('PATCH', path, { status: 'SUSPENDED', suspensionReasonCode: 'X' }, [400, 'VALIDATION_FAILED', null]);
    const suspended = await ask('PATCH', path, { status: 'SUSPENDED', suspensionReasonCode: 'FRAUD_SUSPECTED' });
    expect([suspended.status, suspended.body.tenant.status]).toEqual([200, 'SUSPENDED']);
    expect(suspended.body.tenant.suspensionReasonCode).toBe('FRAUD_SUSPECTED');
    await refused('PATCH', path, { status: 'SUSPENDED', suspensionReasonCode: 'OTHER' }, [
      409,
      'CONFLICT',
      'ALREADY_SUSPENDED',
    ]);
    const refusal = await server.request('/v1/tenants/language', {
      method: 'PATCH',
      headers: { ...tenant.auth, 'content-type': 'application/json' },
      body: '{"language":"en"}',
    });
    expect(refusal.status).toBe(403);
    const ended = await ask('PATCH', path, { status: 'ACTIVE' });
    expect([ended.status, ended.body.tenant.status]).toEqual([200, 'PENDING_VERIFICATION']);
    const changes = (await eventsOf(tenant)).filter(({ eventType }) => eventType === 'STATUS_CHANGED');
    expect(changes.map(({ detail }) => detail)).toEqual([
      { from: 'PENDING_VERIFICATION', to: 'SUSPENDED', reasonCode: 'FRAUD_SUSPECTED' },
      { from: 'SUSPENDED', to: 'PENDING_VERIFICATION' },
    ]);
    const [unsuspend, suspend] = await auditOf(server, tenant.tenantId);
    const state = { subscriptionTier: 'FREE', environment: 'sandbox' };
    expect(suspend).toEqual({
      id: expect.any(String),
      actor: 'ana',
      channel: 'HTTP',
      action: 'tenant.suspend',
      targetType: 'tenant',
      targetId: tenant.tenantId,
      before: { ...state, status: 'PENDING_VERIFICATION', suspensionReasonCode: null },
      after: { ...state, status: 'SUSPENDED', suspensionReasonCode: 'FRAUD_SUSPECTED' },
      createdAt: server.clock.now().toISOString(),
    });
    expect(unsuspend).toMatchObject({ action: 'tenant.unsuspend', after: { status: 'PENDING_VERIFICATION' } });
  });

  it('[R336] sets a tier without a payment, unless a subscription determines it', async () => {
    const path = `tenants/${tenant.tenantId}/tier`;
    await refused('PATCH', path, { subscriptionTier: 'FREE' }, [400, 'TIER_CHANGE_NO_OP', null]);
    await refused('PATCH', path, { subscriptionTier: 'GOLD' }, [400, 'VALIDATION_FAILED', null]);
    const changed = await ask('PATCH', path, { subscriptionTier: 'BUSINESS' });
    expect([changed.status, changed.body.tenant]).toMatchObject([
      200,
      { subscriptionTier: 'BUSINESS', documentQuota: 4000, documentCount: 0 },
    ]);
    expect((await eventsOf(tenant)).at(-1)).toMatchObject({
      eventType: 'TIER_CHANGED',
      detail: { fromTier: 'FREE', toTier: 'BUSINESS' },
    });
    const [entry] = await auditOf(server, tenant.tenantId);
    expect(entry).toMatchObject({
      action: 'tenant.set-tier',
      before: { subscriptionTier: 'FREE' },
      after: { subscriptionTier: 'BUSINESS' },
    });
    await server.services.database.transaction(async (tables) => {
      const at = server.clock.now().getTime();
      await tables
        .insertInto('subscriptions')
        .values({
          id: '00000000-0000-7000-8000-00000000aaaa',
          tenant_id: tenant.tenantId,
          tier: 'BUSINESS',
          billing_interval: 'MONTHLY',
          status: 'ACTIVE',
          pending_is_paid: 0,
          extra_seats: 0,
          created_at: at,
          updated_at: at,
          anchor: at,
          current_period_start: at,
          current_period_end: at + 30 * 86_400_000,
        })
        .execute();
    });
    await refused('PATCH', path, { subscriptionTier: 'FREE' }, [409, 'SUBSCRIPTION_ALREADY_IN_FLIGHT', null]);
  });

  it('marks an address as verified, ends open links, and names the operator in the history', async () => {
    const fresh = await registerTenant(server);
    const path = `tenants/${fresh.tenantId}/verify`;
    await setStatus(server, fresh, 'SUSPENDED');
    await refused('POST', path, undefined, [403, 'ACCOUNT_SUSPENDED', null]);
    await setStatus(server, fresh, 'PENDING_VERIFICATION');
    expect((await ask('POST', path)).body.tenant.status).toBe('ACTIVE');
    await refused('POST', path, undefined, [409, 'CONFLICT', 'ALREADY_VERIFIED']);
    await server.tick();
    const mail = (await server.mails()).at(-1) ?? '';
    const token = /\n([0-9a-f]{64})\n/.exec(mail)?.[1] ?? 'none';
    const link = await postJson(server, '/v1/verify-email', {}, { token });
    expect(link.status).toBe(400);
    const types = (await eventsOf(fresh)).map(({ eventType }) => eventType);
    expect(types).toContain('STATUS_CHANGED');
    expect(types).not.toContain('EMAIL_VERIFIED');
    expect((await auditOf(server, fresh.tenantId))[0]).toMatchObject({
      action: 'tenant.verify',
      before: { status: 'PENDING_VERIFICATION' },
      after: { status: 'ACTIVE' },
    });
  });

  it('moves an account to production, and returns its tokens only in the answer', async () => {
    const ready = await readyTenant(server);
    const path = `tenants/${ready.tenantId}/promote`;
    await refused('POST', path, { initialSequentials: [{ issuerId: ready.issuerId }] }, [
      400,
      'VALIDATION_FAILED',
      null,
    ]);
    await setStatus(server, ready, 'SUSPENDED');
    await refused('POST', path, {}, [403, 'ACCOUNT_SUSPENDED', null]);
    await setStatus(server, ready, 'ACTIVE');
    const initialSequentials = [{ issuerId: ready.issuerId, documentType: '01', sequential: 77 }];
    const { status, body } = await ask('POST', path, { initialSequentials });
    expect([status, body.environment, body.tenant.sandbox]).toEqual([200, 'production', false]);
    const apiKey = body.apiKeys[0]?.apiKey ?? '';
    const headers = { authorization: `Bearer ${apiKey}`, 'x-issuer-id': ready.issuerId };
    expect((await createDocument(server, { ...ready, headers })).sequential).toBe('000000077');
    await refused('POST', path, {}, [409, 'CONFLICT', 'ALREADY_IN_PRODUCTION']);
    const entries = await auditOf(server, ready.tenantId);
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'tenant.promote',
        before: expect.objectContaining({ environment: 'sandbox' }),
        after: expect.objectContaining({ environment: 'production' }),
      }),
    ]);
    expect(JSON.stringify(entries)).not.toContain(apiKey);
    const unready = await registerTenant(server);
    await refused('POST', `tenants/${unready.tenantId}/promote`, {}, [403, 'EMAIL_VERIFICATION_REQUIRED', null]);
  });

  it('publishes agreements, and each account gets its copy', async () => {
    const draft = { documentType: 'TERMS', version: '9.0', contentMarkdown: '# Nuevos\n\n{{businessName}}' };
    await refused('POST', 'agreements', { ...draft, contentMarkdown: '{{unknown}}' }, [400, 'VALIDATION_FAILED', null]);
    await refused('POST', 'agreements', { ...draft, contentMarkdown: { es: 'x' } }, [400, 'VALIDATION_FAILED', null]);
    expect((await ask('POST', 'agreements', draft)).status).toBe(201);
    await refused('POST', 'agreements', draft, [409, 'CONFLICT', 'VERSION_ALREADY_PUBLISHED']);
    const shown = await server.request('/v1/tenants/agreements', { headers: tenant.auth });
    const { agreements } = (await shown.json()) as { agreements: { outdated: readonly { currentVersion: string }[] } };
    expect(agreements.outdated.map(({ currentVersion }) => currentVersion)).toContain('9.0');
    expect(await auditOf(server, 'TERMS')).toEqual([
      expect.objectContaining({ action: 'agreement.publish', before: { version: '1.0' }, after: { version: '9.0' } }),
    ]);
    const both = { documentType: 'DPA', version: '2', contentMarkdown: { es: 'Hola', en: 'Hello' } };
    expect((await ask('POST', 'agreements', both)).status).toBe(201);
  });

  it('pages the record, newest first, by action', async () => {
    const { body } = await ask('GET', 'audit?limit=2');
    expect(body.entries.map(({ action }) => action)).toEqual(['agreement.publish', 'agreement.publish']);
    expect(body.pagination).toEqual({ total: 7, page: 1, limit: 2 });
    expect((await ask('GET', 'audit?action=tenant.suspend')).body.pagination.total).toBe(1);
    expect((await ask('GET', 'audit?page=4&limit=2')).body.entries).toHaveLength(1);
  });

  it('verifies an account once for concurrent operators', async () => {
    const twin = await registerTenant(server);
    const path = `tenants/${twin.tenantId}/verify`;
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await auditOf(server, twin.tenantId)).toHaveLength(1);
  });

  it('a concurrent registration does not block the list of accounts', async () => {
    const [listed, registered] = await Promise.all([ask('GET', 'tenants'), register(server, { ruc: '1799999999001' })]);
    expect([listed.status, registered.status]).toEqual([200, 201]);
  });
});
