import { beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../all-routes.js';
import type { PublicRoute } from '../platform/http/route.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant } from '../testing/test-tenant.js';
import type { Route } from './route.js';

/** The limit of each kind of route for one address, if `PUBLIC_RATE` is 10 a minute. */
const TIMES = { publicWork: 1, publicReads: 10, pages: 50, probes: 200, onboarding: 5 } as const;

const routes = allRoutes({ urls: { baseUrl: 'http://x', docsUrl: 'http://x/docs' }, hasOperator: true });
const isPublic = (route: Route): route is PublicRoute => !('scope' in route) && route.access !== 'admin';

describe('every public route', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer(null, { settings: { PUBLIC_RATE: '10/1m' } });
    return () => server.close();
  });

  it.each(routes.filter(isPublic).map((route, index) => ({ route, index, name: `${route.method} ${route.path}` })))(
    'a public route has a limit by address: $name',
    async ({ route, index }) => {
      const path = route.path.replaceAll(/:\w+|\*\*/g, 'x');
      const times = TIMES[route.limit ?? 'publicReads'];
      const ask = async (address: string) => (await server.request(path, { method: route.method }, address)).status;
      const statuses: number[] = [];
      for (let asked = 0; asked <= times; asked += 1) statuses.push(await ask(`198.51.100.${index}`));
      expect(statuses.indexOf(429)).toBe(times);
      expect(await ask(`203.0.113.${index}`)).not.toBe(429);
    },
  );

  it('a public limit names the time to retry, and the route answers after it', async () => {
    const ask = () => server.request('/v1/tiers', {}, '192.0.2.1');
    for (let asked = 0; asked < 10; asked += 1) await ask();
    const refused = await ask();
    expect(refused.headers.get('retry-after')).toBe('66');
    expect(await refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    await server.clock.advance(66_000);
    expect((await ask()).status).toBe(200);
  });
});

describe('the web application', () => {
  it('the web application has no limit by address, since it calls for all its visitors', async () => {
    const secret = 's'.repeat(32);
    const server = await openTestServer(null, { settings: { PUBLIC_RATE: '3/1m', INTERNAL_SERVICE_SECRET: secret } });
    const ask = async (given: string) =>
      (await server.request('/v1/tiers', { headers: { 'x-internal-service-secret': given } })).status;
    for (let asked = 0; asked < 10; asked += 1) expect(await ask(secret)).toBe(200);
    expect([await ask('x'), await ask('x'), await ask('x'), await ask('x')]).toEqual([200, 200, 200, 429]);
    await server.close();
  });
});

describeOnDatabases('every key', await databaseKinds(), (open) => {
  it('a key has a limit over all routes', async () => {
    const server = await open({ settings: { KEY_RATE: '5/1m' } });
    const [tenant, other] = [await registerTenant(server), await registerTenant(server)];
    const paths = ['/v1/issuers', '/v1/catalogs', '/v1/documents', '/v1/tenants/me', '/v1/tiers', '/v1/webhooks'];
    const ask = async (path: string, of = tenant) => (await server.request(path, { headers: of.headers })).status;
    const statuses: number[] = [];
    for (const path of [...paths, '/v1/catalogs']) statuses.push(await ask(path));
    // A public route needs no key, and counts for none.
    expect(statuses).toEqual([200, 200, 200, 200, 200, expect.any(Number), 429]);
    expect(await ask('/v1/catalogs', other)).toBe(200);
    expect(server.services.config.publicRate.limit).toBeGreaterThan(0);
  });

  it('the keys of an account may test webhooks ten times a minute together', async () => {
    const server = await open({ settings: { WEBHOOK_ALLOW_INSECURE: 'true', RATE_LIMITS: 'tier' } });
    const tenant = await activeTenant(server, {}, { subscription_tier: 'BUSINESS' });
    const hook = await postJson(server, '/v1/webhooks', tenant.auth, { url: 'http://127.0.0.1:9/' });
    const { endpoint } = (await hook.json()) as { endpoint: { id: string } };
    const made = await postJson(server, '/v1/keys', tenant.auth, { label: 'second' });
    const { apiKey } = (await made.json()) as { apiKey: string };
    const test = async (authorization: string) =>
      (await postJson(server, `/v1/webhooks/${endpoint.id}/test`, { ...tenant.auth, authorization }, {})).status;
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1) {
      statuses.push(await test(`Bearer ${tenant.apiKey}`), await test(`Bearer ${apiKey}`));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(statuses.slice(10)).toEqual([429, 429]);
    await server.clock.advance(60_000);
    expect(await test(`Bearer ${apiKey}`)).toBeLessThan(300);
  });
});
