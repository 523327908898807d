import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SCOPES } from '../accounts/scopes.js';
import type { TenantContext } from '../accounts/tenant.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { describeStores, type StoredKey, storeKey, storeTenant } from '../testing/test-store.js';
import { hashToken } from './api-token.js';
import { createKnownKeys, type KnownKeys } from './known-keys.js';

await describeStores('a known key', (store) => {
  let owner: TenantContext;
  let key: StoredKey;
  let known: KnownKeys;
  let reads: number;
  /** Holds every read before it returns. */
  let hold: Promise<void>;
  /** The monotonic time of this process, in milliseconds. */
  let now: number;

  beforeEach(async () => {
    owner = await storeTenant(store);
    key = await storeKey(store, owner);
    const { database } = store;
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
    now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const find = () => known.find(hashToken(key.token));
  const revoke = () =>
    store.database.transaction((tables) =>
      tables.updateTable('api_keys').set({ active: 0 }).where('id', '=', key.id).execute(),
    );
  /** Calls `find`, and lets the database answer only after `happens`. */
  async function findWhile(happens: () => Promise<void>) {
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const early = find();
    await vi.waitFor(() => expect(reads).toBe(1), { timeout: 10_000 });
    await happens();
    release();
    return early;
  }

  it('reads a key once for a burst of requests', async () => {
    const found = await find();
    expect(found).toEqual({ id: key.id, environment: 'sandbox', scopes: SCOPES, tenant: owner.tenant });
    for (let count = 0; count < 20; count += 1) expect(await find()).toBe(found);
    expect(reads).toBe(1);
  });

  it('reads a key once for concurrent requests, also during the read', async () => {
    const late: ReturnType<typeof find>[] = [];
    const early = await findWhile(async () => {
      for (let count = 0; count < 20; count += 1) late.push(find());
    });
    expect(early).not.toBeNull();
    for (const found of await Promise.all(late)) expect(found).toBe(early);
    expect(reads).toBe(1);
  });

  it('reads a key again for a request after a write, even while an older read runs', async () => {
    const late: ReturnType<typeof find>[] = [];
    const early = await findWhile(async () => {
      await revoke();
      known.forget();
      late.push(find());
    });
    expect(early).not.toBeNull();
    expect(await Promise.all(late)).toEqual([null]);
  });

  it('a request that waited for a failed read reads the key again', async () => {
    const failing = Promise.withResolvers<never>();
    hold = failing.promise;
    const early = find();
    await vi.waitFor(() => expect(reads).toBe(1), { timeout: 10_000 });
    const late = find();
    hold = Promise.resolve();
    failing.reject(new Error('the connection ended'));
    await expect(early).rejects.toThrow('the connection ended');
    expect(await late).toMatchObject({ id: key.id });
  });

  it('reads a key again after a write', async () => {
    await find();
    await revoke();
    known.forget();
    expect(await find()).toBeNull();
  });

  it('does not cache a key if a write happened during the read', async () => {
    const early = await findWhile(async () => {
      await revoke();
      known.forget();
    });
    expect(early).not.toBeNull();
    expect(await find()).toBeNull();
  });

  it.each([
    { name: 'does not cache a key if the read took long', tookMs: 500, readsAfter: 2 },
    { name: 'caches a key if the read was just in time', tookMs: 499, readsAfter: 1 },
  ])('$name', async ({ tookMs, readsAfter }) => {
    await findWhile(async () => {
      now += tookMs;
    });
    await find();
    expect(reads).toBe(readsAfter);
  });

  it('does not cache an unknown key', async () => {
    const stranger = hashToken('unknown');
    expect([await known.find(stranger), await known.find(stranger)]).toEqual([null, null]);
    expect(reads).toBe(2);
  });

  it('reads a key again after half a second', async () => {
    await find();
    await revoke();
    now += 499;
    expect(await find()).not.toBeNull();
    now += 1;
    expect(await find()).toBeNull();
  });
});
