import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMasterKeyFile } from './platform/secrets/master-key-file.js';
import { newMasterKey } from './platform/secrets/master-keys.js';
import { type RunningServer, startServer } from './server.js';
import { databaseSettings } from './testing/database-settings.js';
import { type DatabaseKind, databaseKinds, type TestDatabase } from './testing/test-databases.js';
import { createDocument, postJson, register, registerTenant, SIMPLE_INVOICE } from './testing/test-tenant.js';

describe.each(await databaseKinds())('the master key of a start on $name', (kind: DatabaseKind) => {
  describe.skipIf(kind.missing !== null)('with a database', () => {
    const RIGHT = newMasterKey();
    let dataDir: string;
    let database: TestDatabase;
    let running: RunningServer[] = [];

    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'sri-keys-'));
      database = await kind.create();
    });
    afterEach(async () => {
      for (const server of running) await server.close();
      running = [];
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    });

    async function start(settings: Readonly<Record<string, string>>) {
      const place = { DATA_DIR: dataDir, ...databaseSettings(database.url) };
      const rest = { PORT: '0', ONBOARDING_RATE: '1000/1h', SHUTDOWN_DELAY: '0' };
      const server = await startServer({ ...place, ...rest, ...settings }, { logger: silentLogger });
      running.push(server);
      return {
        request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init),
        async stop() {
          running = running.filter((other) => other !== server);
          await server.close();
        },
      };
    }

    /** A database with one account, whose server has stopped. */
    async function sealWith(settings: Readonly<Record<string, string>>) {
      const server = await start(settings);
      const tenant = await registerTenant(server);
      await createDocument(server, tenant);
      await server.stop();
      return tenant;
    }

    it('a start rejects a wrong key and names the needed key, which then works', async () => {
      const tenant = await sealWith({ MASTER_KEYS: RIGHT });
      await expect(start({ MASTER_KEYS: newMasterKey() })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: 'MASTER_KEYS: The master key k1 is another one than stored secrets are sealed with.',
      });
      const renamed = newMasterKey().replace('k1', 'k2');
      await expect(start({ MASTER_KEYS: renamed })).rejects.toThrow('The master key k1 is missing');
      const both = await start({ MASTER_KEYS: `${renamed},${RIGHT}` });
      const later = await registerTenant(both);
      await createDocument(both, tenant);
      await both.stop();
      await expect(start({ MASTER_KEYS: RIGHT })).rejects.toThrow('The master key k2 is missing');
      const back = await start({ MASTER_KEYS: `${RIGHT},${renamed}` });
      await createDocument(back, tenant);
      await createDocument(back, later);
    });

    it('a start creates no key if the database has sealed rows', async () => {
      const tenant = await sealWith({});
      const file = join(dataDir, 'master.key');
      await rename(file, `${file}.kept`);
      await expect(start({})).rejects.toThrow(
        /master\.key is there.* Stored secrets are sealed with the master key k1/,
      );
      expect(existsSync(file)).toBe(false);
      await rename(`${file}.kept`, file);
      await createDocument(await start({}), tenant);
    });

    it.each([
      { what: 'another key', settings: { MASTER_KEYS: newMasterKey() } },
      { what: 'no key', settings: {} },
      { what: 'no key in production', settings: { NODE_ENV: 'production', BASE_URL: 'https://api.ejemplo.ec' } },
    ])('a read-only start with $what serves reads and writes nothing', async ({ settings }) => {
      const tenant = await sealWith({ MASTER_KEYS: RIGHT });
      const looking = await start({ ...settings, READ_ONLY: 'true' });
      const listed = await looking.request('/v1/documents', { headers: tenant.headers });
      expect(listed.status).toBe(200);
      expect(await listed.json()).toMatchObject({ pagination: { total: 1 } });
      expect((await looking.request('/readyz')).status).toBe(503);
      expect((await looking.request('/healthz')).status).toBe(200);
      const refused = await postJson(looking, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
      expect(refused.status).toBeGreaterThanOrEqual(500);
      expect((await register(looking, { email: 'otra@ejemplo.ec', ruc: '1791999999001' })).status).toBe(503);
      await looking.stop();
      expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
      const back = await start({ MASTER_KEYS: RIGHT });
      expect(await createDocument(back, tenant)).toMatchObject({ sequential: '000000002' });
    });

    it('a read-only start with the right key serves reads and rejects every write', async () => {
      const tenant = await sealWith({ MASTER_KEYS: RIGHT });
      const looking = await start({ MASTER_KEYS: RIGHT, READ_ONLY: 'true' });
      // The copies of agreements may be missing, since the server has stopped before it created them.
      for (const path of ['/v1/documents', '/v1/tenants/agreements', '/v1/tenants/agreements/history']) {
        expect([path, (await looking.request(path, { headers: tenant.headers })).status]).toEqual([path, 200]);
      }
      const refused = await postJson(looking, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
      const resent = await postJson(looking, '/v1/resend-verification', {}, { email: 'facturas@ejemplo.ec' });
      for (const answer of [refused, resent]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
        expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'READ_ONLY' });
      }
    });
  });
});

it('reads an existing master key without a draft file, which a full disk would refuse', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sri-key-'));
  await writeFile(join(folder, 'master.key'), newMasterKey());
  const before = (await stat(folder)).mtimeMs;
  expect((await readMasterKeyFile(folder)).created).toBe(false);
  expect((await stat(folder)).mtimeMs).toBe(before);
  await rm(folder, { recursive: true });
});
