import { expect, it } from 'vitest';
import { describeStores, storeKey, storeTenant } from '../testing/test-store.js';
import { type KeysToRevoke, revokeActiveKeys } from './revocation-rows.js';

await describeStores('revoking the keys of an account', (store) => {
  it.each<{ name: string; which: Omit<KeysToRevoke, 'tenantId' | 'id'>; first?: true; left: readonly string[] }>([
    { name: 'all keys', which: {}, left: ['foreign'] },
    { name: 'the keys of the sandbox', which: { environment: 'sandbox' }, left: ['foreign', 'live', 'live unlisted'] },
    { name: 'the keys of production', which: { environment: 'production' }, left: ['first', 'foreign', 'unlisted'] },
    { name: 'the listed keys', which: { listed: true }, left: ['foreign', 'live unlisted', 'unlisted'] },
    { name: 'one key', which: {}, first: true, left: ['foreign', 'live', 'live unlisted', 'unlisted'] },
    {
      name: 'one key if it is of production',
      which: { environment: 'production' },
      first: true,
      left: ['first', 'foreign', 'live', 'live unlisted', 'unlisted'],
    },
  ])('revokes $name, returns the revoked keys, and leaves the others', async ({ which, first, left }) => {
    const [owner, other] = [await storeTenant(store), await storeTenant(store)];
    const { id } = await storeKey(store, owner, { label: 'first', scopes: ['keys:manage'] });
    await storeKey(store, owner, { label: 'unlisted', listed: false });
    await storeKey(store, owner, { label: 'live', environment: 'production' });
    await storeKey(store, owner, { label: 'live unlisted', environment: 'production', listed: false });
    await storeKey(store, other, { label: 'foreign' });
    const now = new Date('2026-11-21T15:00:01.234Z');
    const tenantId = owner.tenant.id;
    const keys = { tenantId, ...which, ...(first ? { id } : {}) };
    const revoked = await store.database.transaction((tables) => revokeActiveKeys(tables, keys, now));
    const stored = await store.database.read((tables) =>
      tables
        .selectFrom('api_keys')
        .selectAll()
        .where('tenant_id', 'in', [tenantId, other.tenant.id])
        .orderBy('label')
        .execute(),
    );
    expect(stored.filter(({ active }) => active === 1).map(({ label }) => label)).toEqual(left);
    for (const { active, revoked_at } of stored) expect(revoked_at).toBe(active === 1 ? null : now.getTime());
    const ended = stored.filter(({ active }) => active === 0);
    expect(revoked.toSorted((a, b) => ((a.label ?? '') < (b.label ?? '') ? -1 : 1))).toEqual(
      ended.map(({ id: of, label, scopes, listed, created_at }) => ({ id: of, label, scopes, listed, created_at })),
    );
    // Keys that were revoked before are not returned again, and keep their time.
    expect(await store.database.transaction((tables) => revokeActiveKeys(tables, keys, new Date(0)))).toEqual([]);
  });
});
