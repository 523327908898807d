import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../accounts/scopes.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';
import { postJson } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';
import type { AccountRoute } from './route.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const accountRoutes = ROUTES.filter((route): route is AccountRoute => 'scope' in route);

/** The scope of a route in the contract, by its method and path alone. */
function contractScope({ method, path }: Pick<AccountRoute, 'method' | 'path'>): Scope | null {
  const [, , area = '', ...rest] = path.split('/');
  const last = rest.at(-1) ?? '';
  if (path === '/v1/tenants/retry-failed-documents') return 'documents:write';
  if (path === '/v1/tenants/language') return 'tenant:manage';
  if (path === '/v1/tenants/promote') return 'tenant:promote';
  if (path === '/v1/tenants/agreements' && method === 'POST') return 'tenant:manage';
  if (area === 'documents') return method === 'GET' && last !== 'authorize' ? 'documents:read' : 'documents:write';
  if (area === 'issuers') return method === 'GET' ? 'issuers:read' : 'issuers:write';
  if (area === 'keys') return 'keys:manage';
  if (area === 'webhooks') return 'webhooks:manage';
  if (area === 'subscriptions' || area === 'payments') return 'billing:manage';
  return null;
}

describe('the scope of each route', () => {
  it.each(accountRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '[R315] [R316] [R317] [R319] [R321] a route has the scope of the contract: %s',
    (_name, route) => {
      expect(route.scope).toBe(contractScope(route));
    },
  );

  it('[R321] a route that accepts any key has no scope', () => {
    const free = accountRoutes.filter(({ scope }) => scope === null).map(({ method, path }) => `${method} ${path}`);
    expect(free).toEqual(expect.arrayContaining(['GET /v1/tenants/me', 'GET /v1/tenants/events', 'GET /v1/catalogs']));
    // A new route has a scope, or an entry here.
    expect(free.filter((route) => !/^GET \/v1\/(tenants|catalogs)\b|notifications/.test(route))).toEqual([]);
  });
});

describeOnDatabases('a key with one scope', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await activeTenant(server, {}, { subscription_tier: 'BUSINESS' });
  });

  it.each(SCOPES)(
    '[R314] [R315] [R316] [R317] %s opens the routes of the scope and routes without a scope',
    async (scope) => {
      const made = await postJson(server, '/v1/keys', tenant.auth, { scopes: [scope] });
      const { apiKey } = (await made.json()) as { apiKey: string };
      const headers = { authorization: `Bearer ${apiKey}`, 'x-issuer-id': tenant.issuerId };
      for (const route of accountRoutes.filter(({ access }) => access !== 'internal')) {
        const path = route.path
          .replace(':accessKey', '1'.repeat(49))
          .replace(':id', UNKNOWN_ID)
          .replace(':name', 'id-types')
          .replace(/:(code|documentType)/, '01')
          .replace(/:type\b/, 'TERMS')
          .replace(/:\w+Id\b/, UNKNOWN_ID);
        const response = await server.request(path, { method: route.method, headers });
        const text = await response.text();
        const isRefused = text.includes('INSUFFICIENT_SCOPE') || text.includes('requiredScope');
        expect([`${route.method} ${path}`, isRefused]).toEqual([
          `${route.method} ${path}`,
          route.scope !== null && route.scope !== scope,
        ]);
        expect(response.status).not.toBe(401);
      }
    },
  );
});
