import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerDatabase } from '../store/schema.js';
import { openTestServer, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { hashToken } from './api-token.js';
import { createKnownKeys, type KnownKeys } from './known-keys.js';

describe('what is known of keys', () => {
  let server: TestServer;
  let tenant: TestTenant;
  let known: KnownKeys;
  let reads: number;
  /** What every read waits for before it gives what it found. */
  let hold: Promise<void>;

  beforeAll(async () => {
    server = await openTestServer();
  });
  beforeEach(async () => {
    tenant = await registerTenant(server);
    const { database } = server.services;
    reads = 0;
    hold = Promise.resolve();
    const counting: ServerDatabase = {
      ...database,
      read: async (work) => {
        reads += 1;
        const found = await database.read(work);
        await hold;
        return found;
      },
    };
    known = createKnownKeys(counting);
  });
  afterAll(() => server.close());

  const find = () => known.find(hashToken(tenant.apiKey));
  const revoke = () =>
    server.services.database.transaction((tables) =>
      tables.updateTable('api_keys').set({ active: 0 }).where('tenant_id', '=', tenant.tenantId).execute(),
    );

  it('is read once for a burst of requests', async () => {
    const found = await find();
    expect(found).toMatchObject({ environment: 'sandbox', tenant: { id: tenant.tenantId } });
    for (let count = 0; count < 20; count += 1) expect(await find()).toBe(found);
    expect(reads).toBe(1);
  });

  it('is read anew after a write', async () => {
    await find();
    await revoke();
    known.forget();
    expect(await find()).toBeNull();
  });

  it('is not what a write has overtaken', async () => {
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const early = find();
    await expect.poll(() => reads).toBe(1);
    await revoke();
    known.forget();
    release();
    expect(await early).not.toBeNull();
    expect(await find()).toBeNull();
  });

  it('is nothing of keys that do not exist', async () => {
    const stranger = hashToken('nobody');
    expect([await known.find(stranger), await known.find(stranger)]).toEqual([null, null]);
    expect(reads).toBe(2);
  });

  it('is read anew after half a second', async () => {
    await find();
    await revoke();
    await expect.poll(find, { interval: 20, timeout: 1000 }).toBeNull();
  });
});
