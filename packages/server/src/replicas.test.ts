import { beforeAll, describe, expect, it } from 'vitest';
import { keyUsageTask } from './keys/jobs.js';
import { createLoop } from './platform/jobs/loop.js';
import { readRow } from './testing/change-rows.js';
import { activeTenant } from './testing/production-tenant.js';
import { describeReplicas } from './testing/replicas.js';
import { databaseKinds } from './testing/test-databases.js';
import type { TestServer } from './testing/test-server.js';
import { postJson, register, registerTenant, type TestTenant } from './testing/test-tenant.js';

describeReplicas('servers on one database', await databaseKinds(), (openReplica) => {
  let one: TestServer;
  let two: TestServer;
  beforeAll(async () => {
    [one, two] = [await openReplica(), await openReplica()];
  });

  async function account(columns: Readonly<Record<string, string>> = {}): Promise<TestTenant> {
    return await activeTenant(one, {}, { subscription_tier: 'STARTER', ...columns });
  }

  async function create(auth: Readonly<Record<string, string>>, from = one) {
    const response = await postJson(from, '/v1/keys', auth, {});
    return { status: response.status, ...((await response.json()) as { apiKey: string; key: { id: string } }) };
  }

  describe('keys', () => {
    it('[R191] the revoking server rejects a key at once, and the others within a second', async () => {
      const tenant = await account();
      const { apiKey, key } = await create(tenant.auth);
      const ask = async (server: TestServer) => {
        const response = await server.request('/v1/catalogs', { headers: { authorization: `Bearer ${apiKey}` } });
        return response.status;
      };
      expect([await ask(one), await ask(two)]).toEqual([200, 200]);
      const revoked = await one.request(`/v1/keys/${key.id}`, { method: 'DELETE', headers: tenant.auth });
      const at = performance.now();
      expect([revoked.status, await ask(one)]).toEqual([200, 401]);
      let last = at;
      while (performance.now() - at < 3000) {
        const status = await ask(two);
        if (status === 401) break;
        last = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(await ask(two)).toBe(401);
      expect(last - at).toBeLessThan(1000);
    });

    it('[R188] two servers give the last place of the plan once', async () => {
      const tenant = await account();
      for (let count = 1; count < 4; count += 1) await create(tenant.auth);
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) => create(tenant.auth, index % 2 === 0 ? one : two)),
      );
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(made.filter(({ status }) => status === 402)).toHaveLength(19);
    });

    it('[R033] two servers count the requests of a key together', async () => {
      const tenant = await account();
      const servers = [one, two, one, two, two];
      await Promise.all(servers.map((server) => server.request('/v1/catalogs', { headers: tenant.auth })));
      await two.services.keyUsage.flush();
      const response = await one.request('/v1/keys', { headers: tenant.auth });
      expect(await response.json()).toMatchObject({ keys: [{ requestCount: 6 }] });
    });
  });

  describe('the recorded uses of keys', () => {
    const counted = async (tenant: TestTenant) => {
      const { request_count: count } = await readRow(two, 'api_keys', { tenant_id: tenant.tenantId });
      return count;
    };

    it('the uses of a key outlive a stopped server', async () => {
      const stopped = await openReplica();
      const tenant = await registerTenant(stopped);
      for (let count = 0; count < 3; count += 1) await stopped.request('/v1/catalogs', { headers: tenant.auth });
      expect(await counted(tenant)).toBe(0);
      await stopped.close();
      expect(await counted(tenant)).toBe(3);
    });

    it('the uses of a key on a killed server are stored up to its last second', async () => {
      const dying = await openReplica();
      const tenant = await registerTenant(dying);
      const loop = createLoop(keyUsageTask(dying.services.keyUsage), dying.clock, dying.services.logger);
      loop.start();
      for (let count = 0; count < 3; count += 1) await dying.request('/v1/catalogs', { headers: tenant.auth });
      await dying.clock.advance(1000);
      await expect.poll(() => counted(tenant)).toBe(3);
      await dying.request('/v1/catalogs', { headers: tenant.auth });
      // The server does nothing more from here on; only the uses counted since then are lost.
      await loop.stop();
      expect(await counted(tenant)).toBe(3);
    });
  });

  it('[R385] two servers limit the requests of a key together', async () => {
    const tenant = await account();
    const statuses: number[] = [];
    for (let round = 0; round < 13; round += 1) {
      const servers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two));
      const responses = await Promise.all(
        servers.map((server) => server.request('/v1/tenants/me', { headers: tenant.auth })),
      );
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('[R147] [R379] two servers count registrations from an address together', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const response = await register(count % 2 === 0 ? one : two, { email: 'x' }, '198.51.100.44');
      statuses.push(response.status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });
});
