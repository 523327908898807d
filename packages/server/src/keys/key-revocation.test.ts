import { expect, it } from 'vitest';
import { changeTenant, readRow } from '../testing/change-rows.js';
import { bearer, keySuite } from '../testing/key-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

describeOnDatabases('revoking keys', await databaseKinds(), (open) => {
  const suite = keySuite(open);
  const { account, post, create, list, revoke } = suite;

  it('[R118] [R191] [R193] a revocation ends a key at once and for good', async () => {
    const { apiKey, key } = await create();
    const ask = () => suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) });
    expect((await ask()).status).toBe(200);
    const response = await revoke(key.id.toUpperCase());
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    expect((await ask()).status).toBe(401);
    expect(await (await revoke(key.id)).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const stored = await readRow(suite.server, 'api_keys', { id: key.id }, ['active', 'revoked_at']);
    expect(stored).toEqual({ active: 0, revoked_at: Date.parse('2026-11-21T15:00:00.000Z') });
  });

  it('[R192] rejects the revocation of the caller’s own key, even if the account has others', async () => {
    const { apiKey, key } = await create();
    const response = await revoke(key.id, bearer(apiKey));
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      reason: 'SELF_REVOCATION_FORBIDDEN',
    });
    expect((await suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) })).status).toBe(200);
  });

  it('[R193] finds no key that is unknown, malformed or of another account', async () => {
    const other = await account();
    const [foreign] = (await list(other.auth)).keys;
    for (const id of [UNKNOWN_ID, 'x', '1', "' or 1=1", foreign?.id ?? '']) {
      const response = await revoke(encodeURIComponent(id));
      expect(await response.json(), id).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    expect((await list(other.auth)).keys).toHaveLength(1);
  });

  it('[R191] concurrent requests revoke a key once', async () => {
    const { key } = await create();
    const responses = await Promise.all(Array.from({ length: 20 }, () => revoke(key.id)));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
  });

  it('a key during its revocation cannot create another key', async () => {
    const busy = await account({ subscription_tier: 'BUSINESS' });
    const { apiKey, key } = await create({}, busy.auth);
    const makes = Array.from({ length: 8 }, (_, index) => post({ label: `after ${index}` }, bearer(apiKey)));
    const [revoked, ...made] = await Promise.all([revoke(key.id, busy.auth), ...makes]);
    expect(revoked?.status).toBe(200);
    expect(made.every(({ status }) => status === 201 || status === 401)).toBe(true);
    expect((await post({}, bearer(apiKey))).status).toBe(401);
    const { keys } = await list(busy.auth);
    expect(keys.filter(({ label }) => label?.startsWith('after'))).toHaveLength(
      made.filter(({ status }) => status === 201).length,
    );
  });

  it('two keys cannot revoke each other', async () => {
    const pair = await account();
    const [one, two] = [await create({}, pair.auth), await create({}, pair.auth)];
    const responses = await Promise.all([
      revoke(two.key.id, bearer(one.apiKey)),
      revoke(one.key.id, bearer(two.apiKey)),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await list(pair.auth)).limit.used).toBe(2);
  });

  it('an account with an unverified e-mail may revoke a key', async () => {
    const own = await account();
    const { key } = await create({}, own.auth);
    await changeTenant(suite.server, own, { status: 'PENDING_VERIFICATION' });
    expect((await revoke(key.id, own.auth)).status).toBe(200);
  });
});
