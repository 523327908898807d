import { beforeAll, expect, it } from 'vitest';
import { accountRows } from '../testing/account-rows.js';
import { changeRows, changeTenant, readRows } from '../testing/change-rows.js';
import { ownHistory } from '../testing/own-account.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  type RegistrationFields,
  registerTenant,
  registrationForm,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const THIEF = '203.0.113.7';
const DAY_MS = 86_400_000;
const HTML = { accept: 'text/html' };

describeOnDatabases('a recovery that the owner did not ask for', await databaseKinds(), (open) => {
  let server: TestServer;
  let made = 0;
  beforeAll(async () => {
    server = await open({ settings: { ONBOARDING_RATE: '1000/1h' } });
  });

  /** An account in production, by its rows only. */
  async function account(
    status = 'ACTIVE',
    environment = 'production',
    fields: RegistrationFields = {},
  ): Promise<TestTenant & { email: string }> {
    made += 1;
    const email = `anula${made}@ejemplo.ec`;
    const tenant = await registerTenant(server, { email, ...fields });
    await server.tick();
    await server.services.database.transaction(async (tables) => {
      await tables.updateTable('tenants').set({ status, environment }).where('id', '=', tenant.tenantId).execute();
      await tables.updateTable('api_keys').set({ environment }).where('tenant_id', '=', tenant.tenantId).execute();
    });
    return { ...tenant, email };
  }

  /** Recovers the account, and returns both links from the mails. */
  async function recover(email: string, address = THIEF) {
    await server.clock.advance(1000);
    const mailsBefore = (await server.mails()).length;
    const form = await registrationForm({ cert: await testP12(), certPassword: TEST_PASSWORD, email });
    const response = await server.request('/v1/recover', { method: 'POST', body: form }, address);
    expect(response.status).toBe(200);
    const { apiKey } = (await response.json()) as { apiKey: string };
    await server.tick();
    const mails = (await server.mails()).slice(mailsBefore);
    expect(mails).toHaveLength(2);
    const notice = mails.find((mail) => mail.includes('/v1/recover/undo')) ?? '';
    const verification = mails.find((mail) => mail !== notice) ?? '';
    return {
      auth: { authorization: `Bearer ${apiKey}` },
      notice,
      undoToken: /undo\?token=([0-9a-f]{64})\n/.exec(notice)?.[1] ?? 'none',
      token: /\n([0-9a-f]{64})\n/.exec(verification)?.[1] ?? 'none',
    };
  }

  const mailsOf = ({ tenantId }: TestTenant) =>
    readRows(server, 'jobs', { tenant_id: tenantId, kind: 'MAIL' }, ['id', 'status']);
  const undo = (token: string, init: RequestInit = {}) =>
    server.request(`/v1/recover/undo?token=${token}`, { method: 'POST', ...init });
  const me = async (auth: Readonly<Record<string, string>>) => {
    const response = await server.request('/v1/tenants/me', { headers: auth });
    const { tenant } = (await response.json()) as { tenant?: { status: string } };
    return tenant?.status ?? response.status;
  };
  const tokenRefused = { status: 400, code: 'INVALID_OR_EXPIRED_TOKEN' };

  it('a recovery mails its time, its origin and the link to undo it to the account at once', async () => {
    const { email } = await account();
    const { notice } = await recover(email);
    expect(notice).toContain(`To: ${email}`);
    expect(notice).toContain(
      'El 21 de noviembre de 2026, 10:00 (hora de Ecuador), desde la direcci=C3=B3n 203.0.113.7,',
    );
    expect(notice).toMatch(/http:\/\/localhost:3000\/v1\/recover\/undo\?token=[0-9a-f]{64}\n/);
    expect(notice).toContain('vale 7 d=C3=ADas');
  });

  it('a recovery blocks production until the address is verified', async () => {
    const tenant = await account();
    const { auth, token } = await recover(tenant.email);
    const headers = { ...auth, 'x-issuer-id': tenant.issuerId };
    const create = () => postJson(server, '/v1/documents', headers, SIMPLE_INVOICE);
    const before = await accountRows(server);
    expect(await (await create()).json()).toMatchObject({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' });
    expect(await accountRows(server)).toEqual(before);
    const listed = await server.request('/v1/documents', { headers });
    expect(listed.status).toBe(200);
    expect((await postJson(server, '/v1/verify-email', {}, { token })).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  it('a mail filter that opens the links like a browser does not confirm a recovery', async () => {
    const tenant = await account();
    const { auth, token, undoToken } = await recover(tenant.email);
    const link = `/v1/verify-email?token=${token}`;
    const shown = await server.request(link, { headers: HTML });
    const html = await shown.text();
    expect([shown.status, await me(auth)]).toEqual([200, 'PENDING_VERIFICATION']);
    expect(html).toContain('¿Confirmar su correo?');
    const fields = [...html.matchAll(/<input type="hidden" name="(\w+)"(?: value="(\w+)")?>/g)];
    const query = new URLSearchParams(Object.fromEntries(fields.map(([, name, value = '']) => [name, value])));
    const confirmed = await server.request(`/v1/verify-email?${query}`, { headers: HTML });
    expect(await confirmed.text()).toContain('Correo verificado');
    expect(await me(auth)).toBe('ACTIVE');
    const late = await server.request(`/v1/recover/undo?token=${undoToken}`, { headers: HTML });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('recupere la cuenta de nuevo')]);
  });

  it('a recovery does not stop documents queued before', async () => {
    // The certificate names this RUC, as the SRI requires.
    const tenant = await account('ACTIVE', 'production', { ruc: TEST_RUC });
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    const { auth } = await recover(tenant.email);
    await server.tickAfter(10_000);
    const headers = { ...auth, 'x-issuer-id': tenant.issuerId };
    const response = await server.request(`/v1/documents/${accessKey}`, { headers });
    expect(await response.json()).toMatchObject({ document: { status: 'AUTHORIZED' } });
  });

  it.each(['PENDING_VERIFICATION', 'ACTIVE', 'PAST_DUE'])(
    'the link restores an account that was %s to that status, with its own key',
    async (status) => {
      const tenant = await account(status, status === 'PENDING_VERIFICATION' ? 'sandbox' : 'production');
      const { auth, undoToken, token } = await recover(tenant.email);
      expect([await me(tenant.auth), await me(auth)]).toEqual([401, 'PENDING_VERIFICATION']);
      const held = (await mailsOf(tenant)).at(-1)?.id ?? '';
      await changeRows(server, 'jobs', { id: held }, { status: 'UNVERIFIED' });
      const response = await undo(undoToken);
      // Mails that wait for the verification become due again with the former status.
      const mail = (await mailsOf(tenant)).find(({ id }) => id === held);
      expect(mail?.status).toBe(status === 'PENDING_VERIFICATION' ? 'UNVERIFIED' : 'PENDING');
      expect([response.status, await response.json()]).toEqual([
        200,
        { ok: true, email: tenant.email, message: expect.any(String) },
      ]);
      expect([await me(tenant.auth), await me(auth)]).toEqual([status, 401]);
      const environment = status === 'PENDING_VERIFICATION' ? 'sandbox' : 'production';
      const last = (await ownHistory(server, tenant)).at(-1);
      expect(last).toMatchObject({ eventType: 'RECOVERY_UNDONE', detail: { environment, status } });
      // An account that was never verified keeps the newest link.
      const verified = await postJson(server, '/v1/verify-email', {}, { token });
      expect(verified.status).toBe(status === 'PENDING_VERIFICATION' ? 200 : 400);
      expect(await me(auth)).toBe(401);
    },
  );

  it('a recovery is undone once', async () => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    expect((await undo(undoToken)).status).toBe(200);
    const before = await accountRows(server);
    expect(await (await undo(undoToken)).json()).toMatchObject(tokenRefused);
    expect(await accountRows(server)).toEqual(before);
  });

  it('two concurrent calls undo a recovery once', async () => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    const statuses = (await Promise.all([undo(undoToken), undo(undoToken)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
    expect(await me(tenant.auth)).toBe('ACTIVE');
  });

  it('either the undo or the verification succeeds if both are concurrent', async () => {
    const tenant = await account();
    const { auth, undoToken, token } = await recover(tenant.email);
    const [undone, verified] = await Promise.all([
      undo(undoToken),
      postJson(server, '/v1/verify-email', {}, { token }),
    ]);
    expect([undone.status, verified.status].toSorted()).toEqual([200, 400]);
    const isUndone = undone.status === 200;
    expect([await me(tenant.auth), await me(auth)]).toEqual(isUndone ? ['ACTIVE', 401] : [401, 'ACTIVE']);
  });

  it('the undo of any of several recoveries restores the state before the first', async () => {
    const tenant = await account();
    const first = await recover(tenant.email);
    const second = await recover(tenant.email);
    expect((await undo(second.undoToken)).status).toBe(200);
    expect([await me(tenant.auth), await me(first.auth), await me(second.auth)]).toEqual(['ACTIVE', 401, 401]);
    expect(await (await undo(first.undoToken)).json()).toMatchObject(tokenRefused);
  });

  it('an undone recovery leaves earlier revoked keys revoked', async () => {
    const tenant = await account();
    await changeTenant(server, tenant, { subscription_tier: 'STARTER' });
    const minted = await postJson(server, '/v1/keys', tenant.auth, { label: 'Caja', environment: 'production' });
    const { apiKey, key } = (await minted.json()) as { apiKey: string; key: { id: string } };
    await server.request(`/v1/keys/${key.id}`, { method: 'DELETE', headers: tenant.auth });
    const { undoToken } = await recover(tenant.email);
    await undo(undoToken);
    expect(await me({ authorization: `Bearer ${apiKey}` })).toBe(401);
    expect(await me(tenant.auth)).toBe('ACTIVE');
  });

  it('a recovery is final once the address is verified', async () => {
    const tenant = await account();
    const { auth, undoToken, token } = await recover(tenant.email);
    await postJson(server, '/v1/verify-email', {}, { token });
    const before = await accountRows(server);
    expect(await (await undo(undoToken)).json()).toMatchObject(tokenRefused);
    expect(await accountRows(server)).toEqual(before);
    expect([await me(tenant.auth), await me(auth)]).toEqual([401, 'ACTIVE']);
  });

  it('a recovery can be undone for seven days', async () => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    await server.clock.advance(7 * DAY_MS - 1);
    expect((await server.request(`/v1/recover/undo?token=${undoToken}`)).status).toBe(200);
    await server.clock.advance(1);
    expect(await (await undo(undoToken)).json()).toMatchObject(tokenRefused);
    expect(await me(tenant.auth)).toBe(401);
  });

  it('the undo waits until a suspension of the account ends', async () => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    await changeTenant(server, tenant, { status: 'SUSPENDED', status_before_suspension: 'PENDING_VERIFICATION' });
    expect(await (await undo(undoToken)).json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    await changeTenant(server, tenant, { status: 'PENDING_VERIFICATION', status_before_suspension: null });
    expect((await undo(undoToken)).status).toBe(200);
  });

  it.each<{ name: string; init: RequestInit }>([
    { name: 'GET', init: {} },
    { name: 'GET of a browser', init: { headers: HTML } },
    { name: 'HEAD', init: { method: 'HEAD' } },
    { name: 'a look ahead', init: { headers: { purpose: 'prefetch' } } },
  ])('$name asks for confirmation, and undoes nothing', async ({ init }) => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    const before = await accountRows(server);
    const response = await server.request(`/v1/recover/undo?token=${undoToken}`, init);
    expect(response.status).toBe(200);
    expect(await accountRows(server)).toEqual(before);
    expect((await undo(undoToken)).status).toBe(200);
  });

  it('a browser gets a page with a button, and a page with the result', async () => {
    const tenant = await account();
    const { undoToken } = await recover(tenant.email);
    const asked = await server.request(`/v1/recover/undo?token=${undoToken}`, { headers: HTML });
    expect(asked.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await asked.text()).toContain('<form method="post"><button>');
    const body = new URLSearchParams();
    const done = await undo(undoToken, { headers: HTML, body });
    expect(await done.text()).toContain('La recuperación se anuló.');
    const again = await undo(undoToken, { headers: HTML });
    expect([again.status, again.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});
