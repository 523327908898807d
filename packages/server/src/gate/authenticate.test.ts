import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InternalRoute, TenantRoute } from '../accounts/account-route.js';
import { SCOPES } from '../accounts/scopes.js';
import type { TenantContext } from '../accounts/tenant.js';
import type { OperatorRoute } from '../operator/operator-route.js';
import { json } from '../platform/http/answer.js';
import { routeHandler } from '../platform/http/route.js';
import { createRouteAsker, type RouteAsker } from '../testing/asked-routes.js';
import { describeStores, type StoredKey, storeKey, storeTenant } from '../testing/test-store.js';

const SECRET = 'secreto de la aplicación web número uno';
const NEXT_SECRET = 'y el que vendrá después de cambiarlo';
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const SETTINGS = {
  INTERNAL_SERVICE_SECRET: `${SECRET}, ${NEXT_SECRET}`,
  ADMIN_TOKEN: 'ana:token-de-ana-para-pruebas,luis:token-de-luis-para-pruebas',
};

const keyRoute: TenantRoute = {
  method: 'GET',
  path: '/v1/of-a-key',
  access: 'tenant',
  scope: null,
  suspended: 'served',
  unverified: 'served',
  limit: null,
  handler: routeHandler({ answer: async ({ context }) => json(200, context) }),
};
const webRoute: InternalRoute = { ...keyRoute, path: '/v1/of-the-web-application', access: 'internal' };
const operatorRoute: OperatorRoute = {
  method: 'GET',
  path: '/v1/admin/of-the-operator',
  access: 'admin',
  limit: null,
  handler: routeHandler({ answer: async ({ operator }) => json(200, operator) }),
};

const UNAUTHORIZED = { code: 'UNAUTHORIZED', headers: { 'www-authenticate': 'Bearer' } };
const secret = (text: string) => ({ 'x-internal-service-secret': text });

await describeStores('the caller', (store) => {
  let owner: TenantContext;
  let key: StoredKey;
  let asker: RouteAsker;
  /** Each test has its own address, since failed attempts are counted by address. */
  let address: string;
  let addresses = 0;
  beforeAll(async () => {
    owner = await storeTenant(store, { language: 'en' });
    key = await storeKey(store, owner, { scopes: ['documents:read'] });
    asker = createRouteAsker(store, SETTINGS);
  });
  beforeEach(() => {
    addresses += 1;
    address = `198.51.100.${addresses}`;
  });

  const ask = (route: TenantRoute | InternalRoute | OperatorRoute, headers: Readonly<Record<string, string>>) =>
    asker.ask(route, headers, address);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** The number of failed attempts from that address. */
  async function triedInVain(): Promise<number> {
    const rows = await store.database.read((tables) => tables.selectFrom('rate_limits').selectAll().execute());
    const own = rows.filter(({ bucket }) => bucket.endsWith(`:${address}`));
    return own.reduce((sum, { uses }) => sum + uses, 0);
  }
  /** Uses up the limit of failed attempts. */
  async function exhaust(): Promise<void> {
    const at = store.clock.now().getTime();
    const hits = JSON.stringify(Array.from({ length: 300 }, () => at));
    await store.database.transaction((tables) =>
      tables.updateTable('rate_limits').set({ hits }).where('bucket', 'like', `%:${address}`).execute(),
    );
  }
  const requestsOf = async (of: StoredKey) => {
    await asker.keyUsage.flush();
    const row = await store.database.read((tables) =>
      tables.selectFrom('api_keys').select('request_count').where('id', '=', of.id).executeTakeFirstOrThrow(),
    );
    return row.request_count;
  };

  describe('callers with a key', () => {
    it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])(
      'a key acts for its account with its scopes: %s',
      async (scheme) => {
        const before = await requestsOf(key);
        const { answered: reported, exchange } = await ask(keyRoute, { authorization: `${scheme} ${key.token}` });
        expect(reported).toEqual({
          tenant: owner.tenant,
          environment: 'sandbox',
          keyId: key.id,
          scopes: ['documents:read'],
        });
        expect(exchange.logFields).toEqual({ tenantId: owner.tenant.id });
        expect(exchange.language).toBe('en');
        expect(await requestsOf(key)).toBe(before + 1);
        expect(await triedInVain()).toBe(0);
      },
    );

    it('a request without a key gets a challenge for a key', async () => {
      for (const headers of [{}, { 'x-tenant-id': owner.tenant.id }, secret(SECRET)]) {
        expect((await ask(keyRoute, headers)).refused).toEqual(UNAUTHORIZED);
      }
      // No attempt was made.
      expect(await triedInVain()).toBe(0);
    });

    it.each([
      { name: 'no key behind the word', header: () => 'Bearer' },
      { name: 'another scheme', header: () => `Basic ${key.token}` },
      { name: 'a scheme that only has the right ending', header: () => `xBearer ${key.token}` },
      { name: 'no space', header: () => `Bearer${key.token}` },
      {
        name: 'a key that was mistyped',
        header: () => `Bearer ${key.token.slice(0, -1)}${key.token.endsWith('0') ? '1' : '0'}`,
      },
      { name: 'a key and something more', header: () => `Bearer ${key.token} x` },
      { name: 'two keys', header: () => `Bearer ${key.token}, Bearer ${key.token}` },
      { name: 'an unknown key', header: () => `Bearer ${'0'.repeat(64)}` },
    ])('rejects a key request with $name, and counts a failed attempt', async ({ header }) => {
      const before = await requestsOf(key);
      const { answered: reported, refused, exchange } = await ask(keyRoute, { authorization: header() });
      expect([reported, refused]).toEqual([null, UNAUTHORIZED]);
      expect(exchange.logFields).toEqual({});
      expect(await requestsOf(key)).toBe(before);
      expect(await triedInVain()).toBe(1);
    });

    it('rejects a mistyped key without a lookup', async () => {
      const database = { ...store.database, read: () => Promise.reject(new Error('Nothing is read.')) };
      const unread = createRouteAsker({ ...store, database });
      for (const mistyped of [`${key.token}0`, `sri_test_${'a'.repeat(38)}`, 'x']) {
        expect((await unread.ask(keyRoute, bearer(mistyped), address)).refused).toEqual(UNAUTHORIZED);
      }
      await expect(unread.ask(keyRoute, bearer(key.token), address)).rejects.toThrow('Nothing is read.');
    });

    it('rejects a revoked key', async () => {
      const revoked = await storeKey(store, owner);
      await store.database.transaction((tables) =>
        tables.updateTable('api_keys').set({ active: 0 }).where('id', '=', revoked.id).execute(),
      );
      expect((await ask(keyRoute, bearer(revoked.token))).refused).toEqual(UNAUTHORIZED);
    });

    it('rejects a key of the other environment with its own reason, and counts no request or attempt', async () => {
      const live = await storeKey(store, owner, { environment: 'production' });
      const { refused, exchange } = await ask(keyRoute, bearer(live.token));
      expect(refused).toEqual({ ...UNAUTHORIZED, reason: 'API_KEY_ENV_MISMATCH' });
      expect(exchange.logFields).toEqual({ tenantId: owner.tenant.id });
      expect([await requestsOf(live), await triedInVain()]).toEqual([0, 0]);
    });

    it('a caller with too many failed attempts has to wait, while a valid key gets its answer', async () => {
      await ask(keyRoute, bearer('wrong'));
      await exhaust();
      expect((await ask(keyRoute, bearer('wrong'))).refused).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect((await ask(keyRoute, bearer(key.token))).refused).toBeNull();
      expect((await ask(keyRoute, {})).refused).toEqual(UNAUTHORIZED);
    });
  });

  describe('calls of the web application', () => {
    const named = (headers: Readonly<Record<string, string>> = {}) => ({ 'x-tenant-id': owner.tenant.id, ...headers });

    it.each([
      { name: 'the first of two secrets', valid: SECRET },
      { name: 'the second of two secrets', valid: NEXT_SECRET },
    ])('the web application acts for the named account with every scope by $name', async ({ valid }) => {
      const { answered: reported, exchange } = await ask(webRoute, named(secret(valid)));
      expect(reported).toEqual({ tenant: owner.tenant, environment: 'sandbox', keyId: null, scopes: SCOPES });
      expect([exchange.logFields, exchange.language]).toEqual([{ tenantId: owner.tenant.id }, 'en']);
      expect(exchange.fromWebApplication).toBe(true);
    });

    it('the web application may name an account with spaces and capitals, in any environment', async () => {
      const live = await storeTenant(store, { environment: 'production' });
      const header = ` ${live.tenant.id.toUpperCase()} `;
      expect((await ask(webRoute, { ...secret(SECRET), 'x-tenant-id': header })).answered).toMatchObject({
        tenant: { id: live.tenant.id },
        environment: 'production',
      });
    });

    it('the web application acts with a key for the account and scopes of the key', async () => {
      const other = await storeTenant(store);
      const headers = { ...secret(SECRET), ...bearer(key.token), 'x-tenant-id': other.tenant.id };
      expect((await ask(webRoute, headers)).answered).toMatchObject({ keyId: key.id, scopes: ['documents:read'] });
      expect((await ask(webRoute, { ...headers, ...bearer('wrong') })).refused).toEqual(UNAUTHORIZED);
    });

    it.each([
      { name: 'no secret', headers: {} },
      { name: 'a wrong secret', headers: secret('z'.repeat(32)) },
      { name: 'half of a secret', headers: secret(SECRET.slice(0, -1)) },
      { name: 'both secrets in one', headers: secret(`${SECRET}, ${NEXT_SECRET}`) },
      { name: 'an empty secret', headers: secret('') },
    ])('rejects the web application with a key and $name', async ({ headers }) => {
      const { refused, exchange } = await ask(webRoute, { ...named(), ...bearer(key.token), ...headers });
      expect(refused).toEqual({ code: 'INTERNAL_SERVICE_ONLY' });
      expect(exchange.fromWebApplication).toBe(false);
      expect(await triedInVain()).toBe(0);
    });

    it('a call without a secret is not authenticated, and a wrong secret counts a failed attempt', async () => {
      expect((await ask(webRoute, named())).refused).toEqual(UNAUTHORIZED);
      expect(await triedInVain()).toBe(0);
      for (const wrong of ['', 'z'.repeat(32)]) {
        expect((await ask(webRoute, named(secret(wrong)))).refused).toEqual({ code: 'INTERNAL_SERVICE_ONLY' });
      }
      expect(await triedInVain()).toBe(2);
      await exhaust();
      expect((await ask(webRoute, named(secret('')))).refused).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect((await ask(webRoute, named(secret(SECRET)))).refused).toBeNull();
    });

    it.each([
      { name: 'names no account', tenantId: null, refused: UNAUTHORIZED },
      { name: 'names nothing', tenantId: ' ', refused: UNAUTHORIZED },
      {
        name: 'names an invalid UUID',
        tenantId: 'x',
        refused: {
          code: 'VALIDATION_FAILED',
          failures: [{ field: 'header:X-Tenant-Id', rule: 'uuid', code: 'header:X-Tenant-Id' }],
        },
      },
      { name: 'names a missing account', tenantId: UNKNOWN_ID, refused: { code: 'NOT_FOUND' } },
    ])('rejects the web application when it $name', async ({ tenantId, refused }) => {
      const headers = { ...secret(SECRET), ...(tenantId === null ? {} : { 'x-tenant-id': tenantId }) };
      expect((await ask(webRoute, headers)).refused).toEqual(refused);
      expect(await triedInVain()).toBe(0);
    });

    it('a server without a secret rejects the web application', async () => {
      const { ask: askClosed } = createRouteAsker(store);
      for (const text of ['', SECRET, 'undefined']) {
        const { refused } = await askClosed(webRoute, named(secret(text)), address);
        expect(refused).toEqual({ code: 'INTERNAL_SERVICE_ONLY' });
      }
    });
  });

  describe('calls of the operator', () => {
    const ANA = 'token-de-ana-para-pruebas';
    const NOT_THE_OPERATOR = { ...UNAUTHORIZED, reason: 'ADMIN_TOKEN_REQUIRED' };

    it.each<{ name: string; headers: Readonly<Record<string, string>>; actor: string }>([
      { name: 'in its own header', headers: { 'x-admin-token': ANA }, actor: 'ana' },
      { name: 'with spaces', headers: { 'x-admin-token': `  ${ANA} ` }, actor: 'ana' },
      { name: 'as a bearer', headers: { authorization: `bearer  ${ANA}` }, actor: 'ana' },
      { name: 'of another operator', headers: { authorization: 'Bearer token-de-luis-para-pruebas' }, actor: 'luis' },
      {
        name: 'in its own header next to a key',
        headers: { 'x-admin-token': ANA, authorization: 'Bearer x' },
        actor: 'ana',
      },
    ])('the operator is authenticated by a token $name', async ({ headers, actor }) => {
      const { answered: reported, exchange } = await ask(operatorRoute, headers);
      expect(reported).toEqual({ actor, channel: 'HTTP' });
      expect(exchange.logFields).toEqual({ operator: actor });
      expect(await triedInVain()).toBe(0);
    });

    it('the operator is asked for a token', async () => {
      expect((await ask(operatorRoute, secret(SECRET))).refused).toEqual(NOT_THE_OPERATOR);
      // No attempt was made.
      expect(await triedInVain()).toBe(0);
    });

    it.each<{ name: string; headers: Readonly<Record<string, string>> }>([
      { name: 'a wrong token', headers: { 'x-admin-token': `${ANA}x` } },
      { name: 'an empty token', headers: { 'x-admin-token': '' } },
      {
        name: 'a wrong token next to a right bearer',
        headers: { 'x-admin-token': 'x', authorization: `Bearer ${ANA}` },
      },
      { name: 'another scheme', headers: { authorization: `Basic ${ANA}` } },
      { name: 'a scheme that only has the right ending', headers: { authorization: `xBearer ${ANA}` } },
      { name: 'no space', headers: { authorization: `Bearer${ANA}` } },
      { name: 'something more', headers: { authorization: `Bearer ${ANA} x` } },
    ])('rejects an operator with $name, and counts a failed attempt', async ({ headers }) => {
      const { answered: reported, refused, exchange } = await ask(operatorRoute, headers);
      expect([reported, refused, exchange.logFields]).toEqual([null, NOT_THE_OPERATOR, {}]);
      expect(await triedInVain()).toBe(1);
      await exhaust();
      expect((await ask(operatorRoute, headers)).refused).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect((await ask(operatorRoute, { 'x-admin-token': ANA })).refused).toBeNull();
    });
  });
});
