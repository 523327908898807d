import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../app.js';
import type { Tables } from '../platform/database/tables.js';
import { accountRows } from '../testing/account-rows.js';
import { changeRows, changeTenant, readRows } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  type RegistrationFields,
  register,
  registerTenant,
  type TestTenant,
} from '../testing/test-tenant.js';

describeOnDatabases('POST /v1/resend-verification', await databaseKinds(), (open) => {
  let server: TestServer;
  let network = 0;
  let accounts = 0;

  beforeAll(async () => {
    server = await open();
  });

  /** An account whose registration mail was sent more than a minute ago. */
  async function account(fields: RegistrationFields = {}, of = server) {
    accounts += 1;
    const email = `reenvio${accounts}@ejemplo.ec`;
    const tenant = await registerTenant(of, { email, ...fields });
    await of.tick();
    await of.clock.advance(60_000);
    return { ...tenant, email };
  }

  /** Requests from a fresh address, and waits for the work after the answer. */
  async function resend(body: unknown, of = server): Promise<Response> {
    network += 1;
    const headers = { 'content-type': 'application/json', 'x-request-id': 'the-same-for-all' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await of.request('/v1/resend-verification', init, `172.20.${network >> 8}.${network & 255}`);
    await of.services.background.idle();
    return response;
  }

  /** The mails that the request caused. */
  async function mailsOf(body: unknown, of = server): Promise<readonly string[]> {
    const before = await of.mails();
    await resend(body, of);
    await of.tick();
    const after = await of.mails();
    return after.filter((mail) => !before.includes(mail));
  }
  const tokensOf = (tenant: TestTenant) =>
    server.services.database.read((tables) =>
      tables
        .selectFrom('verification_tokens')
        .selectAll()
        .where('tenant_id', '=', tenant.tenantId)
        .orderBy('created_at')
        .execute(),
    );
  const tokenIn = (mail: string | undefined) => /\n([0-9a-f]{64})\n/.exec(mail ?? '')?.[1] ?? 'none';
  const confirm = (token: string) => postJson(server, '/v1/verify-email', {}, { token });

  it('sends another link and ends the earlier link', async () => {
    const tenant = await account({ language: 'en' });
    const first = tokenIn((await server.mails()).at(-1));
    const mails = await mailsOf({ email: ` ${tenant.email.toUpperCase()} ` });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Subject: Confirm your e-mail');
    expect(mails[0]).toContain(`http://localhost:3000/v1/verify-email?token=${tokenIn(mails[0])}`);
    expect(await (await confirm(first)).json()).toMatchObject({ code: 'INVALID_OR_EXPIRED_TOKEN' });
    expect((await confirm(tokenIn(mails[0]))).status).toBe(200);
  });

  it('answers the same whether the address is known, verified, suspended, past due, waiting or cooling', async () => {
    const [pending, active, suspended, late] = [await account(), await account(), await account(), await account()];
    await registerTenant(server, { email: 'recien@ejemplo.ec' });
    await changeTenant(server, active, { status: 'ACTIVE' });
    await changeTenant(server, suspended, { status: 'SUSPENDED' });
    await changeTenant(server, late, { status: 'PAST_DUE' });
    await server.tick();
    const reported: string[] = [];
    const brought: number[] = [];
    for (const email of ['nadie@ejemplo.ec', active.email, suspended.email, late.email, 'recien@ejemplo.ec']) {
      const before = await accountRows(server);
      const response = await resend({ email });
      reported.push(JSON.stringify([response.status, await response.text(), [...response.headers]]));
      expect(await accountRows(server), email).toEqual(before);
      brought.push((await mailsOf({ email })).length);
    }
    const response = await resend({ email: pending.email });
    reported.push(JSON.stringify([response.status, await response.text(), [...response.headers]]));
    expect(new Set(reported).size).toBe(1);
    expect(reported[0]).toContain('{\\"ok\\":true,\\"message\\":');
    expect(brought).toEqual([0, 0, 0, 0, 0]);
  });

  it('sends no earlier link after a resend, even if its mail still waited for the mail server', async () => {
    const sent: string[] = [];
    const outage = { isOver: false };
    const own = await open({
      mail: {
        send: async ({ text }) => {
          if (!outage.isOver) throw new Error('no mail server');
          sent.push(text);
        },
        close: () => {},
      },
    });
    const tenant = await account({}, own);
    await own.tick();
    outage.isOver = true;
    await resend({ email: tenant.email }, own);
    for (let hour = 0; hour < 3; hour += 1) await own.tickAfter(3_600_000);
    expect(sent).toHaveLength(1);
    const body = { token: tokenIn(sent[0]) };
    expect((await postJson(own, '/v1/verify-email', {}, body)).status).toBe(200);
  });

  it('sends an account one mail a minute, whatever the number of requests', async () => {
    const tenant = await account();
    const before = (await server.mails()).length;
    await Promise.all(Array.from({ length: 8 }, () => resend({ email: tenant.email })));
    await server.tick();
    expect(await server.mails()).toHaveLength(before + 1);
    await server.clock.advance(59_999);
    expect(await mailsOf({ email: tenant.email })).toEqual([]);
    await server.clock.advance(1);
    expect(await mailsOf({ email: tenant.email })).toHaveLength(1);
    // The clock was a day ahead, and is corrected. The worker sends the mails queued before.
    server.clock.set(new Date(server.clock.now().getTime() - 24 * 3_600_000));
    expect(await mailsOf({ email: tenant.email })).toHaveLength(1);
    expect(await mailsOf({ email: tenant.email })).toEqual([]);
    await server.clock.advance(24 * 3_600_000 + 60_000);
  });

  it('an account without issuers still gets its link', async () => {
    const tenant = await account();
    await changeRows(server, 'issuers', { tenant_id: tenant.tenantId }, { active: 0 });
    expect((await mailsOf({ email: tenant.email }))[0]).toContain(tenant.email);
  });

  it('the link leads to the server itself or to configured hosts, and other hosts are rejected', async () => {
    const listed = await open({
      settings: {
        APP_URL: 'https://app.ejemplo.ec',
        VERIFICATION_REDIRECT_HOSTS: 'panel.ejemplo.ec',
        ONBOARDING_RATE: '1000/1h',
      },
    });
    const own = 'http://localhost:3000/verificar';
    const tenant = await account({ verificationRedirectUrl: own }, listed);
    const next = async (verificationRedirectUrl?: string | null) => {
      await listed.clock.advance(60_000);
      const [mail] = await mailsOf({ email: tenant.email, verificationRedirectUrl }, listed);
      return /\n(https?:\/\/\S+)[?&]token=/.exec(mail ?? '')?.[1];
    };
    expect(await next()).toBe(own);
    expect(await next('https://panel.ejemplo.ec/v?x=1')).toBe('https://panel.ejemplo.ec/v?x=1');
    expect(await next(null)).toBe('https://panel.ejemplo.ec/v?x=1');
    for (const foreign of [
      'https://ladron.ec/',
      'https://panel.ejemplo.ec.ladron.ec/',
      'https://ejemplo.ec/',
      'http://localhost:3001/',
    ]) {
      // The same for an address with an account and one without.
      for (const email of [tenant.email, 'nadie@ejemplo.ec']) {
        const asked = { email, verificationRedirectUrl: foreign };
        const response = await postJson(listed, '/v1/resend-verification', {}, asked);
        expect(await response.json(), foreign).toMatchObject({
          status: 400,
          errors: [{ field: 'verificationRedirectUrl', rule: 'urlHost' }],
        });
      }
    }
    expect(await next()).toBe('https://panel.ejemplo.ec/v?x=1');
  });

  it('the link leads to the server itself if the stored host is no longer allowed', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { verification_redirect_url: 'https://ladron.ec/v' });
    await server.clock.advance(60_000);
    const [mail = ''] = await mailsOf({ email: tenant.email });
    expect(mail).not.toContain('ladron');
    expect(mail).toContain('http://localhost:3000/v1/verify-email?token=');
  });

  it.each<{ body: unknown; field: string; rule: string }>([
    { body: {}, field: 'email', rule: 'required' },
    { body: { email: null }, field: 'email', rule: 'required' },
    { body: { email: ' ' }, field: 'email', rule: 'required' },
    { body: { email: 5 }, field: 'email', rule: 'type' },
    { body: { email: ['a@b.ec'] }, field: 'email', rule: 'type' },
    { body: { email: 'a@b.ec,c@d.ec' }, field: 'email', rule: 'email' },
    { body: { email: 'a@b.ec\r\nBcc: c@d.ec' }, field: 'email', rule: 'email' },
    { body: { email: 'a@b.ec', verificationRedirectUrl: 5 }, field: 'verificationRedirectUrl', rule: 'type' },
    { body: { email: 'a@b.ec', verificationRedirectUrl: 'app.ec' }, field: 'verificationRedirectUrl', rule: 'url' },
    {
      body: { email: 'a@b.ec', verificationRedirectUrl: 'javascript:alert(1)' },
      field: 'verificationRedirectUrl',
      rule: 'url',
    },
    {
      body: { email: 'a@b.ec', verificationRedirectUrl: `https://app.ec/${'x'.repeat(2048)}` },
      field: 'verificationRedirectUrl',
      rule: 'maxLength',
    },
    { body: [], field: 'body', rule: 'object' },
  ])('$body breaks the rule $rule of $field', async ({ body, field, rule }) => {
    const response = await resend(body);
    const problem = (await response.json()) as { errors: unknown[] };
    expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(problem.errors).toEqual([expect.objectContaining({ field, rule })]);
  });

  it('[R147] [R293] [R379] shares its limit of five an hour with registration and recovery', async () => {
    const address = '203.0.113.77';
    const ask = (path: string) =>
      path === '/v1/register'
        ? register(server, { email: null }, address)
        : server.request(path, { method: 'POST' }, address);
    const paths = ['/v1/register', '/v1/recover', '/v1/resend-verification'];
    const spent: number[] = [];
    for (const path of [...paths, '/v1/recover', '/v1/resend-verification']) {
      const response = await ask(path);
      spent.push(response.status, Number(response.headers.get('ratelimit-remaining')));
    }
    expect(spent).toEqual([400, 4, 400, 3, 400, 2, 400, 1, 400, 0]);
    for (const path of paths) {
      const response = await ask(path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600']);
      expect(await response.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
    await server.clock.advance(3_600_000);
    expect((await ask('/v1/recover')).status).toBe(400);
  });

  it('an account that is verified during the request gets no mail', async () => {
    const tenant = await account();
    const { registration, background } = server.services;
    const database = {
      ...registration.database,
      transaction: async <T>(work: (tables: Tables) => Promise<T>) => {
        await changeTenant(server, tenant, { status: 'ACTIVE' });
        return registration.database.transaction(work);
      },
    };
    const app = createApp({ ...server.services, registration: { ...registration, database } });
    const before = await tokensOf(tenant);
    const body = JSON.stringify({ email: tenant.email });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    await app.request('/v1/resend-verification', init, { clientAddress: '172.21.0.1' });
    await background.idle();
    expect(await tokensOf(tenant)).toEqual(before);
  });

  it('a failure after the answer leaves the earlier link unchanged', async () => {
    const tenant = await account();
    const before = await tokensOf(tenant);
    for (let step = 1; ; step += 1) {
      const { registration, background } = server.services;
      const failing = failingDatabase(registration.database, step);
      const app = createApp({ ...server.services, registration: { ...registration, database: failing } });
      const body = JSON.stringify({ email: tenant.email });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const response = await app.request('/v1/resend-verification', init, { clientAddress: `172.22.0.${step}` });
      expect(response.status).toBe(200);
      await background.idle();
      if (failing.statements < step) {
        expect(step).toBeGreaterThan(5);
        break;
      }
      expect(await tokensOf(tenant), `step ${step}`).toEqual(before);
    }
    expect(await tokensOf(tenant)).toHaveLength(before.length + 1);
  });

  it('a stop waits for a requested mail', async () => {
    const stopping = await open();
    const tenant = await account({}, stopping);
    const rows = () => readRows(stopping, 'jobs', {}, ['id']);
    const before = await rows();
    await postJson(stopping, '/v1/resend-verification', {}, { email: tenant.email });
    expect(await rows()).toHaveLength(before.length);
    await stopping.services.background.idle();
    expect(await rows()).toHaveLength(before.length + 1);
  });
});
