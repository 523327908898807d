import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../accounts/scopes.js';
import type { IssuerRoute, IssuersRoute } from '../issuers/issuer-route.js';
import { createApiToken } from '../keys/api-token.js';
import { changeKeys, changeTenant } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';
import type { AccountRoute } from './route.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
const SECRET = 'un secreto de la aplicacion web de 32 bytes';
const keyRoutes = ROUTES.filter((route): route is AccountRoute => 'scope' in route);
const issuerRoutes = keyRoutes.filter(
  (route): route is IssuerRoute | IssuersRoute => route.access === 'issuer' || route.access === 'issuers',
);
const serviceRoutes = ROUTES.filter(({ access }) => access === 'service');
const named = (route: { method: string; path: string }) => `${route.method} ${route.path}`;

/** An address for each route, since too many invalid keys from one address are rejected. */
const addressOf = (route: AccountRoute) => `10.250.0.${keyRoutes.indexOf(route)}`;

/** A body that every route can parse. */
const ANY_BODY = { ...SIMPLE_INVOICE, confirmedSriVoid: true, reason: 'Anulada' };

/** A well-formed path of the route; the named object need not exist. */
function pathOf(route: { readonly path: string }, issuerId = UNKNOWN_ID): string {
  return route.path
    .replace(':accessKey', '1'.repeat(49))
    .replace(':id', issuerId)
    .replace(':name', 'id-types')
    .replace(/:(code|documentType)/, '01')
    .replace(/:type\b/, 'TERMS')
    .replace(/:\w+Id\b/, UNKNOWN_ID);
}

describeOnDatabases('the checks before a route answers', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let other: TestTenant;
  let revoked: TestTenant;
  let suspended: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { INTERNAL_SERVICE_SECRET: SECRET } });
    tenant = await registerTenant(server);
    other = await registerTenant(server);
    revoked = await registerTenant(server);
    await changeKeys(server, revoked, { active: 0 });
    suspended = await suspend();
  });

  /** Calls a route; for a route of the web application, with its secret. */
  const call = (route: AccountRoute, headers: Record<string, string>, issuerId?: string) => {
    const body = /^(POST|PATCH|PUT)$/.test(route.method) ? { body: JSON.stringify(ANY_BODY) } : {};
    const secret = route.access === 'internal' ? { 'x-internal-service-secret': SECRET } : {};
    const type = { 'content-type': 'application/json' };
    const path = pathOf(route, issuerId);
    const init = { method: route.method, headers: { ...type, ...secret, ...headers }, ...body };
    return server.request(path, init, addressOf(route));
  };
  const codeOf = async (response: Promise<Response>) => {
    const answer = await response;
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return null;
    return ((await answer.json()) as { code?: string }).code ?? null;
  };

  async function suspend(): Promise<TestTenant> {
    const account = await registerTenant(server);
    await changeTenant(server, account, { status: 'SUSPENDED', suspension_reason: 'OTHER' });
    return account;
  }

  describe.each(keyRoutes.map((route) => [named(route), route] as const))('%s', (_name, route) => {
    it('[R311] a route needs a known, active key', async () => {
      const unknown = createApiToken(random, 'sri', 'sandbox');
      const tries = [
        undefined,
        'Bearer',
        'Bearer  ',
        `Basic ${tenant.apiKey}`,
        `Bearer ${unknown}`,
        `Bearer ${unknown}x`,
      ];
      for (const authorization of [...tries, `Bearer ${'0'.repeat(64)}`, `Bearer ${tenant.apiKey}, Bearer x`]) {
        const response = await call(route, authorization === undefined ? {} : { authorization });
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
        const problem = (await response.json()) as Record<string, unknown>;
        expect(problem).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
        expect(problem).not.toHaveProperty('reason');
      }
    });

    it('a route rejects a revoked key', async () => {
      expect((await call(route, { ...revoked.headers })).status).toBe(401);
    });

    it('[R229] [R312] [R313] a route rejects a key of the other environment with its own reason', async () => {
      const moved = await registerTenant(server);
      await changeTenant(server, moved, { environment: 'production' });
      const response = await call(route, { ...moved.headers });
      expect(await response.json()).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
        reason: 'API_KEY_ENV_MISMATCH',
      });
      await changeKeys(server, moved, { environment: 'production' });
      expect((await call(route, { ...moved.headers })).status).not.toBe(401);
      await changeTenant(server, moved, { environment: 'sandbox' });
      expect((await call(route, { ...moved.headers })).status).toBe(401);
    });

    it('[R248] [R314] [R315] [R316] [R317] [R321] [R371] a route asks for its scope and no other', async () => {
      const limited = await registerTenant(server);
      await changeKeys(server, limited, { scopes: '[]' });
      const without = await call(route, { ...limited.headers }, limited.issuerId);
      if (route.scope === null) {
        expect(without.status).not.toBe(403);
        return;
      }
      if (route.scopeRefusal) {
        expect(await without.json()).toMatchObject({ code: route.scopeRefusal, requiredScope: route.scope });
        expect(without.status).toBe(403);
        return;
      }
      expect(await without.json()).toEqual({
        type: 'http://localhost:3000/docs/errors/forbidden',
        title: 'Permiso insuficiente',
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
        detail: `La clave no tiene el permiso ${route.scope}.`,
        instance: pathOf(route, limited.issuerId),
        requestId: expect.stringMatching(/^req_/),
        requiredScope: route.scope,
      });
      await changeKeys(server, limited, { scopes: JSON.stringify(SCOPES.filter((scope) => scope !== route.scope)) });
      expect(await codeOf(call(route, { ...limited.headers }, limited.issuerId))).toBe('INSUFFICIENT_SCOPE');
      await changeKeys(server, limited, { scopes: JSON.stringify([route.scope]) });
      expect(await codeOf(call(route, { ...limited.headers }, limited.issuerId))).not.toBe('INSUFFICIENT_SCOPE');
    });

    it(`[R324] [R325] [R326] the request is ${route.suspended} while the account is suspended`, async () => {
      const mayChange = route.suspended === 'served' && route.method !== 'GET';
      const account = mayChange ? await suspend() : suspended;
      const response = await call(route, { ...account.headers }, account.issuerId);
      if (route.suspended === 'served') expect(response.status).not.toBe(403);
      else expect(await response.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    });

    it('a route needs a key even if the request names an account, except routes of the web application', async () => {
      const response = await call(route, { 'x-internal-service-secret': SECRET, 'x-tenant-id': tenant.tenantId });
      if (route.access === 'internal') expect(response.status).not.toBe(401);
      else expect(await response.json()).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    });

    it('a route needs the secret only if it belongs to the web application', async () => {
      const withKey = { ...tenant.headers, 'x-internal-service-secret': 'z'.repeat(32) };
      const code = await codeOf(call(route, withKey, tenant.issuerId));
      if (route.access === 'internal') expect(code).toBe('INTERNAL_SERVICE_ONLY');
      else expect(code).not.toBe('INTERNAL_SERVICE_ONLY');
    });
  });

  describe.each(issuerRoutes.map((route) => [named(route), route] as const))('%s', (_name, route) => {
    it('[R228] [R308] a route of an issuer needs a well-formed X-Issuer-Id', async () => {
      const missing = await call(route, { ...tenant.auth });
      expect(await missing.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason: 'ISSUER_ID_REQUIRED' });
      for (const id of ['x', `{${tenant.issuerId}}`, `${tenant.issuerId},${tenant.issuerId}`, '1'.repeat(36)]) {
        const response = await call(route, { ...tenant.auth, 'x-issuer-id': id });
        expect(await response.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason: 'ISSUER_ID_INVALID' });
      }
    });

    it('[R230] [R232] [R308] a route distinguishes an issuer of another account from a missing issuer', async () => {
      const foreign = await call(route, { ...tenant.auth, 'x-issuer-id': other.issuerId });
      expect(await foreign.json()).toMatchObject({ status: 403, code: 'FORBIDDEN', reason: 'ISSUER_FORBIDDEN' });
      const absent = await call(route, { ...tenant.auth, 'x-issuer-id': UNKNOWN_ID });
      expect(await absent.json()).toMatchObject({ status: 404, code: 'NOT_FOUND', reason: 'ISSUER_NOT_FOUND' });
      const own = await call(route, { ...tenant.auth, 'x-issuer-id': tenant.issuerId.toUpperCase() });
      expect(own.status).not.toBe(403);
    });
  });

  it.each(serviceRoutes.map((route) => [named(route), route] as const))(
    '%s is reserved to the web application, which needs no key',
    async (_name, route) => {
      const secret = 'w'.repeat(32);
      const guarded = await openTestServer(null, { settings: { INTERNAL_SERVICE_SECRET: secret } });
      for (const from of [server, guarded]) {
        for (const headers of [{}, { ...tenant.headers }, { 'x-internal-service-secret': 'x'.repeat(32) }]) {
          const init = { method: route.method, headers: { 'content-type': 'application/json', ...headers } };
          const response = await from.request(pathOf(route), { ...init, body: '{' });
          expect(await response.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
        }
      }
      const headers = { 'content-type': 'application/json', 'x-internal-service-secret': secret };
      const known = await guarded.request(pathOf(route), { method: route.method, headers, body: '{' });
      expect(await known.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      await guarded.close();
    },
  );

  it('does not find documents of another account, issuer or environment', async () => {
    const created = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    const { document } = (await created.json()) as { document: { accessKey: string } };
    for (const rest of ['', '/xml', '/ride', '/events', '/sri-responses', '/authorize']) {
      const response = await server.request(`/v1/documents/${document.accessKey}${rest}`, { headers: other.headers });
      expect(response.status, rest).toBe(404);
    }
    const sent = await postJson(server, `/v1/documents/${document.accessKey}/send`, other.headers, {});
    expect(sent.status).toBe(404);
  });

  describe('the order of checks', () => {
    it.each([
      { name: 'key before all others', headers: {}, issuer: 'x', body: '{', status: 401 },
      { name: 'suspension before the issuer header', suspended: true, issuer: 'x', body: '{', status: 403 },
      { name: 'issuer header before the body', issuer: 'x', body: '{', status: 400, code: 'BAD_REQUEST' },
      {
        name: 'malformed body before the issuer',
        issuer: UNKNOWN_ID,
        body: '{',
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      {
        name: 'invalid body before the issuer',
        issuer: UNKNOWN_ID,
        body: '{}',
        status: 400,
        code: 'VALIDATION_FAILED',
      },
      {
        name: 'issuer after the body',
        issuer: UNKNOWN_ID,
        body: JSON.stringify(SIMPLE_INVOICE),
        status: 404,
        code: 'NOT_FOUND',
      },
    ])('$name', async ({ headers, suspended, issuer, body, status, code }) => {
      const caller = suspended ? await registerTenant(server) : tenant;
      if (suspended) await changeTenant(server, caller, { status: 'SUSPENDED' });
      const response = await server.request('/v1/documents', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(headers ?? caller.auth), 'x-issuer-id': issuer },
        body,
      });
      expect(response.status).toBe(status);
      if (code) expect(await response.json()).toMatchObject({ code });
    });
  });

  it('valid keys still work after 300 invalid keys a minute from the same address', async () => {
    const ask = (authorization: string) =>
      server.request('/v1/tenants/events', { headers: { authorization } }, '198.51.100.7');
    for (let count = 0; count < 300; count += 100) {
      await Promise.all(Array.from({ length: 100 }, () => ask('Bearer wrong')));
    }
    const refused = await ask('Bearer wrong');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await ask(`Bearer ${tenant.apiKey}`)).status).toBe(200);
    expect((await server.request('/v1/tenants/events', {}, '198.51.100.7')).status).toBe(401);
    await server.clock.advance(60_000);
    expect((await ask('Bearer wrong')).status).toBe(401);
  });

  it('a past-due account works unless PAST_DUE_MODE blocks it', async () => {
    const late = await registerTenant(server);
    await changeTenant(server, late, { status: 'PAST_DUE' });
    expect((await postJson(server, '/v1/documents', late.headers, SIMPLE_INVOICE)).status).toBe(201);
    const strict = await openTestServer(null, { settings: { PAST_DUE_MODE: 'block' } });
    const blocked = await registerTenant(strict);
    await changeTenant(strict, blocked, { status: 'PAST_DUE' });
    const response = await postJson(strict, '/v1/documents', blocked.headers, SIMPLE_INVOICE);
    expect(await response.json()).toMatchObject({ status: 403, code: 'ACCOUNT_PAST_DUE' });
    expect((await strict.request('/v1/documents', { headers: blocked.headers })).status).toBe(200);
    await strict.close();
  });

  it('[R032] [R033] counts requests of a key by day, including rejected ones', async () => {
    const counted = await registerTenant(server);
    await server.request('/v1/tenants/me', { headers: counted.auth });
    await server.request('/v1/documents', { headers: counted.auth });
    await server.request('/v1/documents', { headers: { authorization: `Bearer ${counted.apiKey}x` } });
    await server.services.keyUsage.flush();
    server.clock.set('2026-11-22T05:00:00Z');
    await server.request('/v1/tenants/me', { headers: counted.auth });
    await server.services.keyUsage.flush();
    const { key, days } = await server.services.database.read(async (tables) => {
      const found = await tables
        .selectFrom('api_keys')
        .selectAll()
        .where('tenant_id', '=', counted.tenantId)
        .executeTakeFirstOrThrow();
      const usage = tables.selectFrom('api_key_usage').select(['day', 'request_count']).where('key_id', '=', found.id);
      return { key: found, days: await usage.orderBy('day').execute() };
    });
    expect(key).toMatchObject({
      request_count: 3,
      last_used_at: Date.parse('2026-11-22T05:00:00Z'),
      last4: counted.apiKey.slice(-4),
    });
    expect(days).toEqual([
      { day: '2026-11-21', request_count: 2 },
      { day: '2026-11-22', request_count: 1 },
    ]);
    server.clock.set('2026-11-21T15:00:00Z');
  });
});
