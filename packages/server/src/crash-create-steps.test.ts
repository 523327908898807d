import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildServer, startChildServer } from './testing/child-server.js';
import { CRASH_HEADER, CREATE_STEPS } from './testing/create-steps.js';
import { databaseKinds, type TestDatabase } from './testing/test-databases.js';
import { registerTenant, type ShownDocument, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

describe.each(await databaseKinds())('a server that is killed in the middle of a create, on $name', (kind) => {
  describe.skipIf(kind.missing !== null)('is started again', () => {
    let dataDir: string;
    let database: TestDatabase;
    let server: ChildServer;
    let tenant: TestTenant;
    /** Documents there are by now, which have the numbers from 1 on. */
    let stored = 0;

    const start = () =>
      startChildServer({
        settings: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) },
        script: 'crashing-server.ts',
      });

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'sri-crash-'));
      database = await kind.create();
      server = await start();
      tenant = await registerTenant(server, {
        cert: await createTestP12({ password: 'prueba' }),
        certPassword: 'prueba',
      });
      expect(await create('first')).toMatchObject({ status: 201, number: 1 });
      stored = 1;
    });
    afterAll(async () => {
      await server?.kill();
      await database?.remove();
      await rm(dataDir, { recursive: true, force: true });
    });

    async function create(idempotencyKey: string, headers: Readonly<Record<string, string>> = {}) {
      const response = await server.request('/v1/documents', {
        method: 'POST',
        headers: {
          ...tenant.headers,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          ...headers,
        },
        body: JSON.stringify(SIMPLE_INVOICE),
      });
      const { document } = (await response.json()) as { document?: ShownDocument };
      return { status: response.status, number: Number(document?.sequential) };
    }

    async function get<T>(path: string, headers = tenant.headers): Promise<T> {
      return (await (await server.request(path, { headers })).json()) as T;
    }

    /** What the interface tells of documents, in lists, figures and the account's count. */
    async function show() {
      const { pagination } = await get<{ pagination: { total: number } }>('/v1/documents?limit=1');
      return { total: pagination.total, stats: await get('/v1/documents/stats'), account: await get('/v1/tenants/me') };
    }

    async function nextNumber(): Promise<number> {
      const path = `/v1/issuers/${tenant.issuerId}/sequentials`;
      const { sequentials } = await get<{ sequentials: readonly { sandbox: { next: number } }[] }>(path, tenant.auth);
      return sequentials[0]?.sandbox.next ?? 0;
    }

    it.each(CREATE_STEPS)('$name', async ({ name, committed }) => {
      const before = await show();
      const key = `killed ${name}`;
      const cut = create(key, { [CRASH_HEADER]: name });
      await expect(cut).rejects.toThrow('fetch failed');
      expect(await server.ended).toBe('SIGKILL');
      server = await start();

      if (!committed) expect(await show()).toEqual(before);
      else expect(await show()).toMatchObject({ total: stored + 1 });
      expect(await nextNumber()).toBe(stored + (committed ? 2 : 1));
      expect(await create(key)).toEqual({ status: committed ? 200 : 201, number: stored + 1 });
      expect(await create(key)).toEqual({ status: 200, number: stored + 1 });
      stored += 1;
      expect(await create(`${key}, and after it`)).toEqual({ status: 201, number: stored + 1 });
      stored += 1;
    });
  });
});
