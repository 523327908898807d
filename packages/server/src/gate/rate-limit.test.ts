import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import { changeTenant } from '../testing/change-rows.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { testFolder } from '../testing/test-folder.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { postJson, register, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';

const kinds = await everyDatabaseKind();

/** Requests by number, and whether they count as one client. */
interface ForwardedCase {
  readonly name: string;
  readonly trust: 'none' | 'hop' | 'hops' | 'networks';
  readonly socket: string | ((n: number) => string);
  readonly chain: (n: number) => string | null;
  readonly as: 'one' | 'many';
}

describeOnDatabases('limits of keys', kinds, (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server);
  });

  const sequentials = () => `/v1/issuers/${tenant.issuerId}/sequentials`;
  const get = (path: string, of = tenant) => server.request(path, { headers: of.auth });

  it.each([
    { name: 'tenants/me', path: () => '/v1/tenants/me', limit: 120 },
    { name: 'tenants/events', path: () => '/v1/tenants/events', limit: 60 },
    { name: 'sequentials', path: sequentials, limit: 60 },
  ])('[R173] [R176] [R385] a key may call $name $limit times a minute', async ({ path, limit }) => {
    const before = await get(path());
    expect(Object.fromEntries(before.headers)).toMatchObject({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(limit - 1),
      'ratelimit-reset': '60',
    });
    await server.clock.advance(20_000);
    const rest = await Promise.all(Array.from({ length: limit - 1 }, () => get(path())));
    expect(rest.every(({ status }) => status === 200)).toBe(true);
    const refused = await get(path());
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '40',
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
    });
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      type: expect.stringMatching(/\/errors\/too-many-requests$/),
    });
    const other = await registerTenant(server);
    expect((await get(path().replace(tenant.issuerId, other.issuerId), other)).status).toBe(200);
    await server.clock.advance(40_000);
    expect((await get(path())).status).toBe(200);
    expect((await get(path())).status).toBe(429);
    await server.clock.advance(60_000);
  });

  it('[R385] reading and setting counters count together', async () => {
    const set = () => {
      const init = { method: 'PATCH', headers: { ...tenant.auth, 'content-type': 'application/json' } };
      return server.request(`${sequentials()}/01`, { ...init, body: '{}' });
    };
    const mixed = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? set() : get(sequentials())));
    expect((await Promise.all(mixed)).some(({ status }) => status === 429)).toBe(false);
    expect([(await get(sequentials())).status, (await set()).status]).toEqual([429, 429]);
    await server.clock.advance(60_000);
  });

  it('a route without its own limit rejects no request', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => get('/v1/catalogs')));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses[0]?.headers.has('ratelimit-limit')).toBe(false);
  });

  it('a route checks its limit after the scope and before any lookup', async () => {
    await Promise.all(Array.from({ length: 60 }, () => get('/v1/tenants/events')));
    const change = (values: Record<string, string>) => changeTenant(server, tenant, values);
    await change({ status: 'SUSPENDED' });
    expect((await get('/v1/tenants/events')).status).toBe(429);
    await change({ status: 'PENDING_VERIFICATION' });
    await server.clock.advance(60_000);
  });
});

describeOnDatabases('limits that follow the tier', kinds, (open) => {
  let server: TestServer;
  const folder = testFolder('plans');
  beforeAll(async () => {
    const path = join(folder, 'plans.json');
    await writeFile(path, '{"FREE": {"readsPerMinute": 6, "writesPerMinute": 3}}');
    server = await open({ settings: { RATE_LIMITS: 'tier', PLANS_FILE: path } });
  });

  const statuses = async (count: number, ask: () => Promise<Response>) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await ask()).status);
    return found;
  };

  it('a key counts all its reads together, and all its writes', async () => {
    const tenant = await registerTenant(server);
    const paths = ['/v1/tenants/me', '/v1/catalogs', '/v1/issuers', '/v1/tenants/events'];
    let turn = 0;
    const read = () => {
      turn += 1;
      const method = turn % 3 === 0 ? 'HEAD' : 'GET';
      return server.request(paths[turn % paths.length] ?? '', { method, headers: tenant.auth });
    };
    const write = () => postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect(await statuses(7, read)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await statuses(4, write)).toEqual([201, 201, 201, 429]);
    const refused = await write();
    expect([refused.headers.get('ratelimit-limit'), refused.headers.get('retry-after')]).toEqual(['3', '60']);
    const other = await registerTenant(server);
    expect((await server.request('/v1/catalogs', { headers: other.auth })).headers.get('ratelimit-remaining')).toBe(
      '5',
    );
    await server.clock.advance(60_000);
    expect(await statuses(1, read)).toEqual([200]);
  });

  it('a preview counts as a read, since it stores nothing', async () => {
    const tenant = await registerTenant(server);
    const preview = () => postJson(server, '/v1/documents/preview', tenant.headers, SIMPLE_INVOICE);
    expect(await statuses(7, preview)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE)).status).toBe(201);
  });

  it('a higher tier raises the limit at once', async () => {
    const tenant = await registerTenant(server);
    await changeTenant(server, tenant, { subscription_tier: 'GROWTH' });
    const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
    expect(response.headers.get('ratelimit-limit')).toBe('600');
  });
});

describeOnDatabases('limits of addresses', kinds, (open) => {
  const onboarding = ROUTES.filter((route) => route.limit === 'onboarding');
  let servers: Readonly<Record<'none' | 'hop' | 'hops' | 'networks', TestServer>>;
  beforeAll(async () => {
    servers = {
      none: await open(),
      hop: await open({ settings: { TRUST_PROXY: '1' } }),
      hops: await open({ settings: { TRUST_PROXY: '2' } }),
      networks: await open({ settings: { TRUST_PROXY: '10.0.0.0/8,fd00::/8' } }),
    };
  });

  it('[R147] [R379] an address may send five requests an hour over all routes of onboarding', async () => {
    const server = servers.none;
    const ask = (index: number) => {
      const route = onboarding[index % onboarding.length];
      return server.request(route?.path ?? '', { method: 'POST' }, '203.0.113.5');
    };
    for (let index = 0; index < 5; index += 1) expect((await ask(index)).status).toBe(400);
    for (let index = 0; index < onboarding.length; index += 1) {
      const refused = await ask(index);
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'retry-after': '3600',
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
      });
      expect(await refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    }
    expect((await register(server, { email: 'x' }, '203.0.113.6')).status).toBe(400);
    await server.clock.advance(3_600_000);
    expect((await ask(0)).status).toBe(400);
  });

  it.each<ForwardedCase>([
    {
      name: 'the socket, whatever the client claims',
      trust: 'none',
      socket: '192.0.2.1',
      chain: (n: number) => `203.0.113.${n}`,
      as: 'one',
    },
    {
      name: 'the socket, also for other sockets',
      trust: 'none',
      socket: (n: number) => `192.0.2.${n + 20}`,
      chain: () => '203.0.113.1',
      as: 'many',
    },
    {
      name: 'the address that the only proxy wrote',
      trust: 'hop',
      socket: '10.0.0.1',
      chain: (n: number) => `1.2.3.${n}, 198.51.100.7`,
      as: 'one',
    },
    {
      name: 'the address that the only proxy wrote among several',
      trust: 'hop',
      socket: '10.0.0.1',
      chain: (n: number) => `198.51.100.9, 192.0.2.${n + 40}`,
      as: 'many',
    },
    {
      name: 'the address that the outer of two proxies wrote',
      trust: 'hops',
      socket: '10.0.0.1',
      chain: (n: number) => `1.2.3.${n}, 198.51.100.7, 10.9.9.${n}`,
      as: 'one',
    },
    {
      name: 'the address that a proxy of the network wrote',
      trust: 'networks',
      socket: '10.7.7.7',
      chain: (n: number) => `1.2.3.${n}, 198.51.100.7, 10.1.1.${n}`,
      as: 'one',
    },
    {
      name: 'the socket outside all networks',
      trust: 'networks',
      socket: '192.0.2.9',
      chain: (n: number) => `203.0.113.${n}`,
      as: 'one',
    },
    {
      name: 'the address that an IPv6 proxy of the network wrote',
      trust: 'networks',
      socket: 'fd00::7',
      chain: (n: number) => `1.2.3.${n}, 198.51.100.8`,
      as: 'one',
    },
    {
      name: 'the network of a household',
      trust: 'none',
      socket: (n: number) => `2001:db8:1:2${n}:${n}::${n}`,
      chain: () => null,
      as: 'one',
    },
    {
      name: 'the networks of households',
      trust: 'none',
      socket: (n: number) => `2001:db8:${n + 10}:1::1`,
      chain: () => null,
      as: 'many',
    },
    {
      name: 'an IPv4 address in any form',
      trust: 'none',
      socket: (n: number) => ['192.0.2.200', '::ffff:192.0.2.200', '::ffff:c000:2c8'][n % 3] ?? '',
      chain: () => null,
      as: 'one',
    },
  ])('[R379] limits of addresses count by $name', async ({ trust, socket, chain, as }) => {
    const server = servers[trust];
    const statuses: number[] = [];
    for (let n = 1; n <= 7; n += 1) {
      const claimed = chain(n);
      const headers = claimed === null ? {} : { 'x-forwarded-for': claimed };
      const address = typeof socket === 'string' ? socket : socket(n);
      statuses.push((await server.request('/v1/register', { method: 'POST', headers }, address)).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(as === 'one' ? 2 : 0);
  });

  it('invalid keys count by the client behind the proxy', async () => {
    const server = servers.hop;
    const ask = (client: string) =>
      server.request(
        '/v1/tenants/me',
        { headers: { authorization: 'Bearer x', 'x-forwarded-for': client } },
        '10.0.0.1',
      );
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => ask('198.51.100.77')));
    }
    expect([(await ask('198.51.100.77')).status, (await ask('198.51.100.78')).status]).toEqual([429, 401]);
    expect((await ask('9.9.9.9, 198.51.100.77')).status).toBe(429);
  });
});

describe('limits of addresses on a socket', () => {
  it('[R379] forged forwarding headers do not avoid the limit of an address', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sri-limits-'));
    const server = await startServer({ PORT: '0', DATA_DIR: dataDir }, { logger: silentLogger });
    try {
      const ask = (n: number) =>
        fetch(`${server.url}/v1/register`, {
          method: 'POST',
          headers: {
            'x-forwarded-for': `203.0.113.${n}`,
            forwarded: `for=203.0.113.${n}`,
            'x-real-ip': `203.0.113.${n}`,
          },
        });
      const statuses: number[] = [];
      for (let n = 1; n <= 6; n += 1) statuses.push((await ask(n)).status);
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    } finally {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('the rate of onboarding', () => {
  it('ONBOARDING_RATE sets the limit of onboarding', async () => {
    const server = await openTestServer(null, { settings: { ONBOARDING_RATE: '2/10s' } });
    const ask = async () => (await server.request('/v1/register', { method: 'POST' })).status;
    expect([await ask(), await ask(), await ask()]).toEqual([400, 400, 429]);
    await server.clock.advance(10_000);
    expect(await ask()).toBe(400);
    await server.close();
  });
});
