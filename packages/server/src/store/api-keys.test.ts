import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { addKeyUse, insertApiKey, type KeyUse } from './api-keys.js';

describeOnDatabases('the stored use of keys', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenantId: string;
  beforeAll(async () => {
    server = await open();
    ({ tenantId } = await registerTenant(server));
  });

  const add = (uses: readonly KeyUse[]) => server.services.database.transaction((tables) => addKeyUse(tables, uses));

  async function addKeys(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    await server.services.database.transaction(async (tables) => {
      for (const id of ids) {
        await insertApiKey(tables, {
          id,
          tenantId,
          tokenHash: id,
          last4: 'x',
          label: null,
          environment: 'sandbox',
          scopes: [],
          listed: true,
          createdAt: server.clock.now(),
        });
      }
    });
    return ids;
  }

  const totals = (ids: readonly string[]) =>
    server.services.database.read(async (tables) => {
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

  it('is exact for many keys, over midnight too', async () => {
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

  it('does not go back to an earlier use that comes later', async () => {
    const [keyId = ''] = await addKeys(1);
    await add([{ keyId, day: '2026-11-21', count: 1, lastUsedAt: at('15:00:01') }]);
    await add([{ keyId, day: '2026-11-21', count: 2, lastUsedAt: at('15:00:00') }]);
    const { keys } = await totals([keyId]);
    expect(keys).toEqual([{ id: keyId, request_count: 3, last_used_at: at('15:00:01').getTime() }]);
  });

  it('adds up however many store it at the same time', async () => {
    const ids = await addKeys(25);
    const uses = ids.map((keyId) => ({ keyId, day: '2026-11-21', count: 1, lastUsedAt: at('15:00:00') }));
    await Promise.all(Array.from({ length: 12 }, (_, index) => add(index % 2 === 0 ? uses : uses.toReversed())));
    const { keys, days } = await totals(ids);
    expect(keys.map((key) => key.request_count)).toEqual(ids.map(() => 12));
    expect(days.map((day) => day.request_count)).toEqual(ids.map(() => 12));
  });
});
