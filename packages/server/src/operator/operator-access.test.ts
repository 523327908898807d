import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_SETTINGS, ADMIN_TOKEN } from '../testing/admin-access.js';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { WEB_SETTINGS } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';
import { ADMIN_ROUTES } from './routes.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const BAD_IDS = ['x', '1', '%00', "'%20or%201=1", '00000000-0000-7000-8000-00000000000g', 'a'.repeat(3000), '..%2f'];
const BAD_BODIES = ['', '{', '[]', '"x"', 'null', '1e400', '{"__proto__":{}}', '['.repeat(10_000)];
/** The bad values for every field of every body. */
const BAD_VALUES = [1, true, {}, [], '', ' ', '\u0000', 'x'.repeat(100_000), '٣', -1, 1e308, "' or 1=1 --", ['ACTIVE']];
const FIELDS = [
  'status',
  'suspensionReasonCode',
  'subscriptionTier',
  'decision',
  'accessKey',
  'documentType',
  'version',
  'contentMarkdown',
  'tier',
  'billingInterval',
  'newPriceUsd',
  'effectiveAt',
  'initialSequentials',
];
const QUERIES = ['page=0', 'page=x', 'limit=101', 'limit=-1', 'limit=1e3'];

const named = ADMIN_ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route }));
const pathOf = (path: string, id = UNKNOWN_ID) => path.replace(/:\w+/g, id);

describe('the routes of the operator', () => {
  it('the routes of the operator are separate from the routes of accounts', () => {
    expect(ROUTES.filter(({ path }) => path.startsWith('/v1/admin'))).toEqual([]);
    expect(ADMIN_ROUTES.every(({ path }) => path.startsWith('/v1/admin/'))).toBe(true);
    expect(new Set(named.map(({ name }) => name)).size).toBe(ADMIN_ROUTES.length);
  });
});

describeOnDatabases('a server with an operator', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { ...ADMIN_SETTINGS, ...WEB_SETTINGS } });
    tenant = await registerTenant(server);
  });

  async function ask(method: string, path: string, headers: Record<string, string>, body?: string, address?: string) {
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await server.request(path, init, address);
    const text = await response.text();
    const reported = text.startsWith('{') ? (JSON.parse(text) as { code?: string; reason?: string }) : {};
    return { status: response.status, code: reported.code ?? null, reason: reported.reason ?? null, text };
  }
  const withToken = { 'x-admin-token': ADMIN_TOKEN };

  it.each(named)('$name opens to a token alone, and otherwise stores nothing', async ({ route }) => {
    const before = await storedRows(server);
    const path = pathOf(route.path);
    const callers: Record<string, Record<string, string>> = {
      anonymous: {},
      'a wrong token': { 'x-admin-token': `${ADMIN_TOKEN}x` },
      'half a token': { authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` },
      'no bearer': { authorization: `Basic ${ADMIN_TOKEN}` },
      'an empty token': { 'x-admin-token': '' },
      'the label': { 'x-admin-token': 'ana' },
      'the whole setting': { 'x-admin-token': ADMIN_SETTINGS.ADMIN_TOKEN },
      'an account': tenant.auth,
      'the web application': { 'x-internal-service-secret': WEB_SETTINGS.INTERNAL_SERVICE_SECRET },
    };
    for (const [who, headers] of Object.entries(callers)) {
      const reported = await ask(route.method, path, headers, undefined, `10.7.0.${Object.keys(callers).indexOf(who)}`);
      expect([who, reported.status, reported.code]).toEqual([who, 401, 'UNAUTHORIZED']);
      expect(reported.reason).toBe('ADMIN_TOKEN_REQUIRED');
      expect(reported.text).not.toContain(ADMIN_TOKEN);
    }
    expect(await storedRows(server)).toEqual(before);
    for (const headers of [withToken, { authorization: `Bearer ${ADMIN_TOKEN}` }]) {
      expect((await ask(route.method, path, headers)).status).not.toBe(401);
    }
  });

  it.each(named)('$name rejects malformed input, and stores nothing of it', async ({ route }) => {
    const before = await storedRows(server);
    const refusals: number[] = [];
    const reported = async (path: string, body?: string) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const { status, text } = await ask(route.method, path, { ...withToken, ...type }, body);
      expect(status, `${route.method} ${path.slice(0, 99)} ${body?.slice(0, 99)} ${text.slice(0, 300)}`).toBeLessThan(
        500,
      );
      refusals.push(status);
    };
    if (route.path.includes(':')) {
      for (const id of BAD_IDS) await reported(pathOf(route.path, id), route.method === 'GET' ? undefined : '{}');
    }
    if (route.method === 'GET') {
      const isList = /\/(tenants|payments|pending|jobs|audit)$/.test(route.path);
      if (isList) for (const query of QUERIES) await reported(`${pathOf(route.path)}?${query}`);
    } else {
      const takesBody = /\/(status|tier|review|link-invoice|agreements|prices)$/.test(route.path);
      if (takesBody) for (const body of BAD_BODIES) await reported(pathOf(route.path), body);
      if (takesBody) {
        for (const field of FIELDS) {
          for (const value of BAD_VALUES) await reported(pathOf(route.path), JSON.stringify({ [field]: value }));
        }
      }
    }
    // 413: the body exceeds the limit of the route.
    expect(refusals.filter((status) => ![400, 404, 413].includes(status))).toEqual([]);
    expect(await storedRows(server)).toEqual(before);
  });

  it('no route finds an unknown account', async () => {
    const bodies: Record<string, string> = {
      status: '{"status":"SUSPENDED","suspensionReasonCode":"OTHER"}',
      tier: '{"subscriptionTier":"GROWTH"}',
      review: '{"decision":"VERIFIED"}',
    };
    for (const { route } of named.filter(({ route: { path } }) => path.includes(':') && !path.includes('link'))) {
      const body = bodies[route.path.split('/').at(-1) ?? ''] ?? (route.method === 'GET' ? undefined : '{}');
      const headers = { ...withToken, ...(body ? { 'content-type': 'application/json' } : {}) };
      const reported = await ask(route.method, pathOf(route.path), headers, body);
      expect([route.path, reported.status]).toEqual([route.path, 404]);
      expect(reported.code).toMatch(/^(NOT_FOUND|PAYMENT_NOT_FOUND)$/);
    }
  });

  it('limits failed tokens by address, like keys', async () => {
    const statuses = new Set<number>();
    for (let tried = 0; tried < 301; tried += 1) {
      statuses.add(
        (await ask('GET', '/v1/admin/tenants', { 'x-admin-token': `no-${tried}` }, undefined, '10.9.9.9')).status,
      );
    }
    expect([...statuses]).toEqual([401, 429]);
    expect((await ask('GET', '/v1/admin/tenants', { 'x-admin-token': 'no' }, undefined, '10.9.9.10')).status).toBe(401);
  });

  it('records the label of the token as the actor', async () => {
    const path = `/v1/admin/tenants/${tenant.tenantId}/tier`;
    const headers = { authorization: 'Bearer otro-token-del-operador', 'content-type': 'application/json' };
    expect((await ask('PATCH', path, headers, '{"subscriptionTier":"GROWTH"}')).status).toBe(200);
    const { text } = await ask('GET', `/v1/admin/audit?target=${tenant.tenantId}`, withToken);
    expect(JSON.parse(text).entries).toEqual([
      expect.objectContaining({ actor: 'luis', channel: 'HTTP', action: 'tenant.set-tier' }),
    ]);
    expect(text).not.toContain('token-del-operador');
  });

  it('the database rejects changes of the record', async () => {
    const { database } = server.services;
    const change = database.transaction((tables) => tables.updateTable('admin_audit').set({ actor: 'x' }).execute());
    await expect(change).rejects.toThrow();
    const removal = database.transaction((tables) => tables.deleteFrom('admin_audit').execute());
    await expect(removal).rejects.toThrow();
    const rows = await database.read((tables) => tables.selectFrom('admin_audit').select('actor').execute());
    expect(rows.map(({ actor }) => actor)).toEqual(['luis']);
  });
});

describeOnDatabases('a server without an operator', await databaseKinds(), (open) => {
  it('a server without an operator has none of the routes', async () => {
    const server = await open();
    for (const { method, path } of ADMIN_ROUTES) {
      for (const headers of [{}, { 'x-admin-token': ADMIN_TOKEN }, { 'x-admin-token': '' }]) {
        const response = await server.request(pathOf(path), { method, headers });
        expect([path, response.status]).toEqual([path, 404]);
        expect(((await response.json()) as { code: string }).code).toBe('NOT_FOUND');
      }
    }
  });
});
