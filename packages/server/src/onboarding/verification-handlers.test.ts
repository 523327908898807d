import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeTenant, readRows } from '../testing/change-rows.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  type RegistrationFields,
  register,
  registerTenant,
  type TestTenant,
} from '../testing/test-tenant.js';

interface Invited extends TestTenant {
  readonly token: string;
  readonly mail: string;
}

/** Registers an account and returns the token of its mail. */
async function invite(server: TestServer, fields: RegistrationFields = {}): Promise<Invited> {
  const tenant = await registerTenant(server, fields);
  await server.tick();
  const mail = (await server.mails()).at(-1) ?? '';
  const token = /\n([0-9a-f]{64})\n/.exec(mail)?.[1];
  if (!token) throw new Error(`No token in the mail: ${mail}`);
  return { ...tenant, token, mail };
}

async function statusOf(server: TestServer, tenant: TestTenant): Promise<unknown> {
  return (await ownAccount(server, tenant))['status'];
}

async function eventTypes(server: TestServer, tenant: TestTenant): Promise<readonly string[]> {
  return (await ownHistory(server, tenant)).map(({ eventType }) => eventType);
}

describeOnDatabases('verifying an e-mail', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  const check = (token: string) => server.request(`/v1/verify-email/check?token=${token}`);
  const confirm = (token: unknown) => postJson(server, '/v1/verify-email', {}, { token });

  it('[R163] [R166] [R007] [R310] a check returns the address and changes nothing', async () => {
    const tenant = await invite(server, { email: 'mira@ejemplo.ec' });
    const response = await check(tenant.token);
    expect(await response.json()).toEqual({ valid: true, email: 'mira@ejemplo.ec' });
    expect(await statusOf(server, tenant)).toBe('PENDING_VERIFICATION');
    expect(await eventTypes(server, tenant)).toEqual(['CERTIFICATE_UPLOADED', 'VERIFICATION_EMAIL_SENT']);
  });

  it('[R164] a check of an unknown token returns false', async () => {
    const response = await check('0'.repeat(64));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ valid: false });
  });

  it.each([
    ['no token', ''],
    ['a short token', '?token=abc'],
    ['a token that is not hex', `?token=${'g'.repeat(64)}`],
  ])('[R165] a check of %s is a VALIDATION_FAILED', async (_name, query) => {
    const response = await server.request(`/v1/verify-email/check${query}`);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'query:token' }],
    });
  });

  it('[R112] [R167] [R328] [R004] a confirmation activates the account and is recorded', async () => {
    const tenant = await invite(server, { email: 'si@ejemplo.ec', language: 'en' });
    const response = await confirm(tenant.token);
    expect([response.status, response.headers.get('content-language')]).toEqual([200, 'en']);
    expect(await response.json()).toEqual({ ok: true, email: 'si@ejemplo.ec', message: expect.any(String) });
    expect(await statusOf(server, tenant)).toBe('ACTIVE');
    expect(await eventTypes(server, tenant)).toEqual([
      'CERTIFICATE_UPLOADED',
      'VERIFICATION_EMAIL_SENT',
      'EMAIL_VERIFIED',
    ]);
  });

  it.each([undefined, null, '', 'abc', 5, ['0'.repeat(64)], `${'0'.repeat(64)}\n`])(
    '[R168] a confirmation with %j is a VALIDATION_FAILED',
    async (token) => {
      const response = await confirm(token);
      expect(await response.json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'token' }],
      });
    },
  );

  it('[R169] a token works once', async () => {
    const tenant = await invite(server);
    expect((await confirm(tenant.token)).status).toBe(200);
    const again = await confirm(tenant.token);
    expect(await again.json()).toMatchObject({ status: 400, code: 'INVALID_OR_EXPIRED_TOKEN' });
    expect(await (await check(tenant.token)).json()).toEqual({ valid: false });
  });

  it('many concurrent confirmations use the token once', async () => {
    const tenant = await invite(server);
    const responses = await Promise.all(Array.from({ length: 20 }, () => confirm(tenant.token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    const problems = await Promise.all(responses.map((response) => response.json() as Promise<{ code?: string }>));
    expect(problems.filter(({ code }) => code === 'INVALID_OR_EXPIRED_TOKEN')).toHaveLength(19);
    const verified = (await eventTypes(server, tenant)).filter((type) => type === 'EMAIL_VERIFIED');
    expect(verified).toHaveLength(1);
  });

  it('[R170] [R139] [R328] the link in the mail confirms too', async () => {
    const tenant = await invite(server, { email: 'enlace@ejemplo.ec' });
    const link = `/v1/verify-email?token=${tenant.token}`;
    expect(tenant.mail).toContain(`http://localhost:3000${link}`);
    const response = await server.request(link);
    expect(await response.json()).toMatchObject({ ok: true, email: 'enlace@ejemplo.ec' });
    expect(await eventTypes(server, tenant)).toContain('EMAIL_VERIFIED');
    expect((await server.request(link)).status).toBe(400);
    const cut = await server.request(link.slice(0, -1), { headers: { accept: 'text/html' } });
    expect([cut.status, await cut.text()]).toEqual([
      400,
      expect.stringContaining('<p>Debe tener 64 dígitos hexadecimales: copie'),
    ]);
  });

  it('a prefetch does not use the token', async () => {
    const tenant = await invite(server);
    const link = `/v1/verify-email?token=${tenant.token}`;
    expect((await server.request(link, { method: 'HEAD' })).status).toBe(204);
    expect((await server.request(link, { headers: { purpose: 'prefetch' } })).status).toBe(204);
    expect((await server.request(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(204);
    expect((await server.request(`/v1/verify-email?token=${'0'.repeat(64)}`, { method: 'HEAD' })).status).toBe(400);
    expect((await server.request(link, { headers: { 'x-purpose': 'preview, prefetch' } })).status).toBe(204);
    expect(await statusOf(server, tenant)).toBe('PENDING_VERIFICATION');
    expect(await eventTypes(server, tenant)).toEqual(['CERTIFICATE_UPLOADED', 'VERIFICATION_EMAIL_SENT']);
    expect((await server.request(link)).status).toBe(200);
  });

  it('a browser gets a page, with the same status', async () => {
    const tenant = await invite(server);
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'en' };
    const link = `/v1/verify-email?token=${tenant.token}`;
    const good = await server.request(link, { headers });
    expect([good.status, good.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await good.text()).toContain('E-mail verified');
    const bad = await server.request(link, { headers });
    expect([bad.status, bad.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(bad.headers.get('content-security-policy')).toContain("default-src 'none'");
    // A mail filter may have opened it before its reader, whose account is verified.
    expect(await bad.text()).toMatch(/Invalid or expired link[\s\S]*If the account still waits for its verification/);
    const program = await server.request(link, { headers: { accept: 'text/html;q=0.5, application/json' } });
    expect(program.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('[R138] the link leads to the address of the registration and keeps its query', async () => {
    const tenant = await invite(server, { verificationRedirectUrl: 'http://localhost:3000/v?lang=es&x=a%26b' });
    expect(tenant.mail).toContain(`http://localhost:3000/v?lang=es&x=a%26b&token=${tenant.token}`);
  });

  it('a name with a message loses its links, and a link to a foreign host is rejected', async () => {
    const businessName = `Su cuenta fue bloqueada, entre a https://ladron.ec/pago o www.ladron.ec ${'x'.repeat(200)}`;
    const { mail } = await invite(server, { businessName });
    const [greeting = ''] = /Hola[^\n]*/.exec(mail) ?? [];
    expect(greeting).toBe(`Hola, Su cuenta fue bloqueada, entre a o www. ladron. ec ${'x'.repeat(29)}:`);
    expect(mail).not.toContain('ladron.ec');
    expect((await invite(server, { businessName: 'https://ladron.ec/' })).mail).toContain('\nHola:\n');
    const refused = await register(server, { verificationRedirectUrl: 'https://ladron.ec/v' }, '10.99.0.1');
    expect(await refused.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'verificationRedirectUrl', rule: 'urlHost' }],
    });
  });

  it('[R136] the mail is in the language of the account', async () => {
    expect((await invite(server, { language: 'en' })).mail).toContain('Subject: Confirm your e-mail');
    expect((await invite(server)).mail).toContain('Subject: Confirme su correo');
  });

  it('the database holds no token, only its digest', async () => {
    const tenant = await invite(server);
    const stored = await readRows(server, 'verification_tokens', { tenant_id: tenant.tenantId });
    const digest = createHash('sha256').update(tenant.token).digest('hex');
    expect(stored).toEqual([expect.objectContaining({ token_hash: digest, ended_at: null })]);
    const upper = await postJson(server, '/v1/verify-email', {}, { token: tenant.token.toUpperCase() });
    expect(upper.status).toBe(200);
  });

  it('[R117] a suspended account cannot confirm, and its token stays valid', async () => {
    const tenant = await invite(server);
    const setStatus = (status: string) => changeTenant(server, tenant, { status });
    await setStatus('SUSPENDED');
    const refused = await confirm(tenant.token);
    expect(await refused.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    expect((await server.request(`/v1/verify-email?token=${tenant.token}`)).status).toBe(403);
    expect(await statusOf(server, tenant)).toBe('SUSPENDED');
    await setStatus('PENDING_VERIFICATION');
    expect((await confirm(tenant.token)).status).toBe(200);
  });

  it('[R142] [R164] [R169] a token expires after a day', async () => {
    const tenant = await invite(server);
    await server.clock.advance(86_399_999);
    expect(await (await check(tenant.token)).json()).toMatchObject({ valid: true });
    await server.clock.advance(1);
    expect(await (await check(tenant.token)).json()).toEqual({ valid: false });
    expect(await (await confirm(tenant.token)).json()).toMatchObject({ code: 'INVALID_OR_EXPIRED_TOKEN' });
  });
});

describe('onboarding reserved to the web application', () => {
  it('ONBOARDING=internal requires the secret, except for the check of a token', async () => {
    const secret = 'x'.repeat(32);
    const settings = { ONBOARDING: 'internal', INTERNAL_SERVICE_SECRET: `${'y'.repeat(32)},${secret}` };
    const server = await openTestServer(null, { settings });
    const path = `/v1/verify-email?token=${'0'.repeat(64)}`;
    const refused = await server.request(path);
    expect(await refused.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
    for (const route of ['/v1/register', '/v1/recover', '/v1/resend-verification', '/v1/verify-email']) {
      const response = await server.request(route, { method: 'POST' });
      expect(await response.json(), route).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
    }
    const wrong = await server.request(path, { headers: { 'x-internal-service-secret': 'z'.repeat(32) } });
    expect(wrong.status).toBe(403);
    const right = await server.request(path, { headers: { 'x-internal-service-secret': secret } });
    expect(await right.json()).toMatchObject({ status: 400, code: 'INVALID_OR_EXPIRED_TOKEN' });
    expect((await server.request(path.replace('?', '/check?'))).status).toBe(200);
    await server.close();
  });
});
