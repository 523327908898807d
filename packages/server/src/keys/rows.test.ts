import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../accounts/scopes.js';
import type { TenantContext } from '../accounts/tenant.js';
import { describeStores, STORE_NOW, storeKey, storeTenant } from '../testing/test-store.js';
import { hashToken } from './api-token.js';
import {
  addKeyUse,
  findActiveKeys,
  findKey,
  insertApiKey,
  type KeyUse,
  listActiveKeys,
  readKeyUse,
  revokeKey,
} from './rows.js';

await describeStores('stored keys', (store) => {
  let owner: TenantContext;
  let other: TenantContext;
  beforeAll(async () => {
    owner = await storeTenant(store, { environment: 'production' });
    other = await storeTenant(store);
  });

  const active = async (token: string) => {
    const found = await store.database.read((tables) => findActiveKeys(tables, [hashToken(token)]));
    return found.get(hashToken(token)) ?? null;
  };
  const find = (id: string, by = owner) => store.database.read((tables) => findKey(tables, by, id));
  const list = async (of: TenantContext) =>
    (await store.database.read((tables) => listActiveKeys(tables, of))).map(({ id }) => id);
  const revoke = (id: string, by = owner, now = store.clock.now()) =>
    store.database.transaction((tables) => revokeKey(tables, by, id, now));

  it('a key is found by its token, with its scopes and its account', async () => {
    const { id, token } = await storeKey(store, owner, { scopes: ['documents:read', 'keys:manage'] });
    await storeKey(store, owner);
    expect(await active(token)).toEqual({
      id,
      environment: 'production',
      scopes: ['documents:read', 'keys:manage'],
      tenant: owner.tenant,
    });
    expect(await active(`${token}x`)).toBeNull();
  });

  it('a key is found by its account alone', async () => {
    const createdAt = new Date('2026-11-20T10:00:00.001Z');
    const { id, token } = await storeKey(store, owner, { label: 'Caja', environment: 'sandbox', createdAt });
    expect(await find(id)).toEqual({
      id,
      tenantId: owner.tenant.id,
      last4: token.slice(-4),
      label: 'Caja',
      environment: 'sandbox',
      scopes: SCOPES,
      listed: true,
      createdAt,
      active: true,
      requestCount: 0,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await find(id, other)).toBeNull();
    expect(await find(crypto.randomUUID())).toBeNull();
  });

  it('a key ignores unknown scopes', async () => {
    const { id, token } = await storeKey(store, owner);
    await store.database.transaction((tables) =>
      tables
        .updateTable('api_keys')
        .set({ scopes: '["documents:read","everything","keys:manage"]' })
        .where('id', '=', id)
        .execute(),
    );
    expect((await active(token))?.scopes).toEqual(['documents:read', 'keys:manage']);
    expect((await find(id))?.scopes).toEqual(['documents:read', 'keys:manage']);
  });

  it('lists active keys of an account, newest first and then by id, without keys of the web application', async () => {
    const of = await storeTenant(store);
    const early = new Date('2026-11-20T10:00:00Z');
    const id = (first: string) => `${first}0000000-0000-7000-8000-${of.tenant.id.slice(-12)}`;
    const add = async (first: string, columns: Parameters<typeof storeKey>[2] = {}) =>
      (await storeKey(store, of, { id: id(first), ...columns })).id;
    // The later id first.
    await add('b');
    await add('c', { createdAt: early });
    await add('a');
    await add('d', { listed: false });
    await revoke(await add('e'), of);
    expect(await list(of)).toEqual([id('b'), id('a'), id('c')]);
    expect(await list(other)).toEqual([]);
  });

  describe('revoked keys', () => {
    it('a revoked key is rejected and shows the time of its revocation', async () => {
      const { id, token } = await storeKey(store, owner);
      const neighbour = await storeKey(store, owner);
      const now = new Date('2026-11-21T15:00:01.234Z');
      expect(await revoke(id, owner, now)).toBe(true);
      expect(await active(token)).toBeNull();
      expect(await find(id)).toMatchObject({ active: false, revokedAt: now });
      // A repeat keeps the time.
      expect(await revoke(id, owner, new Date(STORE_NOW))).toBe(false);
      expect(await find(id)).toMatchObject({ revokedAt: now });
      expect(await active(neighbour.token)).not.toBeNull();
    });

    it.each<{ name: string; listed: boolean; byOther: boolean }>([
      { name: 'another account', listed: true, byOther: true },
      { name: 'the owner of an unlisted key', listed: false, byOther: false },
    ])('a key is not revoked by $name', async ({ listed, byOther }) => {
      const { id, token } = await storeKey(store, owner, { listed });
      expect(await revoke(id, byOther ? other : owner)).toBe(false);
      expect(await active(token)).not.toBeNull();
      expect(await find(id)).toMatchObject({ active: true, listed, revokedAt: null });
    });
  });
});

await describeStores('the stored use of keys', (store) => {
  let owner: TenantContext;
  beforeAll(async () => {
    owner = await storeTenant(store);
  });

  const add = (uses: readonly KeyUse[]) => store.database.transaction((tables) => addKeyUse(tables, uses));

  async function addKeys(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    await store.database.transaction(async (tables) => {
      for (const id of ids) {
        await insertApiKey(tables, {
          id,
          tenantId: owner.tenant.id,
          tokenHash: id,
          last4: 'x',
          label: null,
          environment: 'sandbox',
          scopes: [],
          listed: true,
          createdAt: store.clock.now(),
        });
      }
    });
    return ids;
  }

  const totals = (ids: readonly string[]) =>
    store.database.read(async (tables) => {
      const keys = await tables
        .selectFrom('api_keys')
        .select(['id', 'request_count', 'last_used_at'])
        .where('id', 'in', ids)
        .execute();
      const days = await tables
        .selectFrom('api_key_usage')
        .select(['key_id', 'day', 'request_count'])
        .where('key_id', 'in', ids)
        .execute();
      return { keys, days };
    });

  const at = (time: string) => new Date(`2026-11-21T${time}Z`);

  it('the stored use is exact for many keys, also over midnight', async () => {
    const ids = await addKeys(123);
    const uses = ids.flatMap((keyId, index) => [
      { keyId, day: '2026-11-21', count: index + 1, lastUsedAt: at('04:59:00') },
      { keyId, day: '2026-11-22', count: 1000, lastUsedAt: at('05:01:00') },
    ]);
    await add(uses.toReversed());
    await add(uses);
    const { keys, days } = await totals(ids);
    for (const [index, id] of ids.entries()) {
      expect(keys.find((key) => key.id === id)).toEqual({
        id,
        request_count: 2 * (index + 1 + 1000),
        last_used_at: at('05:01:00').getTime(),
      });
    }
    expect(days).toHaveLength(246);
    expect(days.find(({ key_id, day }) => key_id === ids[7] && day === '2026-11-21')?.request_count).toBe(16);
  });

  it('an earlier use that is stored later does not move the last use', async () => {
    const [keyId = ''] = await addKeys(1);
    await add([{ keyId, day: '2026-11-21', count: 1, lastUsedAt: at('15:00:01') }]);
    await add([{ keyId, day: '2026-11-21', count: 2, lastUsedAt: at('15:00:00') }]);
    const { keys } = await totals([keyId]);
    expect(keys).toEqual([{ id: keyId, request_count: 3, last_used_at: at('15:00:01').getTime() }]);
  });

  it('concurrent writes add up to the stored use', async () => {
    const ids = await addKeys(25);
    const uses = ids.map((keyId) => ({ keyId, day: '2026-11-21', count: 1, lastUsedAt: at('15:00:00') }));
    await Promise.all(Array.from({ length: 12 }, (_, index) => add(index % 2 === 0 ? uses : uses.toReversed())));
    const { keys, days } = await totals(ids);
    expect(keys.map((key) => key.request_count)).toEqual(ids.map(() => 12));
    expect(days.map((day) => day.request_count)).toEqual(ids.map(() => 12));
  });

  it('reads the use of one key from a given day on', async () => {
    const [keyId = '', neighbour = ''] = await addKeys(2);
    const days = ['2026-11-18', '2026-11-19', '2026-11-21'];
    await add(days.map((day, index) => ({ keyId, day, count: index + 1, lastUsedAt: at('15:00:00') })));
    await add([{ keyId: neighbour, day: '2026-11-20', count: 9, lastUsedAt: at('15:00:00') }]);
    const read = (from: string) => store.database.read((tables) => readKeyUse(tables, keyId, from));
    expect([...(await read('2026-11-19'))].toSorted()).toEqual([
      ['2026-11-19', 2],
      ['2026-11-21', 3],
    ]);
    expect(await read('2026-11-22')).toEqual(new Map());
  });

  it('stores no use without requests', async () => {
    await add([]);
    const [keyId = ''] = await addKeys(1);
    expect(await totals([keyId])).toEqual({ keys: [{ id: keyId, request_count: 0, last_used_at: null }], days: [] });
  });
});
