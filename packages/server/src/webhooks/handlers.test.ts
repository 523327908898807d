import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { WebhookDelivery, WebhookEndpoint } from 'sri-core/client';
import { verifyWebhook } from 'sri-core/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTenant } from '../accounts/rows.js';
import { SCOPES } from '../accounts/scopes.js';
import { changeKeys, changeRows, changeTenant } from '../testing/change-rows.js';
import { ownNotifications } from '../testing/own-account.js';
import { activeTenant } from '../testing/production-tenant.js';
import { queryPlans } from '../testing/query-plans.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, openTestServer, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { makeTestTls, openReceiver, type SeenDelivery, type WebhookReceiver } from '../testing/webhook-receiver.js';
import { changeEndpoint, registerEndpoint } from './administer-endpoints.js';
import { createDeliveryWorker } from './delivery-worker.js';
import { createWebhookSender, type WebhookSender } from './webhook-sender.js';

const tls = makeTestTls();
const EVENT_TYPES = [
  ...['DOCUMENT_AUTHORIZED', 'CERT_EXPIRING', 'CERT_EXPIRED'],
  ...['SRI_SUBMISSION_FAILED', 'EMAIL_DELIVERY_FAILED', 'QUOTA_WARNING'],
];
const NOTHING_SEEN: SeenDelivery = { path: '', headers: {}, body: '' };
const NOWHERE = '0197f3a0-c5d2-7b1e-8000-000000000001';

describeOnDatabases('webhooks', await databaseKinds(), (open) => {
  let server: TestServer;
  let receiver: WebhookReceiver;
  let sender: WebhookSender;
  beforeAll(async () => {
    receiver = await openReceiver(tls ?? undefined);
    sender = createWebhookSender({ timeoutMs: 500, allowInsecure: true, ca: tls?.ca ?? null });
    server = await open({
      settings: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_HEADER_PREFIX: 'X-Comprobify' },
      webhookSender: sender,
    });
  });
  afterAll(() => receiver.close());

  /** Sets a paid plan and a verified address. */
  const upgrade = (tenant: TestTenant, tier: string, status = 'ACTIVE') =>
    changeTenant(server, tenant, { subscription_tier: tier, status });
  const account = async (tier = 'BUSINESS', status = 'ACTIVE') => {
    const tenant = await registerTenant(server);
    await upgrade(tenant, tier, status);
    return tenant;
  };
  const call = (tenant: TestTenant, method: string, path: string, body?: unknown) =>
    sendJson(server, method, `/v1/webhooks${path}`, tenant.auth, body);
  const create = async (tenant: TestTenant, body: object = {}) => {
    const response = await call(tenant, 'POST', '', { url: receiver.url, ...body });
    expect(response.status).toBe(201);
    return (await response.json()) as { ok: true; endpoint: WebhookEndpoint; secret: string };
  };
  const list = async (tenant: TestTenant) =>
    (await (await call(tenant, 'GET', '')).json()) as {
      ok: true;
      endpoints: WebhookEndpoint[];
      limit: { max: number; used: number };
    };
  const deliveriesOf = async (tenant: TestTenant, id: string, query = '') =>
    (await (await call(tenant, 'GET', `/${id}/deliveries${query}`)).json()) as {
      data: WebhookDelivery[];
      pagination: { total: number; page: number; limit: number };
    };

  describe('the administration of endpoints', () => {
    it('[R091] [R093] [R281] an account creates an endpoint, whose secret is shown once', async () => {
      const tenant = await account();
      const { ok, endpoint, secret } = await create(tenant, {
        eventTypes: ['CERT_EXPIRED', 'CERT_EXPIRING', 'CERT_EXPIRED'],
      });
      expect(ok).toBe(true);
      expect(Object.keys(endpoint)).toEqual(['id', 'url', 'eventTypes', 'active', 'createdAt', 'updatedAt']);
      expect(endpoint).toMatchObject({
        url: receiver.url,
        eventTypes: ['CERT_EXPIRED', 'CERT_EXPIRING'],
        active: true,
      });
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const shown = await list(tenant);
      expect(shown.endpoints).toEqual([endpoint]);
      expect(JSON.stringify(shown)).not.toContain('whsec_');
      const changed = await call(tenant, 'PATCH', `/${endpoint.id}`, { eventTypes: [] });
      expect(await changed.text()).not.toContain('whsec_');
    });

    it('[R283] an endpoint has any of six types, or none for all', async () => {
      const tenant = await account();
      expect((await create(tenant, { eventTypes: EVENT_TYPES })).endpoint.eventTypes).toEqual(EVENT_TYPES);
      expect((await create(tenant)).endpoint.eventTypes).toEqual([]);
      expect((await create(tenant, { eventTypes: [] })).endpoint.eventTypes).toEqual([]);
    });

    it('an empty address in a change keeps the address of the endpoint', async () => {
      const tenant = await account();
      const { endpoint } = await create(tenant);
      const response = await call(tenant, 'PATCH', `/${endpoint.id}`, { url: '', active: true });
      expect(response.status).toBe(200);
      expect((await list(tenant)).endpoints).toMatchObject([{ url: endpoint.url }]);
    });

    it.each<[string, object, string]>([
      ['no address', { url: undefined }, 'url'],
      ['an invalid address', { url: 'hooks.example.com' }, 'url'],
      ['an empty address', { url: '' }, 'url'],
      ['an address that is no text', { url: 7 }, 'url'],
      ['another scheme', { url: 'ftp://hooks.example.com/' }, 'url'],
      ['a user', { url: 'https://user@hooks.example.com/' }, 'url'],
      ['a fragment', { url: 'https://hooks.example.com/#part' }, 'url'],
      ['too long an address', { url: `https://hooks.example.com/${'a'.repeat(2048)}` }, 'url'],
      ['an unknown type', { eventTypes: ['CERT_EXPIRED', 'OTHER'] }, 'eventTypes[1]'],
      ['a type of billing', { eventTypes: ['PAYMENT_VERIFIED'] }, 'eventTypes[0]'],
      ['types that are no list', { eventTypes: 'CERT_EXPIRED' }, 'eventTypes'],
    ])('[R282] [R283] [R289] rejects an endpoint with %s', async (_, change, field) => {
      const tenant = await account();
      const body = { url: receiver.url, ...change };
      const refused = [await call(tenant, 'POST', '', body)];
      const { endpoint } = await create(tenant);
      if ('eventTypes' in change || ('url' in change && change.url)) {
        refused.push(await call(tenant, 'PATCH', `/${endpoint.id}`, change));
      }
      for (const response of refused) {
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
      }
      expect((await list(tenant)).endpoints).toEqual([endpoint]);
    });

    it.each([
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::1]/',
      'https://10.0.0.1/',
    ])('[R282] rejects %s where WEBHOOK_ALLOW_INSECURE is off', async (url) => {
      const strict = await open();
      const tenant = await registerTenant(strict);
      const response = await postJson(strict, '/v1/webhooks', tenant.auth, { url });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ field: 'url' }] });
    });

    it('a removed endpoint stays removed, whatever changes at the same time', async () => {
      const tenant = await account('BUSINESS');
      for (let round = 0; round < 20; round += 1) {
        const { id } = (await create(tenant)).endpoint;
        const [, removed] = await Promise.all([
          call(tenant, 'PATCH', `/${id}`, { url: receiver.url }),
          call(tenant, 'DELETE', `/${id}`),
        ]);
        expect(removed.status).toBe(200);
        expect((await list(tenant)).endpoints.map((endpoint) => endpoint.id)).not.toContain(id);
      }
    });

    it('a registration checks the current account, not the state that the request read before', async () => {
      const tenant = await account('STARTER');
      const known = await server.services.database.read((tables) => findTenant(tables, tenant.tenantId));
      if (!known) throw new Error('The account is missing.');
      const context = { tenant: known, environment: known.environment, keyId: null, scopes: [] };
      const register = () =>
        registerEndpoint(server.services.webhooks, context, { url: receiver.url, eventTypes: [], listed: true });
      const { endpoint } = await register();
      await upgrade(tenant, 'FREE');
      await expect(register()).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_LIMIT_REACHED' });
      await upgrade(tenant, 'STARTER', 'PENDING_VERIFICATION');
      const unverified = { code: 'EMAIL_VERIFICATION_REQUIRED' };
      await expect(register()).rejects.toMatchObject(unverified);
      const change = { id: endpoint.id, change: { eventTypes: [] } };
      await expect(changeEndpoint(server.services.webhooks, context, change)).rejects.toMatchObject(unverified);
    });

    it.each([
      ['FREE', 1, 0],
      ['STARTER', 2, 2],
      ['GROWTH', 5, 5],
      ['BUSINESS', 10, 10],
    ])('[R284] [R287] [R381] the plan limits endpoints: %s has %d and shows %d', async (tier, most, max) => {
      const tenant = await account(tier);
      const bodies = Array.from({ length: most + 3 }, () => call(tenant, 'POST', '', { url: receiver.url }));
      const statuses = (await Promise.all(bodies)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array.from({ length: most }, () => 201), 402, 402, 402]);
      const refused = await call(tenant, 'POST', '', { url: receiver.url });
      expect(await refused.json()).toMatchObject({ code: 'WEBHOOK_ENDPOINT_LIMIT_REACHED' });
      const shown = await list(tenant);
      expect(shown.limit).toEqual({ max, used: most });
      const [first] = shown.endpoints;
      await call(tenant, 'DELETE', `/${first?.id}`);
      await create(tenant);
      const back = await call(tenant, 'PATCH', `/${first?.id}`, { active: true });
      expect(back.status).toBe(402);
    });

    it('[R288] endpoints of the web application are neither counted nor listed', async () => {
      const strict = await open({
        settings: { INTERNAL_SERVICE_SECRET: 's'.repeat(32), WEBHOOK_ALLOW_INSECURE: 'true' },
      });
      const tenant = await activeTenant(strict);
      const internal = { ...tenant.auth, 'x-internal-service-secret': 's'.repeat(32) };
      const url = 'https://hooks.example.com/';
      const made = await postJson(strict, '/v1/webhooks', internal, { url });
      expect(made.status).toBe(201);
      const { endpoint } = (await made.json()) as { endpoint: WebhookEndpoint };
      const shown = await strict.request('/v1/webhooks', { headers: tenant.auth });
      expect(await shown.json()).toMatchObject({ endpoints: [], limit: { used: 0 } });
      expect((await postJson(strict, '/v1/webhooks', tenant.auth, { url })).status).toBe(201);
      // The plan's only place is taken.
      expect((await postJson(strict, '/v1/webhooks', internal, { url })).status).toBe(201);
      for (const active of [false, true]) {
        const changed = await sendJson(strict, 'PATCH', `/v1/webhooks/${endpoint.id}`, tenant.auth, { active });
        expect(changed.status).toBe(200);
      }
    });

    it('[R285] [R286] a verified account changes endpoints, and any account may switch an endpoint off', async () => {
      const tenant = await account();
      const { endpoint } = await create(tenant);
      await upgrade(tenant, 'BUSINESS', 'PENDING_VERIFICATION');
      const refused = [
        await call(tenant, 'POST', '', { url: receiver.url }),
        await call(tenant, 'PATCH', `/${endpoint.id}`, { url: `${receiver.url}other` }),
        await call(tenant, 'PATCH', `/${endpoint.id}`, { eventTypes: [] }),
      ];
      for (const response of refused) {
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ code: 'EMAIL_VERIFICATION_REQUIRED' });
      }
      expect((await call(tenant, 'PATCH', `/${endpoint.id}`, { active: false })).status).toBe(200);
      expect((await call(tenant, 'PATCH', `/${endpoint.id}`, { active: true })).status).toBe(403);
    });

    it('[R120] [R289] a change applies in part or not at all', async () => {
      const tenant = await account();
      const { endpoint } = await create(tenant, { eventTypes: ['CERT_EXPIRED'] });
      await server.clock.advance(1000);
      const same = (await (await call(tenant, 'PATCH', `/${endpoint.id}`, {})).json()) as { endpoint: WebhookEndpoint };
      expect(same.endpoint).toEqual(endpoint);
      const changed = await call(tenant, 'PATCH', `/${endpoint.id}`, { url: `${receiver.url}b`, active: false });
      expect(changed.status).toBe(200);
      expect(await changed.json()).toMatchObject({
        ok: true,
        endpoint: { url: `${receiver.url}b`, active: false, eventTypes: ['CERT_EXPIRED'] },
      });
      expect((await list(tenant)).endpoints).toEqual([]);
      expect((await call(tenant, 'PATCH', `/${endpoint.id}`, { active: true })).status).toBe(200);
      const wrong = await call(tenant, 'PATCH', `/${endpoint.id}`, { active: 'false' });
      expect(await wrong.json()).toMatchObject({ errors: [{ field: 'active' }] });
    });

    it('[R292] [R309] the routes need a key with webhooks:manage, and no issuer', async () => {
      const tenant = await account();
      const { endpoint } = await create(tenant);
      await changeKeys(server, tenant, {
        scopes: JSON.stringify(SCOPES.filter((scope) => scope !== 'webhooks:manage')),
      });
      const one = `/${endpoint.id}`;
      const calls = [
        ['POST', ''],
        ['GET', ''],
        ['PATCH', one],
        ['DELETE', one],
        ['GET', `${one}/deliveries`],
      ] as const;
      const more = [`${one}/test`, `${one}/rotate-secret`, `${one}/deliveries/${NOWHERE}/redeliver`];
      for (const [method, path] of [...calls, ...more.map((path) => ['POST', path] as const)]) {
        const response = await call(tenant, method, path, method === 'GET' ? undefined : {});
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'webhooks:manage' });
      }
    });

    it('[R290] [R291] an endpoint belongs to one account and is removed once', async () => {
      const tenant = await account();
      const { endpoint } = await create(tenant);
      const other = await account();
      for (const path of [`/${endpoint.id}`, `/${NOWHERE}`, '/none']) {
        for (const method of ['PATCH', 'DELETE']) {
          const response = await call(other, method, path, method === 'PATCH' ? {} : undefined);
          expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
        }
      }
      expect(await (await call(tenant, 'DELETE', `/${endpoint.id}`)).json()).toEqual({ ok: true });
      expect((await call(tenant, 'DELETE', `/${endpoint.id}`)).status).toBe(404);
    });
  });

  describe('the delivery of events', () => {
    let tenant: TestTenant;
    let documents: TestDocuments;
    let endpoint: WebhookEndpoint;
    let secret: string;
    beforeAll(async () => {
      tenant = await registerTenant(server, { ruc: TEST_RUC });
      await upgrade(tenant, 'BUSINESS');
      documents = documentsOf(server, tenant);
      ({ endpoint, secret } = await create(tenant));
    });
    beforeEach(async () => {
      await server.tickAfter(600_000);
      receiver.answer = 200;
      receiver.forget();
    });

    it('[R361] [R362] [R363] [R365] [R366] an authorization sends a signed delivery', async () => {
      const { accessKey } = await documents.authorized();
      await server.tick();
      expect(receiver.seen).toHaveLength(1);
      const { headers, body } = receiver.seen[0] ?? NOTHING_SEEN;
      const event = verifyWebhook({ rawBody: body, headers, secret, now: server.clock.now() });
      const notifications = await ownNotifications(server, tenant);
      expect(event).toEqual({
        event: 'DOCUMENT_AUTHORIZED',
        deliveryId: headers['webhook-id'],
        timestamp: Math.floor(Date.parse(notifications[0]?.createdAt ?? '') / 1000),
        tenantId: tenant.tenantId,
        data: notifications[0],
      });
      expect(body).toContain(accessKey);
      const shown = await readFile(new URL('../../../../examples/webhooks/delivery.json', import.meta.url), 'utf8');
      expect(shapeOf(JSON.parse(shown))).toEqual(shapeOf(JSON.parse(body)));
      expect(headers['content-type']).toBe('application/json');
      expect(headers['x-comprobify-signature']).toBe(headers['x-service-signature']);
      expect(headers['x-comprobify-timestamp']).toBe(headers['x-service-timestamp']);
      expect(isGenuine(secret, headers, body)).toBe(true);
      expect(isGenuine(`${secret} `, headers, body)).toBe(false);
    });

    it('[R345] each rise of a count sends another delivery', async () => {
      await documents.authorized();
      await documents.authorized();
      await server.tick();
      const events = receiver.seen.map(({ body }) => JSON.parse(body));
      expect(events.map(({ data }) => data.metadata.count)).toEqual([1, 2]);
      expect(events[0].data.id).toBe(events[1].data.id);
      expect(events[0].deliveryId).not.toBe(events[1].deliveryId);
    });

    it('[R345] each of many concurrent authorizations sends its own rise of the count', async () => {
      const created = await Promise.all(Array.from({ length: 5 }, () => documents.create()));
      for (const { accessKey } of created) await documents.post(`${accessKey}/send`, {});
      // An endpoint gets two at a time.
      for (const wait of [0, 5_000, 0, 0]) {
        await server.tickAfter(wait);
      }
      const events = receiver.seen
        .map(({ body }) => JSON.parse(body))
        .toSorted((one, other) => one.data.metadata.count - other.data.metadata.count);
      expect(events.map(({ data }) => data.metadata.count)).toEqual([1, 2, 3, 4, 5]);
      expect(events.map(({ data }) => data.metadata.documents.length)).toEqual([1, 2, 3, 4, 5]);
      const newest = events.map(({ data }) => data.metadata.documents[0].accessKey);
      expect(newest.toSorted()).toEqual(created.map(({ accessKey }) => accessKey).toSorted());
      expect(new Set(events.map(({ deliveryId }) => deliveryId)).size).toBe(5);
      expect(new Set(events.map(({ data }) => data.id)).size).toBe(1);
    });

    it('[R092] [R361] an endpoint receives only the selected types', async () => {
      const wanted = await create(tenant, { url: `${receiver.url}wanted`, eventTypes: ['DOCUMENT_AUTHORIZED'] });
      const unwanted = await create(tenant, { url: `${receiver.url}unwanted`, eventTypes: ['CERT_EXPIRED'] });
      await documents.authorized();
      await server.tick();
      expect(receiver.seen.map(({ path }) => path).toSorted()).toEqual(['/', '/wanted']);
      for (const each of [wanted, unwanted]) await call(tenant, 'DELETE', `/${each.endpoint.id}`);
    });

    it.each([500, 404, 301, 'nothing' as const])(
      '[R121] [R364] [R367] [R368] retries 30 s and 2 min after a failure (%s), three attempts in all',
      async (answer) => {
        receiver.answer = answer;
        await documents.authorized();
        const seen: number[] = [];
        for (const wait of [0, 29_000, 1_500, 118_000, 2_500, 600_000]) {
          await server.tickAfter(wait);
          seen.push(receiver.seen.length);
        }
        expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
        const bodies = new Set(receiver.seen.map(({ body }) => body));
        expect(bodies.size).toBe(1);
        expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
        const stamps = receiver.seen.map(({ headers }) => Number(headers['x-service-timestamp']));
        expect((stamps[1] ?? 0) - (stamps[0] ?? 0)).toBeGreaterThanOrEqual(30);
        expect((stamps[2] ?? 0) - (stamps[1] ?? 0)).toBeGreaterThanOrEqual(120);
        for (const { headers, body } of receiver.seen) expect(isGenuine(secret, headers, body)).toBe(true);
        const { data } = await deliveriesOf(tenant, endpoint.id);
        expect(data[0]).toMatchObject({
          event: 'DOCUMENT_AUTHORIZED',
          status: 'FAILED',
          attemptCount: 3,
          nextAttemptAt: null,
          lastStatusCode: answer === 'nothing' ? null : answer,
          lastError: answer === 'nothing' ? 'TIMEOUT' : `HTTP_${answer}`,
        });
      },
    );

    it('[R367] [R364] retries stop once an attempt is acknowledged', async () => {
      receiver.answer = 503;
      await documents.authorized();
      await server.tick();
      expect((await deliveriesOf(tenant, endpoint.id)).data[0]).toMatchObject({
        status: 'PENDING',
        attemptCount: 1,
        lastError: 'HTTP_503',
        nextAttemptAt: new Date(server.clock.now().getTime() + 30_000).toISOString(),
      });
      receiver.answer = 204;
      await server.tickAfter(30_000);
      expect((await deliveriesOf(tenant, endpoint.id)).data[0]).toMatchObject({
        status: 'DELIVERED',
        attemptCount: 2,
        lastStatusCode: 204,
        lastError: null,
        deliveredAt: server.clock.now().toISOString(),
      });
      await server.tickAfter(600_000);
      expect(receiver.seen).toHaveLength(2);
    });

    describe('deliveries while the server stops', () => {
      let stopping: AbortController;
      let transactions: number;
      const startWorker = (send: WebhookSender['send']) => {
        stopping = new AbortController();
        transactions = 0;
        const { database, vault, logger, clock } = server.services;
        const counted: typeof database = {
          ...database,
          transaction(work) {
            transactions += 1;
            return database.transaction(work);
          },
        };
        const worker = createDeliveryWorker(
          {
            database: counted,
            vault,
            logger,
            clock,
            sender: { send },
            leaseMs: 60_000,
            delaysMs: [30_000],
            headerPrefix: null,
            userAgent: 'test',
            limits: { concurrency: 8, concurrencyWithSlow: 8, concurrencyPerLane: 8 },
            stopping: stopping.signal,
          },
          () => {},
        );
        return worker.start().then(() => worker);
      };

      it.each([
        { answer: 200, outcome: { status: 'DELIVERED', lastError: null } },
        { answer: 503, outcome: { status: 'PENDING', lastError: 'HTTP_503' } },
      ])('a stopping server counts an answer of $answer', async ({ answer, outcome }) => {
        receiver.answer = answer;
        await call(tenant, 'POST', `/${endpoint.id}/test`);
        const worker = await startWorker((attempt) => sender.send(attempt).finally(() => stopping.abort()));
        await worker.idle();
        const { data } = await deliveriesOf(tenant, endpoint.id);
        expect(data[0]).toMatchObject({ ...outcome, event: 'TEST', attemptCount: 1, lastStatusCode: answer });
        expect(receiver.seen).toHaveLength(1);
      });

      it('a stopping server returns all deliveries without an answer in one transaction, due at once', async () => {
        receiver.answer = 'nothing';
        for (let number = 0; number < 8; number += 1) await call(tenant, 'POST', `/${endpoint.id}/test`);
        const worker = await startWorker(sender.send);
        expect(worker.running()).toBe(8);
        transactions = 0;
        stopping.abort();
        await worker.idle();
        expect(transactions).toBe(1);
        receiver.answer = 200;
        await (await startWorker(sender.send)).idle();
        const { data } = await deliveriesOf(tenant, endpoint.id, '?limit=8');
        expect(data.map(({ status, attemptCount }) => [status, attemptCount])).toEqual(Array(8).fill(['DELIVERED', 1]));
      });
    });

    it('[R277] an endpoint also receives types that are hidden from the list', async () => {
      const path = '/v1/notifications/preferences';
      const set = (enabled: boolean) =>
        sendJson(server, 'PATCH', path, tenant.auth, [{ type: 'DOCUMENT_AUTHORIZED', channel: 'IN_APP', enabled }]);
      await set(false);
      await documents.authorized();
      await server.tick();
      await set(true);
      expect(receiver.seen).toHaveLength(1);
    });

    it.each([
      { how: 'removed', method: 'DELETE', body: undefined },
      { how: 'switched off', method: 'PATCH', body: { active: false } },
    ])(
      '[R291] [R370] an endpoint that is $how receives nothing more, and keeps its records',
      async ({ method, body }) => {
        const gone = await create(tenant, { url: `${receiver.url}gone` });
        receiver.answer = 500;
        await documents.authorized();
        await server.tick();
        await call(tenant, method, `/${gone.endpoint.id}`, body);
        const { data, pagination } = await deliveriesOf(tenant, gone.endpoint.id);
        expect(pagination.total).toBe(1);
        expect(data[0]).toMatchObject({ status: 'FAILED', lastError: 'ENDPOINT_INACTIVE', attemptCount: 1 });
        const again = await call(tenant, 'POST', `/${gone.endpoint.id}/deliveries/${data[0]?.id}/redeliver`);
        expect(await again.json()).toMatchObject({ status: 404, detail: expect.stringContaining('actívelo con') });
        receiver.forget();
        await server.tickAfter(30_000);
        expect(receiver.seen.map(({ path }) => path)).toEqual(['/']);
        receiver.answer = 200;
        await documents.authorized();
        await server.tick();
        expect((await deliveriesOf(tenant, gone.endpoint.id)).pagination.total).toBe(1);
      },
    );

    it('an endpoint switched off while a message was queued receives nothing more', async () => {
      const off = await create(tenant, { url: `${receiver.url}off` });
      await call(tenant, 'POST', `/${off.endpoint.id}/test`);
      await changeRows(server, 'webhook_endpoints', { id: off.endpoint.id }, { active: 0 });
      await server.tick();
      const { data } = await deliveriesOf(tenant, off.endpoint.id);
      expect(data).toMatchObject([{ status: 'FAILED', lastError: 'ENDPOINT_INACTIVE', attemptCount: 0 }]);
      expect(receiver.seen.map(({ path }) => path)).not.toContain('/off');
    });

    it('a test sends a delivery, and a request sends it again', async () => {
      const response = await call(tenant, 'POST', `/${endpoint.id}/test`);
      expect(response.status).toBe(202);
      const { deliveryId } = (await response.json()) as { deliveryId: string };
      await server.tick();
      const [first] = receiver.seen;
      expect(JSON.parse(first?.body ?? '')).toMatchObject({ event: 'TEST', deliveryId, data: { type: 'TEST' } });
      const again = await call(tenant, 'POST', `/${endpoint.id}/deliveries/${deliveryId}/redeliver`);
      expect(again.status).toBe(202);
      expect(await again.json()).toMatchObject({
        ok: true,
        delivery: { id: deliveryId, status: 'PENDING', attemptCount: 0, deliveredAt: null },
      });
      await server.tick();
      expect(receiver.seen[1]?.body).toBe(first?.body);
      const missing = await call(tenant, 'POST', `/${endpoint.id}/deliveries/${NOWHERE}/redeliver`);
      expect(missing.status).toBe(404);
    });

    it('the list of deliveries has pages and a filter by status', async () => {
      for (let round = 0; round < 3; round += 1) await call(tenant, 'POST', `/${endpoint.id}/test`);
      await server.tick();
      const page = await deliveriesOf(tenant, endpoint.id, '?status=DELIVERED&limit=2&page=1');
      expect(page.pagination).toMatchObject({ page: 1, limit: 2 });
      expect(page.data.map(({ event }) => event)).toEqual(['TEST', 'TEST']);
      expect((page.data[0]?.id ?? '') > (page.data[1]?.id ?? '')).toBe(true);
      const wrong = await call(tenant, 'GET', `/${endpoint.id}/deliveries?status=LOST&page=0`);
      expect(await wrong.json()).toMatchObject({ errors: [{ field: 'query:status' }, { field: 'query:page' }] });
      expect((await call(await account(), 'GET', `/${endpoint.id}/deliveries`)).status).toBe(404);
    });

    it('a new secret signs at once, while the former secret also signs for a day', async () => {
      const rotated = await create(tenant, { url: `${receiver.url}rotated` });
      const response = await call(tenant, 'POST', `/${rotated.endpoint.id}/rotate-secret`);
      expect(response.status).toBe(200);
      const { secret: next } = (await response.json()) as { secret: string };
      expect(next).not.toBe(rotated.secret);
      const seenAfter = async (wait: number) => {
        await server.clock.advance(wait);
        receiver.forget();
        await call(tenant, 'POST', `/${rotated.endpoint.id}/test`);
        await server.tick();
        return receiver.seen[0] ?? NOTHING_SEEN;
      };
      const { headers, body } = await seenAfter(0);
      expect(isGenuine(next, headers, body)).toBe(true);
      expect(isGenuine(rotated.secret, headers, body)).toBe(false);
      for (const secret of [next, rotated.secret]) {
        expect(verifyWebhook({ rawBody: body, headers, secret, now: server.clock.now() }).event).toBe('TEST');
      }
      const later = await seenAfter(24 * 3_600_000);
      const holder = { rawBody: later.body, headers: later.headers, secret: rotated.secret, now: server.clock.now() };
      expect(() => verifyWebhook(holder)).toThrow('signature');
      await call(tenant, 'DELETE', `/${rotated.endpoint.id}`);
    });
  });
});

/** The contract in ten lines: the check that a receiver in any language makes. */
function isGenuine(secret: string, headers: SeenDelivery['headers'], rawBody: string): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const given = String(headers['x-service-signature']).replace(/^sha256=/, '');
  const expected = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** The type of every member: the documented example and the real message must agree in it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

it('the index is enough to count and page the deliveries of an endpoint', async () => {
  const server = await openTestServer();
  const tenant = await registerTenant(server);
  await changeTenant(server, tenant, { subscription_tier: 'BUSINESS', status: 'ACTIVE' });
  const answer = await sendJson(server, 'POST', '/v1/webhooks', tenant.auth, { url: 'https://example.com/hook' });
  const { endpoint } = (await answer.json()) as { endpoint: WebhookEndpoint };
  const path = `/v1/webhooks/${endpoint.id}/deliveries?status=FAILED&page=2`;
  const { steps } = await queryPlans(server, () => sendJson(server, 'GET', path, tenant.auth));
  const reads = steps.filter((step) => / jobs /.test(step));
  expect(reads.filter((step) => step.includes('jobs_deliveries'))).toEqual(
    Array(2).fill('SEARCH jobs USING COVERING INDEX jobs_deliveries (lane=?)'),
  );
  expect(reads.filter((step) => /^SCAN/.test(step))).toEqual([]);
  await server.close();
});
