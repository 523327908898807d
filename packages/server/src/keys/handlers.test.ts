import { describe, expect, it } from 'vitest';
import { SCOPES } from '../accounts/scopes.js';
import { changeKeys, changeRows, changeTenant, readRow } from '../testing/change-rows.js';
import { bearer, keySuite } from '../testing/key-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { registrationForm } from '../testing/test-tenant.js';
import { hashToken, isPlausibleToken } from './api-token.js';
import { insertApiKey } from './rows.js';

describeOnDatabases('keys', await databaseKinds(), (open) => {
  const suite = keySuite(open);
  const { account, post, create, list, revoke } = suite;

  describe('the list', () => {
    it('[R004] [R008] [R031] [R177] [R178] [R320] the list shows the nine fields and the limit of the plan', async () => {
      const fresh = await account();
      const { keys, limit } = await list(fresh.auth);
      expect(limit).toEqual({ max: 5, used: 1 });
      expect(keys).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          label: 'Initial master key',
          environment: 'sandbox',
          scopes: [...SCOPES],
          active: true,
          createdAt: '2026-11-21T15:00:00.000Z',
          revokedAt: null,
          lastUsedAt: '2026-11-21T15:00:00.000Z',
          requestCount: 1,
          last4: fresh.apiKey.slice(-4),
        },
      ]);
    });

    it('[R032] [R033] the list counts every earlier request and its own', async () => {
      const fresh = await account();
      const { apiKey, key } = await create({}, fresh.auth);
      const shown = async () => (await list(fresh.auth)).keys.find(({ id }) => id === key.id);
      expect(await shown()).toMatchObject({ requestCount: 0, lastUsedAt: null });
      await suite.server.request('/v1/tenants/me', { headers: bearer(apiKey) });
      expect(await shown()).toMatchObject({ requestCount: 1, lastUsedAt: '2026-11-21T15:00:00.000Z' });
      // A refusal after authentication counts as well; a rejected key does not.
      await suite.server.request('/v1/documents', { headers: bearer(apiKey) });
      await suite.server.request('/v1/tenants/me', { headers: bearer(`${apiKey}x`) });
      expect(await shown()).toMatchObject({ requestCount: 2 });
      expect((await list(bearer(apiKey))).keys.find(({ id }) => id === key.id)).toMatchObject({ requestCount: 3 });
    });

    it('[R177] the list contains active keys, newest first', async () => {
      const fresh = await account();
      const made = [];
      for (const label of ['one', 'two', 'three']) made.push((await create({ label }, fresh.auth)).key);
      await revoke(made[1]?.id ?? '', fresh.auth);
      const { keys, limit } = await list(fresh.auth);
      expect(keys.map(({ label }) => label)).toEqual(['three', 'one', 'Initial master key']);
      expect(limit.used).toBe(3);
    });

    it('[R178] [R384] the free plan has no free place after the key of the registration', async () => {
      const free = await account({ subscription_tier: 'FREE' });
      expect((await list(free.auth)).limit).toEqual({ max: 0, used: 1 });
      const refused = await post({}, free.auth);
      expect(await refused.json()).toMatchObject({ status: 402, code: 'API_KEY_LIMIT_REACHED' });
    });

    it('[R034] [R035] the list shows no token, only the creation does', async () => {
      const { apiKey } = await create({ label: 'secret' });
      const response = await suite.server.request('/v1/keys', { headers: suite.tenant.auth });
      const text = await response.text();
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain(apiKey.slice(0, 20));
      expect(text).not.toMatch(/token|hash/i);
    });

    it('the list has the keys of one account alone', async () => {
      const other = await account();
      const ids = new Set((await list()).keys.map(({ id }) => id));
      expect((await list(other.auth)).keys.some(({ id }) => ids.has(id))).toBe(false);
    });
  });

  describe('a new key', () => {
    it('[R180] [R181] [R182] [R184] a new key has by default no label, the sandbox and the scopes of its maker', async () => {
      const limited = await create({ scopes: ['keys:manage', 'documents:read'] });
      const response = await suite.server.request('/v1/keys', { method: 'POST', headers: bearer(limited.apiKey) });
      expect(response.status).toBe(201);
      const body = (await response.json()) as { apiKey: string };
      expect(body).toEqual({
        ok: true,
        apiKey: expect.stringMatching(/^sri_test_[0-9A-Za-z]{38}$/),
        scopes: ['documents:read', 'keys:manage'],
        key: expect.objectContaining({
          label: null,
          environment: 'sandbox',
          scopes: ['documents:read', 'keys:manage'],
          active: true,
          lastUsedAt: null,
          requestCount: 0,
          last4: body.apiKey.slice(-4),
        }),
      });
      expect(isPlausibleToken(body.apiKey)).toBe(true);
      expect((await suite.server.request('/v1/issuers', { headers: bearer(body.apiKey) })).status).toBe(403);
    });

    it('[R187] a key with all scopes may give a new key any of them, in the fixed order and once each', async () => {
      for (const scope of SCOPES)
        expect((await create({ scopes: [scope] }, (await account()).auth)).key.scopes).toEqual([scope]);
      const mixed = { scopes: ['tenant:promote', 'documents:write', 'tenant:promote', 'billing:manage'] };
      const { key } = await create(mixed);
      expect(key.scopes).toEqual(['documents:write', 'billing:manage', 'tenant:promote']);
    });

    it('[R184] the creation treats null as an omitted field', async () => {
      const { key } = await create({ label: null, environment: null, scopes: null });
      expect(key).toMatchObject({ label: null, environment: 'sandbox', scopes: [...SCOPES] });
    });

    it.each([
      { name: 'an ordinary label', label: 'Caja 1', shown: 'Caja 1' },
      { name: '100 characters', label: 'ñ'.repeat(99).concat('😀'), shown: 'ñ'.repeat(99).concat('😀') },
      { name: 'line ends', label: ' Caja\r\n1 ', shown: 'Caja 1' },
      { name: 'blanks', label: '   ', shown: null },
    ])('[R181] the creation stores $name', async ({ label, shown }) => {
      expect((await create({ label }, (await account()).auth)).key.label).toBe(shown);
    });

    it.each([
      { name: 'a label that is too long', body: { label: 'x'.repeat(101) }, errors: ['label maxLength'] },
      { name: 'a label that is no text', body: { label: 5 }, errors: ['label type'] },
      { name: 'a label with controls', body: { label: 'a\u0000b' }, errors: ['label text'] },
      { name: 'half a character', body: { label: 'a\ud800' }, errors: ['label text'] },
      { name: 'an unknown environment', body: { environment: 'test' }, errors: ['environment choice'] },
      { name: 'an environment that is no text', body: { environment: ['sandbox'] }, errors: ['environment choice'] },
      { name: 'no scopes', body: { scopes: [] }, errors: ['scopes minItems'] },
      { name: 'scopes that are no list', body: { scopes: 'documents:read' }, errors: ['scopes type'] },
      { name: 'an unknown scope', body: { scopes: ['documents:read', 'x'] }, errors: ['scopes[1] choice'] },
      { name: 'a scope that is no text', body: { scopes: [['documents:read']] }, errors: ['scopes[0] choice'] },
      {
        name: 'everything at once',
        body: { label: 'x'.repeat(101), environment: 'x', scopes: [null] },
        errors: ['label maxLength', 'environment choice', 'scopes[0] choice'],
      },
    ])('[R181] [R182] [R185] rejects a new key with $name', async ({ body, errors }) => {
      const before = (await list()).limit.used;
      const response = await post(body);
      const problem = (await response.json()) as { code: string; errors: { field: string; rule: string }[] };
      expect([response.status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(problem.errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(errors);
      expect((await list()).limit.used).toBe(before);
    });

    it.each(['[]', '"x"', '{', '{"__proto__": {}}', 'null'])('rejects a new key with the body %s', async (body) => {
      const headers = { ...suite.tenant.auth, 'content-type': 'application/json' };
      const response = await suite.server.request('/v1/keys', { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    });

    it('[R322] rejects documents:void as a scope, since writing includes it', async () => {
      const response = await post({ scopes: ['documents:void'] });
      expect(await response.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    });

    it('[R186] a new key never has more scopes than its maker', async () => {
      const limited = await create({ scopes: ['keys:manage', 'documents:read'] }, (await account()).auth);
      const response = await post({ scopes: ['documents:read', 'documents:write'] }, bearer(limited.apiKey));
      expect(await response.json()).toMatchObject({ status: 403, code: 'SCOPE_ESCALATION_FORBIDDEN' });
      expect((await create({ scopes: ['documents:read'] }, bearer(limited.apiKey))).key.scopes).toEqual([
        'documents:read',
      ]);
    });

    it('[R183] an account outside production cannot create a key of production', async () => {
      const moving = await account();
      const early = await post({ environment: 'production' }, moving.auth);
      expect(await early.json()).toMatchObject({ status: 403, code: 'PRODUCTION_KEY_REQUIRES_PROMOTION' });
      const made = (await create({}, moving.auth)).apiKey;
      await changeTenant(suite.server, moving, { environment: 'production' });
      await changeRows(
        suite.server,
        'api_keys',
        { tenant_id: moving.tenantId, label: 'Initial master key' },
        { environment: 'production' },
      );
      const { apiKey, key } = await create({ environment: 'production' }, moving.auth);
      expect([apiKey.slice(0, 9), key.environment]).toEqual(['sri_live_', 'production']);
      expect((await list(bearer(apiKey))).limit.used).toBe(3);
      // A sandbox key can still be created; the account's environment decides where it works.
      const sandbox = await create({ environment: 'sandbox' }, moving.auth);
      for (const token of [sandbox.apiKey, made]) {
        const response = await suite.server.request('/v1/tenants/me', { headers: bearer(token) });
        expect(await response.json()).toMatchObject({ status: 401, reason: 'API_KEY_ENV_MISMATCH' });
      }
    });

    it('[R153] [R190] a new key needs a verified e-mail', async () => {
      const unverified = await account({ status: 'PENDING_VERIFICATION' });
      const response = await post({}, unverified.auth);
      expect(await response.json()).toMatchObject({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' });
      await changeTenant(suite.server, unverified, { status: 'ACTIVE' });
      await create({}, unverified.auth);
    });

    it.each([
      {
        name: 'the body before the e-mail',
        columns: { status: 'PENDING_VERIFICATION' },
        body: { scopes: [] },
        code: 'VALIDATION_FAILED',
      },
      {
        name: 'the e-mail before production',
        columns: { status: 'PENDING_VERIFICATION' },
        body: { environment: 'production' },
        code: 'EMAIL_VERIFICATION_REQUIRED',
      },
      {
        name: 'production before the scopes',
        columns: { status: 'ACTIVE' },
        body: { environment: 'production', scopes: ['billing:manage'] },
        code: 'PRODUCTION_KEY_REQUIRES_PROMOTION',
      },
      {
        name: 'the scopes before the limit',
        columns: { subscription_tier: 'FREE' },
        body: { scopes: ['billing:manage'] },
        code: 'SCOPE_ESCALATION_FORBIDDEN',
      },
      { name: 'the limit last', columns: { subscription_tier: 'FREE' }, body: {}, code: 'API_KEY_LIMIT_REACHED' },
    ])('the creation checks in order: $name', async ({ columns, body, code }) => {
      const judged = await account();
      const { apiKey } = await create({ scopes: ['keys:manage'] }, judged.auth);
      await changeTenant(suite.server, judged, columns);
      expect(await (await post(body, bearer(apiKey))).json()).toMatchObject({ code });
    });
  });

  describe('the limit of the plan', () => {
    it('[R188] [R189] the plan limits the keys, and a revoked key frees its place', async () => {
      const full = await account();
      const made = [];
      for (let count = 1; count < 5; count += 1) made.push((await create({}, full.auth)).key);
      const refused = await post({}, full.auth);
      expect(await refused.json()).toMatchObject({ status: 402, code: 'API_KEY_LIMIT_REACHED' });
      expect((await list(full.auth)).limit).toEqual({ max: 5, used: 5 });
      expect((await revoke(made[0]?.id ?? '', full.auth)).status).toBe(200);
      await create({}, full.auth);
      expect((await post({}, full.auth)).status).toBe(402);
    });

    it('[R188] concurrent requests get the last place of the plan once', async () => {
      const crowded = await account();
      for (let count = 1; count < 4; count += 1) await create({}, crowded.auth);
      // Open connections make the requests overlap.
      await Promise.all(Array.from({ length: 20 }, () => list(crowded.auth)));
      const responses = await Promise.all(Array.from({ length: 20 }, () => post({}, crowded.auth)));
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 402)]);
      expect((await list(crowded.auth)).limit.used).toBe(5);
    });

    it('[R179] the plan neither counts nor lists keys of the web application, and no account can revoke such a key', async () => {
      const own = await account();
      await changeKeys(suite.server, own, { listed: 0 });
      expect(await list(own.auth)).toMatchObject({ keys: [], limit: { max: 5, used: 0 } });
      const { apiKey } = await create({ scopes: ['keys:manage'] }, own.auth);
      expect((await list(bearer(apiKey))).limit.used).toBe(1);
      const { id } = await readRow(suite.server, 'api_keys', { tenant_id: own.tenantId, listed: 0 });
      expect((await revoke(id, bearer(apiKey))).status).toBe(404);
      expect((await suite.server.request(`/v1/keys/${id}/usage`, { headers: bearer(apiKey) })).status).toBe(404);
      expect((await list(own.auth)).limit.used).toBe(1);
    });
  });

  it('[R194] [R314] every route of keys needs keys:manage', async () => {
    const { apiKey, key } = await create({ scopes: SCOPES.filter((scope) => scope !== 'keys:manage') });
    const asked = [
      await suite.server.request('/v1/keys', { headers: bearer(apiKey) }),
      await post({}, bearer(apiKey)),
      await revoke(key.id, bearer(apiKey)),
      await suite.server.request(`/v1/keys/${key.id}/usage`, { headers: bearer(apiKey) }),
    ];
    for (const response of asked) {
      expect(await response.json()).toMatchObject({
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
        requiredScope: 'keys:manage',
      });
    }
  });

  it('accepts an imported key of 64 hexadecimal digits', async () => {
    const token = 'a1'.repeat(32);
    await suite.server.services.database.transaction((tables) =>
      insertApiKey(tables, {
        id: crypto.randomUUID(),
        tenantId: suite.tenant.tenantId,
        tokenHash: hashToken(token),
        last4: token.slice(-4),
        label: 'Imported',
        environment: 'sandbox',
        scopes: ['keys:manage'],
        listed: true,
        createdAt: suite.server.clock.now(),
      }),
    );
    const { keys } = await list(bearer(token));
    expect(keys.find(({ label }) => label === 'Imported')).toMatchObject({ requestCount: 1 });
    expect((await suite.server.request('/v1/keys', { headers: bearer('a2'.repeat(32)) })).status).toBe(401);
  });

  it('[R179] keys from registrations of the web application are neither listed nor counted', async () => {
    const secret = 'un secreto de la aplicacion web de 32 bytes';
    const internal = await open({ settings: { ONBOARDING: 'internal', INTERNAL_SERVICE_SECRET: secret } });
    const headers = { 'x-internal-service-secret': secret };
    const form = await registrationForm({ email: 'app@ejemplo.ec', ruc: '1799999999001' });
    const registered = await internal.request('/v1/register', { method: 'POST', headers, body: form });
    const { apiKey } = (await registered.json()) as { apiKey: string };
    const response = await internal.request('/v1/keys', { headers: bearer(apiKey) });
    expect(await response.json()).toEqual({ ok: true, keys: [], limit: { max: 0, used: 0 } });
  });
});
