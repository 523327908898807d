import { createUuidSource, silentLogger, systemRandom } from 'sri-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { PLAN_LIMITS } from '../accounts/plans.js';
import { SCOPES, type Scope } from '../accounts/scopes.js';
import type { Tenant, TenantContext } from '../accounts/tenant.js';
import { Refusal } from '../platform/errors/refusal.js';
import { describeStores, STORE_NOW, storeKey, storeTenant } from '../testing/test-store.js';
import { createKey, type KeyDeps, type KeyRequest, listKeys, readUsage, revokeKey } from './administer-keys.js';
import { hashToken } from './api-token.js';
import { KeyUsage } from './key-usage.js';
import { findActiveKeys } from './rows.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const REQUEST: KeyRequest = { label: null, environment: 'sandbox', scopes: null };

await describeStores('administering keys', (store) => {
  let parts: KeyDeps;
  let context: TenantContext;

  /** An account, with the caller's key. */
  async function account(columns: Partial<Tenant> = {}, scopes: readonly Scope[] = SCOPES): Promise<TenantContext> {
    const owner = await storeTenant(store, columns);
    return { ...owner, keyId: (await storeKey(store, owner, { label: 'asks', scopes })).id };
  }
  const change = (of: TenantContext, columns: Readonly<Record<string, string>>) =>
    store.database.transaction((tables) =>
      tables.updateTable('tenants').set(columns).where('id', '=', of.tenant.id).execute(),
    );
  const labels = async (of = context) => (await listKeys(parts, of)).keys.map(({ label }) => label);
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Refusal)) throw new Error('It was not refused.', { cause: error });
    return { code: error.code, ...error.details };
  };

  beforeEach(async () => {
    const { database, clock } = store;
    parts = {
      database,
      clock,
      random: systemRandom,
      newId: createUuidSource(systemRandom),
      apiKeyBrand: 'sri',
      plans: PLAN_LIMITS,
      keyUsage: new KeyUsage(database, clock, silentLogger),
    };
    context = await account();
  });

  describe('a new key', () => {
    it('a new key has the requested fields, works, and returns its token once', async () => {
      const request = { ...REQUEST, label: 'Caja 1', scopes: ['keys:manage', 'documents:read'] } as const;
      const { key, apiKey } = await createKey(parts, context, request);
      expect(apiKey).toMatch(/^sri_test_/);
      expect(key).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tenantId: context.tenant.id,
        last4: apiKey.slice(-4),
        label: 'Caja 1',
        environment: 'sandbox',
        // In the fixed order of display.
        scopes: ['documents:read', 'keys:manage'],
        listed: true,
        createdAt: new Date(STORE_NOW),
        active: true,
        requestCount: 0,
        lastUsedAt: null,
        revokedAt: null,
      });
      expect((await listKeys(parts, context)).keys).toContainEqual(key);
      const active = await store.database.read((tables) => findActiveKeys(tables, [hashToken(apiKey)]));
      const found = active.get(hashToken(apiKey));
      expect(found).toMatchObject({ id: key.id, scopes: ['documents:read', 'keys:manage'] });
    });

    it('a new key has the scopes of its maker by default, and never more', async () => {
      const limited = await account({}, ['documents:read', 'keys:manage']);
      expect((await createKey(parts, limited, REQUEST)).key.scopes).toEqual(['documents:read', 'keys:manage']);
      expect((await createKey(parts, limited, { ...REQUEST, scopes: ['keys:manage'] })).key.scopes).toEqual([
        'keys:manage',
      ]);
      const more = { ...REQUEST, scopes: ['keys:manage', 'billing:manage'] } as const;
      expect(await refusal(createKey(parts, limited, more))).toEqual({ code: 'SCOPE_ESCALATION_FORBIDDEN' });
      // The stored scopes decide, not those of the request.
      expect(limited.scopes).toContain('billing:manage');
    });

    it.each<{ name: string; of: Tenant['environment']; asked: Tenant['environment']; is: string | RegExp }>([
      { name: 'of the sandbox', of: 'sandbox', asked: 'sandbox', is: /^sri_test_/ },
      { name: 'of production before it', of: 'sandbox', asked: 'production', is: 'PRODUCTION_KEY_REQUIRES_PROMOTION' },
      { name: 'of production in it', of: 'production', asked: 'production', is: /^sri_live_/ },
      { name: 'of the sandbox once in production', of: 'production', asked: 'sandbox', is: /^sri_test_/ },
    ])('an account may create a key $name, or gets a refusal', async ({ of, asked, is }) => {
      const call = createKey(parts, await account({ environment: of }), { ...REQUEST, environment: asked });
      if (typeof is === 'string') expect(await refusal(call)).toEqual({ code: is });
      else {
        const { key, apiKey } = await call;
        expect([apiKey, key.environment]).toEqual([expect.stringMatching(is), asked]);
      }
    });

    it('the creation checks the current account, its e-mail first', async () => {
      await change(context, { status: 'PENDING_VERIFICATION', subscription_tier: 'FREE' });
      const call = createKey(parts, context, { ...REQUEST, environment: 'production' });
      expect(await refusal(call)).toEqual({ code: 'EMAIL_VERIFICATION_REQUIRED' });
      expect(await labels()).toEqual(['asks']);
    });

    it('a key takes a place of the plan, unlike revoked keys and keys of the web application', async () => {
      const full = await account({ subscriptionTier: 'STARTER' });
      const places = PLAN_LIMITS.STARTER.maxApiKeys;
      await storeKey(store, full, { listed: false });
      for (let count = 1; count < places; count += 1) await createKey(parts, full, REQUEST);
      expect(await refusal(createKey(parts, full, REQUEST))).toEqual({ code: 'API_KEY_LIMIT_REACHED' });
      const { keys, max } = await listKeys(parts, full);
      expect([keys.length, max]).toEqual([places, places]);
      await revokeKey(parts, full, keys.find(({ id }) => id !== full.keyId)?.id ?? '');
      await createKey(parts, full, REQUEST);
      expect((await listKeys(parts, full)).keys).toHaveLength(places);
    });
  });

  describe('a revocation', () => {
    it('a revocation ends one key, once', async () => {
      const { key } = await createKey(parts, context, { ...REQUEST, label: 'ended' });
      await createKey(parts, context, { ...REQUEST, label: 'stays' });
      await revokeKey(parts, context, key.id);
      expect((await labels()).toSorted()).toEqual(['asks', 'stays']);
      expect(await refusal(revokeKey(parts, context, key.id))).toEqual({ code: 'NOT_FOUND' });
      const stored = await store.database.read((tables) =>
        tables.selectFrom('api_keys').select('revoked_at').where('id', '=', key.id).executeTakeFirstOrThrow(),
      );
      expect(stored.revoked_at).toBe(Date.parse(STORE_NOW));
    });

    it('a caller cannot revoke its own key', async () => {
      expect(await refusal(revokeKey(parts, context, context.keyId ?? ''))).toEqual({
        code: 'BAD_REQUEST',
        reason: 'SELF_REVOCATION_FORBIDDEN',
      });
      expect(await labels()).toEqual(['asks']);
    });

    it('rejects the revocation of a key that is unknown, of the web application or of another account', async () => {
      const other = await account();
      const { id } = await storeKey(store, context, { listed: false });
      for (const absent of [UNKNOWN_ID, id, other.keyId ?? '']) {
        expect(await refusal(revokeKey(parts, context, absent))).toEqual({ code: 'NOT_FOUND' });
      }
      expect(await labels(other)).toEqual(['asks']);
    });
  });

  it.each<{ name: string; as: (of: TenantContext) => Promise<TenantContext> }>([
    { name: 'without a key of the account', as: async (of) => ({ ...of, keyId: null }) },
    { name: 'with a key that is another account’s', as: async (of) => ({ ...of, keyId: (await account()).keyId }) },
    { name: 'with an unknown key', as: async (of) => ({ ...of, keyId: UNKNOWN_ID }) },
    {
      name: 'with a key that was revoked during the request',
      as: async (of) => {
        const { id } = await storeKey(store, of);
        await revokeKey(parts, of, id);
        return { ...of, keyId: id };
      },
    },
    {
      name: 'for an account that is gone',
      as: async (of) => ({ ...of, tenant: { ...of.tenant, id: UNKNOWN_ID } }),
    },
  ])('rejects a caller $name', async ({ as }) => {
    const { key } = await createKey(parts, context, { ...REQUEST, label: 'stays' });
    const asking = await as(context);
    const unauthorized = { code: 'UNAUTHORIZED', headers: { 'www-authenticate': 'Bearer' } };
    expect(await refusal(createKey(parts, asking, { ...REQUEST, scopes: [] }))).toEqual(unauthorized);
    expect(await refusal(revokeKey(parts, asking, key.id))).toEqual(unauthorized);
    expect((await labels()).toSorted()).toEqual(['asks', 'stays']);
  });

  describe('the use of keys', () => {
    it('the use includes requests counted just now, by day in Ecuador, today last', async () => {
      const keyId = context.keyId ?? '';
      try {
        for (const time of ['2026-11-19T04:59:59Z', '2026-11-19T05:00:00Z', '2026-11-21T15:00:00Z']) {
          store.clock.set(time);
          parts.keyUsage.count(keyId);
        }
        parts.keyUsage.count(keyId);
        expect(await readUsage(parts, context, { id: keyId, days: 3 })).toEqual([
          { date: '2026-11-19', requestCount: 1 },
          { date: '2026-11-20', requestCount: 0 },
          { date: '2026-11-21', requestCount: 2 },
        ]);
        parts.keyUsage.count(keyId);
        expect((await listKeys(parts, context)).keys).toEqual([
          expect.objectContaining({ requestCount: 5, lastUsedAt: new Date(STORE_NOW) }),
        ]);
        // After midnight in Greenwich it is still the same day in Ecuador.
        store.clock.set('2026-11-22T04:59:59Z');
        expect(await readUsage(parts, context, { id: keyId, days: 1 })).toEqual([
          { date: '2026-11-21', requestCount: 3 },
        ]);
      } finally {
        store.clock.set(STORE_NOW);
      }
    });

    it('the use stays readable after the revocation of the key', async () => {
      const { key } = await createKey(parts, context, REQUEST);
      parts.keyUsage.count(key.id);
      await revokeKey(parts, context, key.id);
      expect(await readUsage(parts, context, { id: key.id, days: 1 })).toEqual([
        { date: '2026-11-21', requestCount: 1 },
      ]);
    });

    it('rejects the use of a key that is unknown, of the web application or of another account', async () => {
      const { id } = await storeKey(store, context, { listed: false });
      for (const absent of [UNKNOWN_ID, id, (await account()).keyId ?? '']) {
        expect(await refusal(readUsage(parts, context, { id: absent, days: 1 }))).toEqual({ code: 'NOT_FOUND' });
      }
    });
  });
});
