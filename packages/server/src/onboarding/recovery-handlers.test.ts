import { openP12 } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../app.js';
import type { Tables } from '../platform/database/tables.js';
import { forgetUnusedLimits } from '../platform/limits/rows.js';
import { accountRows } from '../testing/account-rows.js';
import { changeTenant, readRows } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { mismatchP12 } from '../testing/forged-p12.js';
import { formOf } from '../testing/form-of.js';
import { ownHistory } from '../testing/own-account.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_VALIDITY, type TestServer, testP12 } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  type RegistrationFields,
  registerTenant,
  registrationForm,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const SECRET = 'un secreto de la aplicacion web de 32 bytes';
const ofTheWebApplication = { 'x-internal-service-secret': SECRET };

interface Recovery {
  readonly apiKey: string;
  readonly issuer: { readonly id: string };
}

describeOnDatabases('POST /v1/recover', await databaseKinds(), (open) => {
  let server: TestServer;
  let network = 0;
  let accounts = 0;

  beforeAll(async () => {
    server = await open({ settings: { INTERNAL_SERVICE_SECRET: SECRET } });
  });

  /** An account with a known address, and by default with a certificate of its own. */
  async function account(fields: RegistrationFields = {}): Promise<TestTenant & { readonly email: string }> {
    accounts += 1;
    const email = `recupera${accounts}@ejemplo.ec`;
    return { ...(await registerTenant(server, { email, ...fields })), email };
  }

  function unusedAddress(): string {
    network += 1;
    return lastAddress();
  }

  function lastAddress(): string {
    return `172.17.${network >> 8}.${network & 255}`;
  }

  async function recoveryForm(fields: RegistrationFields): Promise<FormData> {
    return formOf({ cert: await testP12(), certPassword: TEST_PASSWORD, ...fields });
  }

  /** Recovers from a fresh address. */
  async function recover(fields: RegistrationFields, headers: Record<string, string> = {}): Promise<Response> {
    const address = unusedAddress();
    const init = { method: 'POST', body: await recoveryForm(fields), headers };
    return server.request('/v1/recover', init, address);
  }

  async function recovered(fields: RegistrationFields): Promise<Recovery> {
    const response = await recover(fields);
    const body = (await response.json()) as Recovery;
    expect(body).toHaveProperty('apiKey');
    return body;
  }
  const me = (apiKey: string) => server.request('/v1/tenants/me', { headers: { authorization: `Bearer ${apiKey}` } });
  const keysOf = (tenant: TestTenant) =>
    readRows(server, 'api_keys', { tenant_id: tenant.tenantId }, [
      'label',
      'environment',
      'active',
      'revoked_at',
      'scopes',
    ]);
  const eventsOf = (apiKey: string) => ownHistory(server, { auth: { authorization: `Bearer ${apiKey}` } });
  async function newestToken(): Promise<string> {
    await server.tick();
    const tokens = (await server.mails()).flatMap((mail) => /\n([0-9a-f]{64})\n/.exec(mail)?.[1] ?? []);
    return tokens.at(-1) ?? 'none';
  }

  it('[R149] [R024] [R030] [R004] returns a new key for the certificate', async () => {
    const tenant = await account({ tradeName: 'El Ñandú' });
    await createDocument(server, tenant);
    const response = await recover({ email: tenant.email });
    const { certificate } = await openP12(await testP12(), TEST_PASSWORD);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ok: true,
      tenant: {
        id: tenant.tenantId,
        email: tenant.email,
        subscriptionTier: 'FREE',
        status: 'PENDING_VERIFICATION',
        documentQuota: 100,
        documentCount: 1,
      },
      issuer: {
        id: tenant.issuerId,
        ruc: expect.stringMatching(/^\d{13}$/),
        businessName: 'Comercial Ñandú & Hijos S.A.',
        tradeName: 'El Ñandú',
        branchCode: '001',
        issuePointCode: '002',
        certFingerprint: certificate.fingerprint,
        certExpiry: certificate.validTo.toISOString(),
      },
      apiKey: expect.stringMatching(/^sri_test_[0-9A-Za-z]{38}$/),
      environment: 'sandbox',
    });
  });

  it('[R113] [R151] [R152] a recovery ends the old keys, and its key has all scopes and works before verification', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'ACTIVE' });
    await postJson(server, '/v1/keys', tenant.auth, { label: 'Caja' });
    const { apiKey } = await recovered({ email: ` ${tenant.email.toUpperCase()} ` });
    expect((await me(tenant.apiKey)).status).toBe(401);
    expect(await (await me(apiKey)).json()).toMatchObject({ tenant: { status: 'PENDING_VERIFICATION' } });
    const headers = { authorization: `Bearer ${apiKey}`, 'x-issuer-id': tenant.issuerId };
    expect((await postJson(server, '/v1/documents', headers, SIMPLE_INVOICE)).status).toBe(201);
    const keys = await keysOf(tenant);
    expect(keys.filter(({ active }) => active === 1)).toEqual([
      expect.objectContaining({ label: 'Recovery key', environment: 'sandbox', revoked_at: null }),
    ]);
    expect(JSON.parse(keys.find(({ active }) => active === 1)?.scopes ?? '')).toHaveLength(9);
    expect(keys.filter(({ active, revoked_at }) => active === 0 && revoked_at === null)).toEqual([]);
  });

  it.each(['PENDING_VERIFICATION', 'ACTIVE', 'PAST_DUE'])(
    '[R113] [R340] an account that is %s waits for verification again, with a new link',
    async (previousStatus) => {
      const tenant = await account();
      const first = await newestToken();
      await changeTenant(server, tenant, { status: previousStatus });
      await server.clock.advance(1000);
      const { apiKey } = await recovered({ email: tenant.email });
      const token = await newestToken();
      expect(token).not.toBe(first);
      const noted = (await eventsOf(apiKey)).filter(({ eventType }) => eventType !== 'CERTIFICATE_UPLOADED');
      expect(noted).toMatchObject([
        { eventType: 'VERIFICATION_EMAIL_SENT' },
        { eventType: 'ACCOUNT_RECOVERED' },
        { eventType: 'VERIFICATION_EMAIL_SENT' },
      ]);
      expect(noted[1]?.detail).toEqual({ environment: 'sandbox', previousStatus, address: lastAddress() });
      const confirm = (of: string) => postJson(server, '/v1/verify-email', {}, { token: of });
      expect(await (await confirm(first)).json()).toMatchObject({ code: 'INVALID_OR_EXPIRED_TOKEN' });
      // A verified address pays no subscription.
      const status = previousStatus === 'PAST_DUE' ? 'PAST_DUE' : 'ACTIVE';
      const message = `Correo verificado.${status === 'ACTIVE' ? ' La cuenta está activa.' : ''}`;
      expect(await (await confirm(token)).json()).toMatchObject({ ok: true, message });
      expect(await (await me(apiKey)).json()).toMatchObject({ tenant: { status } });
    },
  );

  it('[R150] [R151] a recovery in production returns a key of production, and leaves keys of the sandbox unchanged', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'ACTIVE', environment: 'production' });
    const [sandbox] = await keysOf(tenant);
    const response = await recover({ email: tenant.email });
    const body = (await response.json()) as Recovery & { environment: string };
    expect([body.environment, body.apiKey]).toEqual(['production', expect.stringMatching(/^sri_live_/)]);
    expect((await me(body.apiKey)).status).toBe(200);
    expect((await keysOf(tenant))[0]).toEqual(sandbox);
    const again = await recovered({ email: tenant.email });
    expect((await me(body.apiKey)).status).toBe(401);
    expect((await me(again.apiKey)).status).toBe(200);
    expect((await eventsOf(again.apiKey)).at(-1)?.detail).toEqual({
      environment: 'production',
      previousStatus: 'PENDING_VERIFICATION',
      address: lastAddress(),
    });
  });

  it('[R153] operations that require a verified address wait for verification after a recovery', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'ACTIVE', subscription_tier: 'STARTER' });
    const { apiKey } = await recovered({ email: tenant.email });
    const headers = { authorization: `Bearer ${apiKey}` };
    const tries = () =>
      Promise.all([
        postJson(server, '/v1/issuers', headers, { branchCode: '001', issuePointCode: '009' }),
        postJson(server, '/v1/keys', headers, { label: 'Otra' }),
      ]);
    const promote = async () => {
      const response = await postJson(server, '/v1/tenants/promote', { ...headers, ...ofTheWebApplication }, {});
      return ((await response.json()) as { code: string }).code;
    };
    for (const response of await tries()) {
      expect(await response.json()).toMatchObject({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' });
    }
    expect(await promote()).toBe('EMAIL_VERIFICATION_REQUIRED');
    await postJson(server, '/v1/verify-email', {}, { token: await newestToken() });
    expect((await tries()).map(({ status }) => status)).toEqual([201, 201]);
    expect(await promote()).not.toBe('EMAIL_VERIFICATION_REQUIRED');
  });

  it('[R154] [R155] [R156] gives one answer for an unknown address, an account without issuer and another certificate', async () => {
    const stranger = await createTestP12({ password: TEST_PASSWORD, validFrom: new Date('2026-01-01') });
    const [known, bare, removed] = [await account(), await account(), await account()];
    await server.services.database.transaction(async (tables) => {
      await tables.updateTable('issuers').set({ active: 0 }).where('tenant_id', '=', removed.tenantId).execute();
      const of = tables.selectFrom('issuers').select('id').where('tenant_id', '=', bare.tenantId);
      await tables.deleteFrom('issuer_certificates').where('tenant_id', '=', bare.tenantId).execute();
      await tables.deleteFrom('issuer_document_types').where('issuer_id', 'in', of).execute();
      await tables.deleteFrom('issuers').where('tenant_id', '=', bare.tenantId).execute();
    });
    const before = await accountRows(server);
    const cases: RegistrationFields[] = [
      { email: 'nadie@ejemplo.ec' },
      { email: bare.email },
      { email: removed.email },
      { email: known.email, cert: stranger },
    ];
    const reported: unknown[] = [];
    for (const fields of cases) {
      const response = await recover(fields, { 'x-request-id': 'the-same-for-all' });
      reported.push([response.status, await response.text(), [...response.headers]]);
    }
    expect(new Set(reported.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(reported[0]).toMatchObject([
      200,
      expect.stringMatching(/^\{"ok":true,"message":"[^"]+"\}$/),
      expect.anything(),
    ]);
    expect(await accountRows(server)).toEqual(before);
    expect((await me(known.apiKey)).status).toBe(200);
  });

  it('the cleanup deletes the row that a failed recovery commits for equal timing', async () => {
    const left = () =>
      server.services.database.read((tables) =>
        tables.selectFrom('rate_limits').select('bucket').where('bucket', 'like', 'recovery:%').execute(),
      );
    const clean = () =>
      server.services.database.transaction((tables) =>
        forgetUnusedLimits(tables, { now: server.clock.now(), limit: 1000 }),
      );
    await server.clock.advance(60_001);
    await clean();
    expect(await left()).toEqual([]);
    await recover({ email: 'nadie@ejemplo.ec' });
    expect(await left()).toHaveLength(1);
    await server.clock.advance(60_001);
    await clean();
    expect(await left()).toEqual([]);
  });

  it('[R117] [R162] reports a suspension only with the matching certificate', async () => {
    const stranger = await createTestP12({ password: TEST_PASSWORD, validFrom: new Date('2026-01-01') });
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'SUSPENDED', suspension_reason: 'OTHER' });
    const before = await accountRows(server);
    const refused = await recover({ email: tenant.email });
    expect(await refused.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    const other = await recover({ email: tenant.email, cert: stranger });
    expect(await other.json()).toEqual({ ok: true, message: expect.any(String) });
    expect(await accountRows(server)).toEqual(before);
  });

  it('finds the issuer by its certificate among several', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'ACTIVE' });
    const second = await createTestP12({ password: 'dos', validFrom: new Date('2026-01-01') });
    const cert = Buffer.from(second).toString('base64');
    const numbered = { branchCode: '001', issuePointCode: '009' };
    const added = await postJson(server, '/v1/issuers', tenant.auth, { ...numbered, cert, certPassword: 'dos' });
    const { issuer } = (await added.json()) as { issuer: { id: string } };
    const found = await recovered({ email: tenant.email, cert: second, certPassword: 'dos' });
    expect(found.issuer.id).toBe(issuer.id);
    expect((await recovered({ email: tenant.email })).issuer.id).toBe(tenant.issuerId);
  });

  it('rejects a public certificate with another key', async () => {
    const own = await createTestP12({ password: null, ...TEST_VALIDITY });
    const { der } = (await openP12(own, null)).certificate;
    const tenant = await account({ cert: own, certPassword: null });
    const forged = mismatchP12(der);
    const before = await accountRows(server);
    const response = await recover({ email: tenant.email, cert: forged, certPassword: null });
    expect(await response.json()).toMatchObject({ status: 400, code: 'CERTIFICATE_KEY_NOT_FOUND' });
    expect(await accountRows(server)).toEqual(before);
    expect((await recover({ email: tenant.email, cert: own, certPassword: null })).status).toBe(200);
  });

  it.each<{ name: string; fields: () => Promise<RegistrationFields>; code: string; reason?: string }>([
    { name: '[R157] no P12', fields: async () => ({ cert: Buffer.from('%PDF-1.7') }), code: 'CERTIFICATE_INVALID' },
    { name: '[R157] an empty file', fields: async () => ({ cert: new Uint8Array() }), code: 'CERTIFICATE_INVALID' },
    {
      name: '[R157] half a P12',
      fields: async () => ({ cert: (await testP12()).subarray(0, 1200) }),
      code: 'CERTIFICATE_INVALID',
    },
    {
      name: '[R157] more than 256 KiB',
      fields: async () => ({ cert: new Uint8Array(256 * 1024 + 1) }),
      code: 'CERTIFICATE_INVALID',
    },
    {
      name: '[R157] a certificate of next year',
      fields: async () => ({ cert: await p12Of('2027-01-01', '2029-01-01') }),
      code: 'CERTIFICATE_INVALID',
      reason: 'CERTIFICATE_NOT_YET_VALID',
    },
    {
      name: '[R158] another password',
      fields: async () => ({ certPassword: 'otra' }),
      code: 'CERTIFICATE_PASSWORD_INVALID',
    },
    { name: '[R158] no password', fields: async () => ({ certPassword: null }), code: 'CERTIFICATE_PASSWORD_INVALID' },
    {
      name: '[R160] an expired certificate',
      fields: async () => ({ cert: await p12Of('2023-01-01', '2025-01-01') }),
      code: 'CERTIFICATE_EXPIRED',
    },
  ])('$name is reported before any look-up', async ({ fields, code, reason }) => {
    const tenant = await account();
    const sent = await fields();
    const blind = withoutDatabase(server);
    const reported: unknown[] = [];
    for (const email of [tenant.email, 'nadie@ejemplo.ec']) {
      const init = { method: 'POST', body: await recoveryForm({ email, ...sent }) };
      const response = await blind.request('/v1/recover', init, { clientAddress: unusedAddress() });
      const { requestId, ...problem } = (await response.json()) as Record<string, unknown>;
      expect(problem).toMatchObject({ status: 400, code, ...(reason ? { reason } : {}) });
      reported.push(problem);
    }
    expect(reported[0]).toEqual(reported[1]);
  });

  it('[R159] a P12 without a key is reported before any look-up', async () => {
    const bytes = Buffer.from(await createTestP12({ password: null, validFrom: new Date('2026-01-01') }));
    // The OID of a key bag becomes that of a CRL bag, which is never opened.
    const keyBag = Buffer.from('060b2a864886f70d010c0a0101', 'hex');
    const crlBag = Buffer.from('060b2a864886f70d010c0a0104', 'hex');
    const shroudedBag = Buffer.from('060b2a864886f70d010c0a0102', 'hex');
    const bag = bytes.includes(keyBag) ? keyBag : shroudedBag;
    const response = await recover({
      email: 'nadie@ejemplo.ec',
      cert: replaced(bytes, bag, crlBag),
      certPassword: null,
    });
    expect(await response.json()).toMatchObject({ status: 400, code: 'CERTIFICATE_KEY_NOT_FOUND' });
  });

  it.each<{ name: string; fields: RegistrationFields; field: string; rule: string }>([
    { name: 'no address', fields: { email: null }, field: 'email', rule: 'required' },
    { name: 'a blank address', fields: { email: '  ' }, field: 'email', rule: 'required' },
    { name: 'no address at all', fields: { email: 'a b@c.ec' }, field: 'email', rule: 'email' },
    { name: 'a header in the address', fields: { email: 'a@b.ec\r\nBcc: c@d.ec' }, field: 'email', rule: 'email' },
    { name: 'two addresses', fields: { email: ['a@b.ec', 'c@d.ec'] }, field: 'email', rule: 'single' },
    { name: 'no P12', fields: { cert: null }, field: 'cert', rule: 'required' },
    { name: 'a text for a P12', fields: { cert: 'MII' }, field: 'cert', rule: 'file' },
    {
      name: 'a file for a password',
      fields: { certPassword: new Uint8Array([1]) },
      field: 'certPassword',
      rule: 'textPart',
    },
  ])('[R161] $name is a VALIDATION_FAILED of its field', async ({ fields, field, rule }) => {
    const response = await recover({ email: 'nadie@ejemplo.ec', ...fields });
    const problem = (await response.json()) as { errors: unknown[] };
    expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(problem.errors).toContainEqual(expect.objectContaining({ field, rule, code: field }));
  });

  it('[R003] [R161] accepts only a form', async () => {
    const response = await postJson(server, '/v1/recover', {}, { email: 'nadie@ejemplo.ec' });
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'header:Content-Type', rule: 'contentType' }],
    });
  });

  it('a recovery notices a certificate renewal or a suspension during the request', async () => {
    const tenant = await account();
    const { registration } = server.services;
    /** Recovers while a change happens between the look-up and the recovery. */
    async function recoverWhile(meanwhile: () => Promise<unknown>): Promise<unknown> {
      const database = {
        ...registration.database,
        transaction: async <T>(work: (tables: Tables) => Promise<T>) => {
          await meanwhile();
          return registration.database.transaction(work);
        },
      };
      const app = createApp({ ...server.services, registration: { ...registration, database } });
      const body = await recoveryForm({ email: tenant.email });
      const address = { clientAddress: unusedAddress() };
      return (await app.request('/v1/recover', { method: 'POST', body }, address)).json();
    }
    const suspended = await recoverWhile(() => changeTenant(server, tenant, { status: 'SUSPENDED' }));
    expect(suspended).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    await changeTenant(server, tenant, { status: 'ACTIVE' });
    const renewed = await recoverWhile(() =>
      registration.database.transaction((tables) =>
        tables
          .updateTable('issuer_certificates')
          .set({ fingerprint: '0'.repeat(64) })
          .where('tenant_id', '=', tenant.tenantId)
          .execute(),
      ),
    );
    expect(renewed).toEqual({ ok: true, message: expect.any(String) });
    expect((await me(tenant.apiKey)).status).toBe(200);
  });

  it('ONBOARDING=internal requires the secret, and the key belongs to the application', async () => {
    const reserved = await open({ settings: { ONBOARDING: 'internal', INTERNAL_SERVICE_SECRET: SECRET } });
    const send = async (path: string, body: FormData, headers = ofTheWebApplication) =>
      reserved.request(path, { method: 'POST', body, headers });
    const email = 'reservada@ejemplo.ec';
    expect((await send('/v1/register', await registrationForm({ email }))).status).toBe(201);
    const without = { 'x-internal-service-secret': 'otro secreto, tambien de 32 bytes' };
    const refused = await send('/v1/recover', await recoveryForm({ email }), without);
    expect(await refused.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
    const { apiKey } = (await (await send('/v1/recover', await recoveryForm({ email }))).json()) as Recovery;
    const listed = await reserved.request('/v1/keys', { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await listed.json()).toMatchObject({ ok: true, keys: [], limit: { used: 0 } });
  });

  it('concurrent recoveries are all answered, and leave one key', async () => {
    const tenant = await account();
    await server.tick();
    const answers = await Promise.all(Array.from({ length: 6 }, () => recovered({ email: tenant.email })));
    const statuses = await Promise.all(answers.map(async ({ apiKey }) => (await me(apiKey)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const open = await server.services.database.read((tables) =>
      tables
        .selectFrom('verification_tokens')
        .select('token_hash')
        .where('tenant_id', '=', tenant.tenantId)
        .where('ended_at', 'is', null)
        .execute(),
    );
    expect(open).toHaveLength(1);
  });

  it('a recovery that fails at any step leaves everything unchanged, the old key too', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { status: 'ACTIVE' });
    const before = await accountRows(server);
    for (let step = 1; ; step += 1) {
      const { registration } = server.services;
      const failing = failingDatabase(registration.database, step);
      const app = createApp({ ...server.services, registration: { ...registration, database: failing } });
      const body = await recoveryForm({ email: tenant.email });
      const response = await app.request('/v1/recover', { method: 'POST', body }, { clientAddress: unusedAddress() });
      if (failing.statements < step) {
        expect(response.status).toBe(200);
        // Locking, finding, revoking, the key, the status, the event, the token, the mail, and their reads.
        expect(step).toBeGreaterThan(10);
        break;
      }
      expect(await response.json()).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
      expect(await accountRows(server), `step ${step}`).toEqual(before);
    }
    expect((await me(tenant.apiKey)).status).toBe(401);
  });
});

// --- internal ---

function p12Of(validFrom: string, validTo: string): Promise<Uint8Array> {
  return createTestP12({ password: TEST_PASSWORD, validFrom: new Date(validFrom), validTo: new Date(validTo) });
}

/** The bytes with each occurrence of one part replaced by another of the same length. */
function replaced(bytes: Buffer, part: Uint8Array, by: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  let found = 0;
  for (let at = copy.indexOf(part); at >= 0; at = copy.indexOf(part, at + part.length)) {
    copy.set(by, at);
    found += 1;
  }
  expect(found).toBeGreaterThan(0);
  return copy;
}

/** The same server with failing account look-ups; its limits still work. */
function withoutDatabase(server: TestServer) {
  const { registration } = server.services;
  const unreachable = () => Promise.reject(new Error('Something was looked up.'));
  const database = { ...registration.database, read: unreachable, transaction: unreachable };
  return createApp({ ...server.services, registration: { ...registration, database } });
}
