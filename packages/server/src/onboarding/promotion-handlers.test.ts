import { beforeAll, describe, expect, it } from 'vitest';
import { changeTenant } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { UNKNOWN_ID } from '../testing/issuer-suite.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import {
  acceptAgreements,
  askPromotion,
  asWebApplication,
  promoted,
  readyTenant,
  setStatus,
  verifiedTenant,
  WEB_SECRET,
  WEB_SETTINGS,
} from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, SIMPLE_INVOICE, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { promote } from './promote.js';

const PATH = '/v1/tenants/promote';

interface Answered {
  readonly apiKeys: readonly { readonly label: string | null; readonly apiKey: string }[];
  readonly tenant: Record<string, unknown>;
}

describeOnDatabases('the move to production', await databaseKinds(), (open) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: WEB_SETTINGS });
  });

  const get = (of: TestTenant, path: string) => server.request(path, { headers: of.auth });

  async function sequentials(of: TestTenant, issuerId = of.issuerId): Promise<unknown> {
    const response = await get(of, `/v1/issuers/${issuerId}/sequentials`);
    return ((await response.json()) as { sequentials: unknown }).sequentials;
  }

  function setNext(of: TestTenant, documentType: string, nextSequential: number): Promise<Response> {
    return sendJson(server, 'PATCH', `/v1/issuers/${of.issuerId}/sequentials/${documentType}`, of.auth, {
      environment: 'production',
      nextSequential,
    });
  }

  /** The stored state that a promotion may change. */
  async function snapshot(of: TestTenant) {
    const { database } = server.services;
    return database.read(async (tables) => ({
      tenant: await tables.selectFrom('tenants').selectAll().where('id', '=', of.tenantId).execute(),
      keys: (await tables.selectFrom('api_keys').selectAll().where('tenant_id', '=', of.tenantId).execute())
        .map(({ request_count, last_used_at, ...key }) => key)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      events: await tables.selectFrom('tenant_events').selectAll().where('tenant_id', '=', of.tenantId).execute(),
      counters: await tables
        .selectFrom('sri_sequentials')
        .selectAll()
        .where('issuer_id', '=', of.issuerId)
        .where('environment', '=', 'production')
        .execute(),
    }));
  }

  it('[R021] [R304] a promotion mirrors the keys, returns their tokens once, and shows in the account and its history', async () => {
    const tenant = await readyTenant(server);
    await createDocument(server, tenant);
    const answer = await askPromotion(server, tenant);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as Answered;
    expect(body).toEqual({
      ok: true,
      apiKeys: [{ label: 'Initial master key', apiKey: expect.stringMatching(/^sri_live_[0-9A-Za-z]{38}$/) }],
      tenant: {
        id: tenant.tenantId,
        email: expect.any(String),
        subscriptionTier: 'FREE',
        status: 'ACTIVE',
        suspensionReasonCode: null,
        documentCount: 0,
        documentQuota: 100,
        extraSeats: 0,
        pendingExtraSeats: null,
        sandbox: false,
        agreementAcceptedAt: expect.any(String),
        agreementVersion: '1.0',
      },
      environment: 'production',
    });
    const production = { ...tenant, auth: { authorization: `Bearer ${body.apiKeys[0]?.apiKey}` } };
    expect(await ownAccount(server, production)).toMatchObject(body.tenant);
    expect((await ownHistory(server, production)).at(-1)).toMatchObject({
      eventType: 'TENANT_PROMOTED',
      detail: { environment: 'production' },
    });
    const { keys } = await snapshot(tenant);
    expect(JSON.stringify(keys)).not.toContain(body.apiKeys[0]?.apiKey);
    expect(
      keys.map((key) => [
        key.environment,
        key.active,
        key.revoked_at === null,
        key.label,
        JSON.parse(key.scopes).length,
      ]),
    ).toEqual([
      ['sandbox', 0, false, 'Initial master key', 9],
      ['production', 1, true, 'Initial master key', 9],
    ]);
  });

  it('a promotion keeps label and scopes of each key, oldest first, and leaves revoked keys revoked', async () => {
    const tenant = await readyTenant(server);
    await changeTenant(server, tenant, { subscription_tier: 'STARTER' });
    const make = async (body: unknown) =>
      (await (await postJson(server, '/v1/keys', tenant.auth, body)).json()) as { apiKey: string; key: { id: string } };
    await server.clock.advance(1000);
    const till = await make({ label: 'Caja', scopes: ['documents:write', 'documents:read'] });
    await server.clock.advance(1000);
    await make({ label: null, scopes: ['issuers:read'] });
    const gone = await make({ label: 'Vieja' });
    await server.request(`/v1/keys/${gone.key.id}`, { method: 'DELETE', headers: tenant.auth });
    const body = (await (await askPromotion(server, tenant)).json()) as Answered;
    expect(body.apiKeys.map(({ label }) => label)).toEqual(['Initial master key', 'Caja', null]);
    for (const token of [tenant.apiKey, till.apiKey, gone.apiKey]) {
      const refused = await server.request('/v1/tenants/me', { headers: { authorization: `Bearer ${token}` } });
      expect(refused.status).toBe(401);
    }
    const caja = { authorization: `Bearer ${body.apiKeys[1]?.apiKey}` };
    const denied = await server.request('/v1/issuers', { headers: caja });
    expect(await denied.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'issuers:read' });
    const listed = await server.request('/v1/documents', { headers: { ...caja, 'x-issuer-id': tenant.issuerId } });
    expect(listed.status).toBe(200);
  });

  it('[R179] the mirrors of the web application’s keys are neither listed nor counted', async () => {
    const own = await open({ settings: { ...WEB_SETTINGS, ONBOARDING: 'internal' } });
    const secret = { 'x-internal-service-secret': WEB_SECRET };
    const request: TestServer['request'] = (path, init, address) =>
      own.request(path, { ...init, headers: { ...secret, ...(init?.headers as Record<string, string>) } }, address);
    const tenant = await readyTenant({ ...own, request });
    const production = await promoted(own, tenant);
    const keys = await own.request('/v1/keys', { headers: production.auth });
    expect(await keys.json()).toMatchObject({ keys: [], limit: { used: 0 } });
  });

  describe('an account after its promotion', () => {
    it('[R012] [R312] new documents are of production and numbered from the start, and documents of the sandbox are hidden', async () => {
      const tenant = await readyTenant(server);
      const tried = await createDocument(server, tenant);
      await createDocument(server, tenant);
      const production = await promoted(server, tenant);
      const documents = documentsOf(server, production);
      expect((await documents.get(tried.accessKey)).status).toBe(404);
      const old = await server.request('/v1/tenants/me', { headers: tenant.auth });
      expect(await old.json()).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });

      const document = await documents.authorized();
      expect(document).toMatchObject({ sequential: '000000001', status: 'AUTHORIZED' });
      expect(document.accessKey[23]).toBe('2');
      const calls = server.simulator.journal.filter(({ accessKey }) => accessKey === document.accessKey);
      expect(calls.map(({ operation, environment }) => `${operation} ${environment}`)).toEqual([
        'reception production',
        'authorization production',
      ]);
      expect(tried.accessKey[23]).toBe('1');
      expect(await ownAccount(server, production)).toMatchObject({ documentCount: 1, sandbox: false });
      expect(await (await documents.get('')).json()).toMatchObject({ pagination: { total: 1 } });
    });

    it('[R312] rejects a later sandbox key with the reason', async () => {
      const production = await promoted(server, await readyTenant(server));
      await changeTenant(server, production, { subscription_tier: 'STARTER' });
      const made = await postJson(server, '/v1/keys', production.auth, { environment: 'sandbox' });
      expect(made.status).toBe(201);
      const { apiKey } = (await made.json()) as { apiKey: string };
      const refused = await server.request('/v1/tenants/me', { headers: { authorization: `Bearer ${apiKey}` } });
      expect(await refused.json()).toMatchObject({ status: 401, reason: 'API_KEY_ENV_MISMATCH' });
    });

    it('the quota of production counts from zero', async () => {
      const production = await promoted(server, await readyTenant(server));
      await server.services.database.transaction((tables) =>
        tables
          .insertInto('document_usage')
          .values({
            tenant_id: production.tenantId,
            environment: 'production',
            period: '2026-11-01',
            document_count: 99,
          })
          .execute(),
      );
      await createDocument(server, production);
      const refused = await postJson(server, '/v1/documents', production.headers, SIMPLE_INVOICE);
      expect(await refused.json()).toMatchObject({ status: 402, code: 'QUOTA_EXCEEDED' });
    });
  });

  describe('the counters of production', () => {
    const initial = (numbers: Record<string, number>) =>
      JSON.stringify(Object.entries(numbers).map(([documentType, sequential]) => ({ documentType, sequential })));

    it('a counter starts at the listed number, else the set number, else the registered number, else 1', async () => {
      const tenant = await readyTenant(server, {
        documentTypes: '01,04',
        initialSequentials: initial({ '01': 500, '04': 700 }),
      });
      await setNext(tenant, '04', 40);
      const remembered = await readyTenant(server, { initialSequentials: initial({ '01': 321 }) });
      const plain = await readyTenant(server);
      const production = await promoted(server, tenant, {
        initialSequentials: [{ issuerId: tenant.issuerId, documentType: '01', sequential: 9000 }],
      });
      expect(await sequentials(production)).toMatchObject([
        { documentType: '01', sandbox: { next: 500 }, production: { current: 8999, next: 9000 } },
        { documentType: '04', sandbox: { next: 700 }, production: { current: 39, next: 40 } },
      ]);
      expect((await createDocument(server, production)).sequential).toBe('000009000');
      expect((await createDocument(server, production)).sequential).toBe('000009001');
      const later = await promoted(server, remembered);
      expect((await createDocument(server, later)).sequential).toBe('000000321');
      expect((await createDocument(server, await promoted(server, plain))).sequential).toBe('000000001');
    });

    it('a counter takes a listed number even below its current number', async () => {
      const tenant = await readyTenant(server);
      expect((await setNext(tenant, '01', 5000)).status).toBe(200);
      const production = await promoted(server, tenant, {
        initialSequentials: [{ issuerId: tenant.issuerId.toUpperCase(), documentType: '01', sequential: 77 }],
      });
      expect((await createDocument(server, production)).sequential).toBe('000000077');
    });

    it('a counter keeps the number of a type that is not enabled yet, and of a removed issuer', async () => {
      const tenant = await readyTenant(server, { initialSequentials: initial({ '04': 88 }) });
      const added = await postJson(server, '/v1/issuers', tenant.auth, {
        branchCode: '009',
        issuePointCode: '009',
        initialSequentials: [{ documentType: '01', sequential: 66 }],
      });
      const { issuer } = (await added.json()) as { issuer: { id: string } };
      await server.request(`/v1/issuers/${issuer.id}`, { method: 'DELETE', headers: tenant.auth });
      const production = await promoted(server, tenant);
      await changeTenant(server, tenant, { subscription_tier: 'GROWTH' });
      await postJson(server, `/v1/issuers/${tenant.issuerId}/document-types`, production.auth, { documentType: '04' });
      expect(await sequentials(production)).toMatchObject([
        { documentType: '01', production: { next: 1 } },
        { documentType: '04', production: { next: 88 } },
      ]);
      await server.request(`/v1/issuers/${issuer.id}/activate`, { method: 'PATCH', headers: production.auth });
      expect(await sequentials(production, issuer.id)).toMatchObject([
        { documentType: '01', sandbox: { next: 66 }, production: { next: 66 } },
      ]);
    });
  });

  describe('a refused promotion, with nothing changed', () => {
    async function refused(tenant: TestTenant, body: unknown = {}): Promise<unknown> {
      const before = await snapshot(tenant);
      const answer: unknown = await (await askPromotion(server, tenant, body)).json();
      expect(await snapshot(tenant)).toEqual(before);
      return answer;
    }

    it('[R141] [R153] refuses a promotion before the e-mail is verified, which is checked first', async () => {
      const tenant = await verifiedTenant(server, {}, { validTo: new Date('2026-11-22T00:00:00Z') });
      await setStatus(server, tenant, 'PENDING_VERIFICATION');
      await server.clock.advance(24 * 3_600_000);
      const answer = await refused(tenant);
      server.clock.set('2026-11-21T15:00:00Z');
      expect(answer).toMatchObject({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' });
    });

    it('refuses a promotion before the agreements are accepted', async () => {
      const tenant = await verifiedTenant(server);
      expect(await refused(tenant)).toMatchObject({ status: 403, code: 'AGREEMENT_ACCEPTANCE_REQUIRED' });
      await acceptAgreements(server, tenant);
      expect((await askPromotion(server, tenant)).status).toBe(200);
    });

    it('refuses a promotion with an expired certificate', async () => {
      const tenant = await verifiedTenant(server, {}, { validTo: new Date('2026-11-21T16:00:00Z') });
      await acceptAgreements(server, tenant);
      server.clock.set('2026-11-21T16:00:00Z');
      const answer = await refused(tenant);
      server.clock.set('2026-11-21T15:00:00Z');
      expect(answer).toMatchObject({ status: 400, code: 'CERTIFICATE_EXPIRED' });
    });

    it('refuses a promotion if any active issuer has a certificate of another taxpayer', async () => {
      const tenant = await verifiedTenant(server, {}, { ruc: '1790099999001' });
      await acceptAgreements(server, tenant);
      const mismatch = { status: 400, code: 'CERTIFICATE_INVALID', reason: 'RUC_MISMATCH' };
      expect(await refused(tenant)).toMatchObject(mismatch);
    });

    it('refuses a second promotion right after the check of the e-mail', async () => {
      const tenant = await readyTenant(server);
      await promoted(server, tenant);
      const again = { status: 409, code: 'CONFLICT', reason: 'ALREADY_IN_PRODUCTION' };
      expect(await refused(tenant)).toMatchObject(again);
      await setStatus(server, tenant, 'PENDING_VERIFICATION');
      expect(await refused(tenant)).toMatchObject({ code: 'EMAIL_VERIFICATION_REQUIRED' });
    });

    it('refuses the promotion of a suspended account', async () => {
      const tenant = await readyTenant(server);
      await setStatus(server, tenant, 'SUSPENDED');
      expect(await refused(tenant)).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
      // The suspension may follow the checks of the request.
      const late = promote(server.services.promotion, tenant.tenantId);
      await expect(late).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    });

    it('[R323] refuses a promotion to callers other than the web application, whatever the scopes of the key', async () => {
      const tenant = await readyTenant(server);
      const byKey = await postJson(server, PATH, tenant.auth, {});
      expect(await byKey.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
      const wrong = { ...tenant.auth, 'x-internal-service-secret': `${WEB_SECRET}x` };
      expect((await postJson(server, PATH, wrong, {})).status).toBe(403);
      expect((await postJson(server, PATH, {}, {})).status).toBe(401);
      const both = { ...tenant.auth, 'x-internal-service-secret': WEB_SECRET };
      expect((await postJson(server, PATH, both, {})).status).toBe(200);
    });

    it('refuses a promotion for an unknown issuer or an issuer of another account', async () => {
      const tenant = await readyTenant(server);
      const other = await readyTenant(server);
      const listing = (issuerId: string) => ({
        initialSequentials: [{ issuerId, documentType: '01', sequential: 5 }],
      });
      expect(await refused(tenant, listing(UNKNOWN_ID))).toMatchObject({ status: 404, code: 'ISSUER_NOT_FOUND' });
      expect(await refused(tenant, listing(other.issuerId))).toMatchObject({ status: 403, code: 'ISSUER_FORBIDDEN' });
      expect((await snapshot(other)).counters).toEqual([]);
    });

    let unready: TestTenant;
    beforeAll(async () => {
      unready = await verifiedTenant(server);
    });
    const number = (change: object) => ({
      initialSequentials: [{ issuerId: UNKNOWN_ID, documentType: '01', sequential: 5, ...change }],
    });
    it.each<[string, unknown, string]>([
      ['numbers that are no list', { initialSequentials: {} }, 'initialSequentials'],
      ['a null entry', { initialSequentials: [null] }, 'initialSequentials[0].issuerId'],
      ['an issuer that is no UUID', number({ issuerId: 'x' }), 'initialSequentials[0].issuerId'],
      ['an unsupported type', number({ documentType: '02' }), 'initialSequentials[0].documentType'],
      ['a fraction', number({ sequential: 1.5 }), 'initialSequentials[0].sequential'],
      ['number 0', number({ sequential: 0 }), 'initialSequentials[0].sequential'],
      ['number 1000000000', number({ sequential: 1_000_000_000 }), 'initialSequentials[0].sequential'],
      ['a number as text', number({ sequential: '5' }), 'initialSequentials[0].sequential'],
      [
        'the same counter twice',
        { initialSequentials: [1, 2].map((sequential) => ({ issuerId: UNKNOWN_ID, documentType: '01', sequential })) },
        'initialSequentials[1]',
      ],
      ['an unknown plan', { tier: 'GOLD' }, 'tier'],
      ['a plan that is not sold', { tier: 'FREE' }, 'tier'],
      ['an unknown interval', { billingInterval: 'WEEKLY' }, 'billingInterval'],
    ])('refuses a promotion with %s', async (_, body, field) => {
      const answer = (await refused(unready, body)) as { errors: readonly { field: string }[] };
      expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect(answer.errors.map((error) => error.field)).toContain(field);
    });
  });

  it('a promotion needs no body, and null counts as omitted', async () => {
    const tenant = await readyTenant(server);
    const nothing = await server.request(PATH, { method: 'POST', headers: asWebApplication(tenant.tenantId) });
    expect(nothing.status).toBe(200);
    const nulls = { initialSequentials: null, tier: null, billingInterval: null };
    expect((await askPromotion(server, await readyTenant(server), nulls)).status).toBe(200);
  });

  it('ten concurrent calls promote the account once', async () => {
    const tenant = await readyTenant(server);
    const answers = await Promise.all(Array.from({ length: 10 }, () => askPromotion(server, tenant)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
    const { keys, events: rows } = await snapshot(tenant);
    expect(keys.map((key) => `${key.environment} ${key.active}`).toSorted()).toEqual(['production 1', 'sandbox 0']);
    expect(rows.filter((row) => row.event_type === 'TENANT_PROMOTED')).toHaveLength(1);
  });

  it('a promotion stores all or nothing, whichever statement fails', async () => {
    const tenant = await readyTenant(server, { initialSequentials: '[{"documentType":"04","sequential":9}]' });
    const listed = [{ issuerId: tenant.issuerId, documentType: '01', sequential: 5 }] as const;
    const before = await snapshot(tenant);
    let statement = 0;
    let outcome = 'failed';
    while (outcome === 'failed' && statement < 100) {
      statement += 1;
      const database = failingDatabase(server.services.database, statement);
      const request = { firstNumbers: listed };
      const attempt = promote({ ...server.services.promotion, database }, tenant.tenantId, request);
      outcome = await attempt.then(
        () => 'done',
        () => 'failed',
      );
      if (outcome === 'failed') expect(await snapshot(tenant)).toEqual(before);
    }
    expect(outcome).toBe('done');
    expect(statement).toBeGreaterThan(10);
    expect((await snapshot(tenant)).counters).toHaveLength(2);
  });

  it('a promotion wakes the workers after its commit', async () => {
    const { promotion } = server.services;
    const tenant = await readyTenant(server);
    let woken = 0;
    const wake = () => {
      woken += 1;
    };
    await promote({ ...promotion, billing: { ...promotion.billing, wake } }, tenant.tenantId);
    expect(woken).toBe(1);
  });

  it('AGREEMENTS=off promotes an account without agreements', async () => {
    const off = await open({ settings: { ...WEB_SETTINGS, AGREEMENTS: 'off' } });
    expect((await askPromotion(off, await verifiedTenant(off))).status).toBe(200);
  });
});
