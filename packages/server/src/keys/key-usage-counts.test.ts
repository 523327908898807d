import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readRows } from '../testing/change-rows.js';
import { bearer, keySuite } from '../testing/key-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

describeOnDatabases('the usage of keys', await databaseKinds(), (open) => {
  const suite = keySuite(open);
  const { account, create, list, revoke, usage } = suite;

  it('[R195] [R196] the usage has an entry for each of the last 30 days in Ecuador, today last', async () => {
    const own = await account();
    const [first] = (await list(own.auth)).keys;
    const days = await usage(first?.id ?? '', '', own.auth);
    expect(days).toHaveLength(30);
    expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted());
    expect(days[0]).toEqual({ date: '2026-10-23', requestCount: 0 });
    expect(days.at(-1)).toEqual({ date: '2026-11-21', requestCount: 2 });
  });

  it('[R195] [R196] the usage covers 1 to 365 days', async () => {
    const { apiKey, key } = await create();
    await suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) });
    expect(await usage(key.id, '?days=1')).toEqual([{ date: '2026-11-21', requestCount: 1 }]);
    const year = await usage(key.id, '?days=365');
    expect(year).toHaveLength(365);
    expect(year[0]?.date).toBe('2025-11-22');
    expect(year.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(1);
  });

  it('the first use on a day drops the days that callers can no longer ask for', async () => {
    const { apiKey, key } = await create();
    const other = await create();
    const days = ['2025-11-20', '2025-11-21', '2026-11-20'];
    const rows = [key, other.key].flatMap(({ id }) => days.map((day) => ({ key_id: id, day, request_count: 1 })));
    await suite.server.services.database.transaction((tables) =>
      tables.insertInto('api_key_usage').values(rows).execute(),
    );
    await suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) });
    const total = (await usage(key.id, '?days=365')).reduce((sum, { requestCount }) => sum + requestCount, 0);
    expect(total).toBe(2);
    const kept = (id: string) => readRows(suite.server, 'api_key_usage', { key_id: id }, ['day']);
    expect((await kept(key.id)).map(({ day }) => day).toSorted()).toEqual(['2025-11-21', '2026-11-20', '2026-11-21']);
    expect(await kept(other.key.id)).toHaveLength(3);
  });

  it('[R196] the usage starts a new day at midnight in Ecuador', async () => {
    const { apiKey, key } = await create();
    const ask = () => suite.server.request('/v1/tenants/events', { headers: bearer(apiKey) });
    try {
      suite.server.clock.set('2026-11-22T04:59:59.999Z');
      await ask();
      suite.server.clock.set('2026-11-22T05:00:00.000Z');
      await ask();
      await ask();
      expect(await usage(key.id, '?days=3')).toEqual([
        { date: '2026-11-20', requestCount: 0 },
        { date: '2026-11-21', requestCount: 1 },
        { date: '2026-11-22', requestCount: 2 },
      ]);
    } finally {
      suite.server.clock.set('2026-11-21T15:00:00.000Z');
    }
  });

  it('[R197] the usage stays readable after the revocation of the key', async () => {
    const { apiKey, key } = await create();
    await suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) });
    await revoke(key.id);
    expect(await usage(key.id, '?days=1')).toEqual([{ date: '2026-11-21', requestCount: 1 }]);
  });

  it.each(['0', '366', '-1', '1.5', '1e2', ' 7', '0x10', 'abc', '', '99999999999999999999', '7&days=8'])(
    '[R198] rejects days=%s',
    async (days) => {
      const response = await suite.server.request(`/v1/keys/${UNKNOWN_ID}/usage?days=${days}`, {
        headers: suite.tenant.auth,
      });
      expect(await response.json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'query:days', code: 'query:days' }],
      });
    },
  );

  it('[R198] rejects an id that is no UUID, together with all other errors', async () => {
    const response = await suite.server.request('/v1/keys/x/usage?days=0', { headers: suite.tenant.auth });
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect([response.status, errors.map(({ field }) => field)]).toEqual([400, ['path:id', 'query:days']]);
  });

  it('[R199] finds no key that is unknown or of another account', async () => {
    const other = await account();
    const [foreign] = (await list(other.auth)).keys;
    for (const id of [UNKNOWN_ID, foreign?.id ?? '']) {
      const response = await suite.server.request(`/v1/keys/${id}/usage`, { headers: suite.tenant.auth });
      expect(await response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  it('counts many concurrent requests one by one', async () => {
    const { apiKey, key } = await create({ scopes: ['documents:read'] });
    const ask = () => suite.server.request('/v1/issuers', { headers: bearer(apiKey) });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([...Array.from({ length: 50 }, ask), usage(key.id, '?days=1'), sleep(1)]);
    }
    expect(await usage(key.id, '?days=1')).toEqual([{ date: '2026-11-21', requestCount: 200 }]);
    expect((await list()).keys.find(({ id }) => id === key.id)).toMatchObject({ requestCount: 200 });
  });
});
