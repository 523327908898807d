import { randomUUID } from 'node:crypto';
import { systemRandom } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import type { Scope } from '../accounts/scopes.js';
import { endSession, forgetEndedSessions } from '../gate/session-rows.js';
import { createApiToken, hashToken } from '../keys/api-token.js';
import { insertApiKey } from '../keys/rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

const HOUR_MS = 3_600_000;

interface SessionBody {
  readonly csrf: string | null;
  readonly accounts: readonly { readonly keyId: string; readonly ruc: string; readonly scopes: readonly string[] }[];
}

describeOnDatabases('a session of the console', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server);
    other = await registerTenant(server);
  });

  /** A browser with the last cookie that it got. */
  function browser(host = 'localhost:3000') {
    let cookie = '';
    let setCookie: string | null = null;
    async function ask(path: string, init: RequestInit = {}) {
      const headers = { host, ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) };
      const answer = await server.request(path, { ...init, headers });
      setCookie = answer.headers.get('set-cookie');
      if (setCookie) cookie = setCookie.split(';')[0] ?? '';
      return answer;
    }
    const session = async () => (await (await ask('/console/session')).json()) as SessionBody;
    const signIn = async ({ auth }: TestTenant) => {
      const answer = await ask('/console/session', { method: 'POST', headers: auth });
      return { status: answer.status, ...((await answer.json()) as SessionBody) };
    };
    return {
      ask,
      session,
      signIn,
      get cookie() {
        return cookie;
      },
      set cookie(value: string) {
        cookie = value;
      },
      get setCookie() {
        return setCookie;
      },
    };
  }
  /** A further key of the company. */
  async function makeKey(scopes: readonly Scope[]) {
    const apiKey = createApiToken(systemRandom, 'sri', 'sandbox');
    const id = randomUUID();
    const key = { id, tenantId: tenant.tenantId, tokenHash: hashToken(apiKey), last4: apiKey.slice(-4), label: 'Caja' };
    const rest = { environment: 'sandbox', scopes, listed: true, createdAt: server.clock.now() } as const;
    await server.services.database.transaction((tables) => insertApiKey(tables, { ...key, ...rest }));
    return { apiKey, id };
  }
  const write = (of: TestTenant, csrf: string | null, body: object = SIMPLE_INVOICE) => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-issuer-id': of.issuerId,
      ...(csrf === null ? {} : { 'x-csrf-token': csrf }),
    },
    body: JSON.stringify(body),
  });

  it('the cookie is hidden from scripts and other sites, and requires TLS outside this machine', async () => {
    const here = browser();
    await here.signIn(tenant);
    expect(here.setCookie).toMatch(/^sri_console=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    const byNumber = browser('127.0.0.1:3000');
    await byNumber.signIn(tenant);
    expect(byNumber.setCookie).not.toContain('Secure');
    const elsewhere = browser('facturas.example.com');
    await elsewhere.signIn(tenant);
    expect(elsewhere.setCookie).toMatch(
      /^__Host-sri_console=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
    );
    // The cookie does not contain the key.
    expect(Buffer.from(here.cookie.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(tenant.tenantId);
  });

  it('a session acts as its key: it reads, and with its token it writes', async () => {
    const { ask, signIn } = browser();
    const { csrf, accounts } = await signIn(tenant);
    expect(accounts).toMatchObject([{ environment: 'sandbox', scopes: expect.arrayContaining(['documents:write']) }]);
    expect((await ask('/v1/issuers')).status).toBe(200);
    expect((await ask('/v1/issuers', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/v1/documents', write(tenant, csrf))).status).toBe(201);
  });

  it.each([
    { name: 'no token', csrf: null },
    { name: 'a token of the same length', csrf: 'A'.repeat(24) },
    { name: 'a short token', csrf: 'x' },
  ])('a session changes nothing with $name', async ({ csrf }) => {
    const { ask, signIn, session } = browser();
    await signIn(tenant);
    expect((await ask('/v1/documents', write(tenant, csrf))).status).toBe(401);
    const headers: Record<string, string> = csrf === null ? {} : { 'x-csrf-token': csrf };
    expect((await ask('/console/session', { method: 'DELETE', headers })).status).toBe(401);
    expect((await session()).accounts).toHaveLength(1);
  });

  it('every sign-in starts a new session, whatever the browser sent before', async () => {
    const victim = browser();
    const { csrf } = await victim.signIn(tenant);
    const before = victim.cookie;
    const second = await victim.signIn(tenant);
    expect(victim.cookie).not.toBe(before);
    expect(second.csrf).not.toBe(csrf);
    const planted = browser();
    planted.cookie = 'sri_console=chosen-by-somebody-else';
    await planted.signIn(tenant);
    expect(planted.cookie).not.toContain('chosen');
  });

  it('signing out of one company or of all ends the session for every copy of its cookie', async () => {
    const owner = browser();
    const copy = browser();
    const opens = async (cookie: string) => {
      copy.cookie = cookie;
      return [(await copy.ask('/v1/issuers')).status, (await copy.session()).accounts.length];
    };
    const signOut = (of: string, csrf: string | null) =>
      owner.ask(`/console/session${of}`, { method: 'DELETE', headers: { 'x-csrf-token': csrf ?? '' } });
    await owner.signIn(tenant);
    const one = owner.cookie;
    expect(await opens(one)).toEqual([200, 1]);
    const { csrf, accounts } = await owner.signIn(other);
    expect(await opens(one)).toEqual([401, 0]);
    const both = owner.cookie;
    const left = (await (await signOut(`?key=${accounts[0]?.keyId}`, csrf)).json()) as SessionBody;
    expect(left.accounts).toHaveLength(1);
    expect(await opens(both)).toEqual([401, 0]);
    const last = owner.cookie;
    expect(await opens(last)).toEqual([200, 1]);
    expect(await opens(`x${last}`)).toEqual([401, 0]);
    await signOut('', left.csrf);
    expect(await opens(last)).toEqual([401, 0]);
    expect(owner.setCookie).toContain('Max-Age=0');
  });

  it('tabs that sign out of companies at once leave one session open', async () => {
    const owner = browser();
    await owner.signIn(tenant);
    const { csrf, accounts } = await owner.signIn(other);
    const headers = { cookie: owner.cookie, host: 'localhost:3000', 'x-csrf-token': csrf ?? '' };
    const signOut = ({ keyId }: SessionBody['accounts'][number]) =>
      server.request(`/console/session?key=${keyId}`, { method: 'DELETE', headers });
    const answers = await Promise.all([...accounts, ...accounts].map(signOut));
    const cookies = answers.flatMap((answer) => answer.headers.get('set-cookie')?.split(';')[0] ?? []);
    const tab = browser();
    const held: number[] = [];
    for (const cookie of cookies) {
      tab.cookie = cookie;
      held.push((await tab.session()).accounts.length);
    }
    expect(held.toSorted()).toEqual([0, 0, 0, 1]);
  });

  it('the server forgets an ended session once its time is over', async () => {
    const { signIn, ask } = browser();
    const { csrf } = await signIn(tenant);
    await ask('/console/session', { method: 'DELETE', headers: { 'x-csrf-token': csrf ?? '' } });
    const { database } = server.services;
    const count = async (days: number) => {
      const at = new Date(server.clock.now().getTime() + days * 24 * HOUR_MS);
      await database.transaction((tables) => forgetEndedSessions(tables, at));
      return (await database.read((tables) => tables.selectFrom('ended_sessions').select('id').execute())).length;
    };
    expect(await count(29)).toBeGreaterThan(0);
    // A simultaneous request signs it out as well.
    const [ended] = await database.read((tables) => tables.selectFrom('ended_sessions').selectAll().execute());
    await database.transaction((tables) => endSession(tables, ended?.id ?? '', ended?.expires_at ?? 0));
    expect(await count(31)).toBe(0);
  });

  it('a session starts with a key, and a cookie starts none', async () => {
    const { ask, signIn } = browser();
    await signIn(tenant);
    expect((await ask('/console/session', { method: 'POST' })).status).toBe(401);
    const { status } = await server.request('/console/session', { method: 'POST' });
    expect(status).toBe(401);
  });

  it.each(['sri_console=x', 'sri_console=k1.AAAA', 'sri_console=.', 'sri_console=', 'sri_console=__proto__.x'])(
    'the cookie %s opens no session',
    async (cookie) => {
      expect((await server.request('/v1/issuers', { headers: { cookie, host: 'localhost' } })).status).toBe(401);
      const answer = await server.request('/console/session', { headers: { cookie, host: 'localhost' } });
      expect(await answer.json()).toMatchObject({ accounts: [], csrf: null });
    },
  );

  it('the revocation of a key ends its session at once', async () => {
    const key = await makeKey(['documents:read', 'issuers:read']);
    const cashier = browser();
    await cashier.signIn({ ...tenant, auth: { authorization: `Bearer ${key.apiKey}` } });
    expect((await cashier.ask('/v1/issuers')).status).toBe(200);
    const { status } = await server.request(`/v1/keys/${key.id}`, { method: 'DELETE', headers: tenant.headers });
    expect(status).toBe(200);
    expect((await cashier.ask('/v1/issuers')).status).toBe(401);
    expect((await cashier.session()).accounts).toEqual([]);
    expect(cashier.setCookie).toContain('Max-Age=0');
  });

  it('a session may do no more than its key', async () => {
    const key = await makeKey(['documents:read']);
    const { ask, signIn } = browser();
    const { csrf } = await signIn({ ...tenant, auth: { authorization: `Bearer ${key.apiKey}` } });
    expect((await ask('/v1/documents', write(tenant, csrf))).status).toBe(403);
  });

  it('a session holds several companies, and acts for the company that a request names', async () => {
    const { ask, signIn, session } = browser();
    const first = await signIn(tenant);
    const both = await signIn(other);
    expect(both.accounts).toHaveLength(2);
    const issuersOf = async (keyId: string | undefined) =>
      (
        (await (await ask('/v1/issuers', { headers: { 'x-console-key': keyId ?? '' } })).json()) as {
          issuers: { id: string }[];
        }
      ).issuers;
    expect((await issuersOf(first.accounts[0]?.keyId)).map(({ id }) => id)).toEqual([tenant.issuerId]);
    expect((await issuersOf(both.accounts[0]?.keyId)).map(({ id }) => id)).toEqual([other.issuerId]);
    const unknown = await ask('/v1/issuers', { headers: { 'x-console-key': '00000000-0000-7000-8000-000000000000' } });
    expect(unknown.status).toBe(401);
    const left = await ask(`/console/session?key=${first.accounts[0]?.keyId}`, {
      method: 'DELETE',
      headers: { 'x-csrf-token': both.csrf ?? '' },
    });
    expect(((await left.json()) as SessionBody).accounts.map(({ keyId }) => keyId)).toEqual([both.accounts[0]?.keyId]);
    const { csrf } = await session();
    await ask('/console/session', { method: 'DELETE', headers: { 'x-csrf-token': csrf ?? '' } });
    expect((await session()).accounts).toEqual([]);
  });

  it('a session opens the routes of the web application within the scopes of its key', async () => {
    const { ask, signIn } = browser();
    const { csrf } = await signIn(tenant);
    // The account is not verified yet: past the gate, and refused by the rule.
    const answer = await ask('/v1/tenants/promote', write(tenant, csrf, {}));
    expect(await answer.json()).toMatchObject({ code: 'EMAIL_VERIFICATION_REQUIRED' });
    const withKey = await server.request('/v1/tenants/promote', write({ ...tenant }, null, {}));
    expect(withKey.status).toBe(401);
  });

  it('a session ends twelve hours after its last use, and after thirty days', async () => {
    const { session, signIn } = browser();
    await signIn(tenant);
    for (let hours = 0; hours < 30 * 24; hours += 11) {
      expect((await session()).accounts).toHaveLength(1);
      await server.clock.advance(11 * HOUR_MS);
    }
    expect((await session()).accounts).toEqual([]);
    const idle = browser();
    await idle.signIn(tenant);
    await server.clock.advance(12 * HOUR_MS);
    expect((await idle.ask('/v1/issuers')).status).toBe(401);
  });

  it('CONSOLE=off accepts no session', async () => {
    const closed = await open({ settings: { CONSOLE: 'off' }, beside: server });
    const { signIn, cookie } = browser();
    await signIn(tenant);
    const { status } = await closed.request('/v1/issuers', { headers: { cookie, host: 'localhost:3000' } });
    expect(status).toBe(401);
  });
});

describeOnDatabases('the first link', await databaseKinds(), (open) => {
  it('the first link makes a company that issues, once, and only with its token', async () => {
    const server = await open();
    const start = (token: string) => postJson(server, '/console/first-session', { host: 'localhost' }, { token });
    expect((await start('x'.repeat(32))).status).toBe(404);
    const { firstToken } = server.services;
    const answer = await start(firstToken);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ accounts: [{ ruc: '1799999990001', environment: 'sandbox' }] });
    expect((await start(firstToken)).status).toBe(404);
    // `simulate --fill` issues the documents of a month.
    const held = await server.services.database.read((tables) =>
      tables.selectFrom('issuer_certificates').select('valid_from').executeTakeFirstOrThrow(),
    );
    expect(Number(held.valid_from)).toBeLessThan(server.clock.now().getTime() - 31 * 24 * HOUR_MS);
  });

  it('the first link does not work in production', async () => {
    const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const settings = {
      NODE_ENV: 'production',
      MASTER_KEYS: key,
      SRI_MODE: 'simulator',
      BASE_URL: 'https://api.example.com',
    };
    const server = await open({ settings });
    const { status } = await postJson(server, '/console/first-session', {}, { token: server.services.firstToken });
    expect(status).toBe(404);
  });
});
