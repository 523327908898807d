import { beforeAll, expect, it } from 'vitest';
import type { InternalRoute, TenantCall } from '../accounts/account-route.js';
import { empty, json } from '../platform/http/answer.js';
import { Exchange } from '../platform/http/exchange.js';
import { toProblem, toRefusal } from '../platform/http/problem.js';
import { routeHandler } from '../platform/http/route.js';
import { changeKeys, changeTenant, readRows } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';
import { answerRoute } from './pipeline.js';
import type { Route } from './route.js';

const SECRET = 'secreto de la aplicación web número uno';
const NEXT_SECRET = 'y el que vendrá después de cambiarlo';
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** Returns the account that it was called for. */
const route: InternalRoute = {
  method: 'POST',
  path: '/v1/anything',
  access: 'internal',
  scope: 'tenant:promote',
  suspended: 'refused',
  unverified: 'served',
  limit: 'sequentials',
  handler: routeHandler({
    answer: async ({ exchange, context }: TenantCall) => {
      const { tenant, environment, keyId, scopes } = context;
      return json(200, { id: tenant.id, environment, keyId, scopes, address: exchange.clientAddress });
    },
  }),
};

/** Returns only the address that it was called from. */
const openRoute: Route = {
  method: 'GET',
  path: '/v1/anything',
  access: 'public',
  limit: 'onboarding',
  handler: routeHandler({ answer: async () => empty(204) }),
};

interface Described {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

describeOnDatabases('a route of the web application', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { INTERNAL_SERVICE_SECRET: `${SECRET}, ${NEXT_SECRET}` } });
    tenant = await registerTenant(server);
    other = await registerTenant(server);
  });

  async function ask(
    headers: Readonly<Record<string, string>>,
    { to = route, of = server, address = '190.1.2.3' }: { to?: Route; of?: TestServer; address?: string } = {},
  ): Promise<Described> {
    const request = new Request(`http://localhost${to.path}`, { method: to.method, headers: encoded(headers) });
    const incoming = { request, path: to.path, search: '', params: {}, socketAddress: address };
    const exchange = new Exchange(incoming, of.services);
    try {
      const { status, body } = await answerRoute(to, exchange);
      return { status, headers: exchange.headers, body: body.kind === 'json' ? body.value : null };
    } catch (error) {
      const context = { language: 'es', instance: to.path, requestId: 'req_1', docsUrl: 'https://d.ec' } as const;
      return toProblem(toRefusal(error), context);
    }
  }
  const secret = (text: string) => ({ 'x-internal-service-secret': text });
  const refused = (code: string) => expect.objectContaining({ body: expect.objectContaining({ code }) });

  it('accepts the secret with a key of the account', async () => {
    for (const valid of [SECRET, NEXT_SECRET]) {
      const { status, body } = await ask({ ...secret(valid), ...tenant.auth });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: tenant.tenantId, environment: 'sandbox', keyId: expect.any(String) });
    }
  });

  it('accepts the secret with the name of the account, in any environment', async () => {
    const named = await registerTenant(server);
    const headers = { ...secret(SECRET), 'x-tenant-id': named.tenantId.toUpperCase() };
    const expected = { id: named.tenantId, keyId: null, scopes: expect.objectContaining({ length: 9 }) };
    expect((await ask(headers)).body).toMatchObject({ ...expected, environment: 'sandbox' });
    await changeTenant(server, named, { environment: 'production' });
    expect((await ask(headers)).body).toMatchObject({ ...expected, environment: 'production' });
  });

  it('a call without a key counts for no key', async () => {
    const named = await registerTenant(server);
    await ask({ ...secret(SECRET), 'x-tenant-id': named.tenantId });
    await server.services.keyUsage.flush();
    const keys = await readRows(server, 'api_keys', { tenant_id: named.tenantId }, ['request_count']);
    expect(keys).toEqual([{ request_count: 0 }]);
  });

  it.each<{ name: string; headers: Record<string, string> }>([
    { name: 'no secret', headers: {} },
    { name: 'a wrong secret', headers: secret('z'.repeat(32)) },
    { name: 'half a secret', headers: secret(SECRET.slice(0, -1)) },
    { name: 'both secrets in one', headers: secret(`${SECRET}, ${NEXT_SECRET}`) },
    { name: 'an empty secret', headers: secret('') },
  ])('[R323] rejects a key with all scopes and $name', async ({ headers }) => {
    const reported = await ask({ ...headers, ...tenant.auth });
    expect([reported.status, reported]).toEqual([403, refused('INTERNAL_SERVICE_ONLY')]);
    expect(await ask({ ...headers, ...tenant.auth, 'x-tenant-id': tenant.tenantId })).toEqual(
      refused('INTERNAL_SERVICE_ONLY'),
    );
  });

  it('a key without the scope needs the secret first, and then the scope', async () => {
    const limited = await registerTenant(server);
    await changeKeys(server, limited, { scopes: '["documents:read"]' });
    expect(await ask({ ...limited.auth })).toEqual(refused('INTERNAL_SERVICE_ONLY'));
    expect(await ask({ ...limited.auth, ...secret(SECRET) })).toEqual(refused('INSUFFICIENT_SCOPE'));
  });

  it('a wrong secret gets the same answer with any key', async () => {
    for (const headers of [{}, { 'x-tenant-id': tenant.tenantId }]) {
      expect(await ask(headers)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { code: 'UNAUTHORIZED' },
      });
      expect(await ask({ ...headers, ...secret('z'.repeat(32)) })).toEqual(refused('INTERNAL_SERVICE_ONLY'));
    }
  });

  it('the secret alone acts for no account', async () => {
    expect(await ask(secret(SECRET))).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    const malformed = await ask({ ...secret(SECRET), 'x-tenant-id': 'x' });
    expect(malformed).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ field: 'header:X-Tenant-Id', rule: 'uuid' }] },
    });
    expect(await ask({ ...secret(SECRET), 'x-tenant-id': UNKNOWN_ID })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('a wrong key stays rejected if the request names an account', async () => {
    const headers = { ...secret(SECRET), 'x-tenant-id': tenant.tenantId };
    expect(await ask({ ...headers, authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    const revoked = await registerTenant(server);
    await changeKeys(server, revoked, { active: 0 });
    expect(await ask({ ...headers, ...revoked.auth })).toMatchObject({ status: 401 });
    const moved = await registerTenant(server);
    await changeTenant(server, moved, { environment: 'production' });
    const mismatch = await ask({ ...headers, ...moved.auth });
    expect(mismatch).toMatchObject({ status: 401, body: { reason: 'API_KEY_ENV_MISMATCH' } });
  });

  it('a key acts for its own account, whatever other account is named', async () => {
    const { body } = await ask({ ...secret(SECRET), ...tenant.auth, 'x-tenant-id': other.tenantId });
    expect(body).toMatchObject({ id: tenant.tenantId });
  });

  it('rejects a suspended account, named by a key or by its id', async () => {
    const suspended = await registerTenant(server);
    await changeTenant(server, suspended, { status: 'SUSPENDED' });
    expect(await ask({ ...secret(SECRET), ...suspended.auth })).toEqual(refused('ACCOUNT_SUSPENDED'));
    const named = { ...secret(SECRET), 'x-tenant-id': suspended.tenantId };
    expect(await ask(named)).toEqual(refused('ACCOUNT_SUSPENDED'));
  });

  it('calls without a key count against a limit of the account', async () => {
    const busy = await registerTenant(server);
    const headers = { ...secret(SECRET), 'x-tenant-id': busy.tenantId };
    expect((await ask(headers)).headers['ratelimit-remaining']).toBe('59');
    expect((await ask(headers)).headers['ratelimit-remaining']).toBe('58');
    expect((await ask({ ...secret(SECRET), ...busy.auth })).headers['ratelimit-remaining']).toBe('59');
  });

  it('wrong secrets count against a limit of the address', async () => {
    const address = '198.51.100.8';
    for (let count = 0; count < 300; count += 50) {
      await Promise.all(Array.from({ length: 50 }, () => ask(secret('z'.repeat(32)), { address })));
    }
    expect(await ask(secret('z'.repeat(32)), { address })).toMatchObject({ status: 429 });
    expect(await ask({ ...secret(SECRET), 'x-tenant-id': tenant.tenantId }, { address })).toMatchObject({
      status: 200,
    });
  });

  it('the named visitor is the client if the secret is right', async () => {
    const named = { ...secret(SECRET), ...tenant.auth };
    const addressOf = async (headers: Record<string, string>) => (await ask({ ...named, ...headers })).body;
    expect(await addressOf({})).toMatchObject({ address: '190.1.2.3' });
    expect(await addressOf({ 'x-forwarded-visitor-ip': ' 198.51.100.44 ' })).toMatchObject({
      address: '198.51.100.44',
    });
    expect(await addressOf({ 'x-forwarded-visitor-ip': '2001:db8::7' })).toMatchObject({ address: '2001:db8::7' });
    expect(await addressOf({ 'x-forwarded-visitor-ip': 'unknown' })).toMatchObject({ address: '190.1.2.3' });

    const remaining = async (headers: Record<string, string>) =>
      (await ask(headers, { to: openRoute, address: '198.51.100.50' })).headers['ratelimit-remaining'];
    const visitor = { 'x-forwarded-visitor-ip': '198.51.100.51' };
    expect(await remaining({ ...secret(SECRET), ...visitor })).toBe('4');
    expect(await remaining({ ...secret(SECRET), ...visitor })).toBe('3');
    expect(await remaining({ ...secret('z'.repeat(32)), ...visitor })).toBe('4');
    expect(await remaining(visitor)).toBe('3');
  });

  it('a server without a secret opens the route to no caller', async () => {
    const closed = await open();
    const owner = await registerTenant(closed);
    for (const headers of [{ ...owner.auth }, { ...owner.auth, ...secret('') }, secret('x'.repeat(32))]) {
      expect(await ask(headers, { of: closed })).toEqual(refused('INTERNAL_SERVICE_ONLY'));
    }
  });
});

it('ONBOARDING=internal requires the secret on all onboarding routes, and on no other public route', async () => {
  const settings = { ONBOARDING: 'internal', ONBOARDING_RATE: '1000/1h', INTERNAL_SERVICE_SECRET: SECRET };
  const server = await openTestServer(null, { settings });
  const codeOf = async ({ method, path }: Route, headers: Record<string, string>) => {
    const response = await server.request(path.replace(':type', 'TERMS'), { method, headers: encoded(headers) });
    return response.headers.get('content-type')?.includes('json')
      ? ((await response.json()) as { code?: string }).code
      : null;
  };
  for (const entry of ROUTES.filter(({ access }) => access === 'onboarding' || access === 'public')) {
    const refused = entry.access === 'onboarding' ? 'INTERNAL_SERVICE_ONLY' : undefined;
    for (const headers of [{}, { 'x-internal-service-secret': 'z'.repeat(32) }, { authorization: 'Bearer x' }]) {
      const code = await codeOf(entry, headers);
      if (refused) expect(code, entry.path).toBe(refused);
      else expect(code, entry.path).not.toBe('INTERNAL_SERVICE_ONLY');
    }
    expect(await codeOf(entry, { 'x-internal-service-secret': SECRET })).not.toBe('INTERNAL_SERVICE_ONLY');
  }
  await server.close();
});

it('every route of the web application names the scope that a key needs', () => {
  const internal = ROUTES.filter((entry): entry is InternalRoute => entry.access === 'internal');
  for (const { path, scope } of internal) expect(scope, path).not.toBeNull();
});

// --- internal ---

/** Header values as sent: UTF-8 read as single bytes. */
function encoded(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
  return Object.fromEntries(entries);
}
