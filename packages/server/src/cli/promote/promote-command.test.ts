import { randomUUID } from 'node:crypto';
import { chown, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { publishAgreement } from '../../agreements/publish-agreements.js';
import { changeRows, changeTenant, readRow } from '../../testing/change-rows.js';
import { readyTenant, setStatus, verifiedTenant, WEB_SETTINGS } from '../../testing/production-tenant.js';
import { cliSettings, runAnswered } from '../../testing/run-cli.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { testFolder } from '../../testing/test-folder.js';
import { describeOnDatabases, TEST_VALIDITY, type TestServer } from '../../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../../testing/test-tenant.js';

describeOnDatabases('promote', await databaseKinds(), (open) => {
  let server: TestServer;
  const folder = testFolder('promote');
  let env: string;
  beforeAll(async () => {
    server = await open();
    env = join(folder, '.env');
  });
  beforeEach(() => rm(env, { force: true }));

  const promote = (reply: string | null, settings: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
    runAnswered({ ...cliSettings(server), ...settings }, reply, 'promote', ...argv, '--env-file', env, '--lang', 'en');
  const rucOf = async ({ tenantId }: TestTenant) => (await readRow(server, 'tenants', { id: tenantId })).ruc;
  const environmentOf = async ({ tenantId }: TestTenant) =>
    (await readRow(server, 'tenants', { id: tenantId })).environment;
  const me = async (apiKey: string) => {
    const answer = await server.request('/v1/tenants/me', { headers: { authorization: `Bearer ${apiKey}` } });
    return [answer.status, ((await answer.json()) as { tenant?: { sandbox: boolean } }).tenant?.sandbox];
  };

  /** Adds a hundred accounts in production and a released account, all newer than the given account. */
  const addNewerAccounts = ({ services }: TestServer, { tenantId }: TestTenant) =>
    services.database.transaction(async (tables) => {
      const row = await tables.selectFrom('tenants').selectAll().where('id', '=', tenantId).executeTakeFirstOrThrow();
      const created_at = row.created_at + 1;
      const rows = Array.from({ length: 101 }, (_, number) => ({
        ...row,
        id: randomUUID(),
        email_key: `${number}@example.com`,
        ruc: number === 0 ? `${row.ruc} ${randomUUID()}` : `${1_000_000_000 + number}001`,
        environment: number === 0 ? 'sandbox' : 'production',
        created_at,
      }));
      await tables.insertInto('tenants').values(rows).execute();
    });

  it('accepts the agreements, moves the account and writes its key into the file without printing it', async () => {
    const tenant = await verifiedTenant(server);
    await writeFile(env, `# mine\nexport SRI_API_KEY="${tenant.apiKey}"\nPORT=3000`, { mode: 0o644 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(env, 65534, 65534);
    const answer = await promote(await rucOf(tenant), {}, tenant.tenantId);
    expect(answer.code, answer.errors).toBe(0);
    expect(answer.errors).toContain('Agreements are accepted: TERMS 1.0, PRIVACY 1.0, DPA 1.0.');
    expect(answer.out + answer.errors).not.toContain('sri_live_');
    const text = await readFile(env, 'utf8');
    const apiKey = /^SRI_API_KEY=(sri_live_\w+)$/m.exec(text)?.[1] ?? '';
    expect(text).toBe(`# mine\nSRI_API_KEY=${apiKey}\nPORT=3000`);
    const { mode, uid } = await stat(env);
    expect([mode & 0o777, uid]).toEqual([0o600, isRoot ? 65534 : process.getuid?.()]);
    expect(await me(apiKey)).toEqual([200, false]);
    expect(await readdir(folder)).toEqual(['.env']);
    const again = await promote(null, {}, tenant.tenantId, '--yes', '--json');
    expect([again.code, again.json()['code']]).toEqual([1, 'CONFLICT']);
    expect(await readdir(folder)).toEqual(['.env']);
  });

  it('accepts a new version of one agreement if the terms are already accepted', async () => {
    const own = await open({ settings: WEB_SETTINGS });
    const tenant = await readyTenant(own);
    const texts = { es: '# Privacidad', en: '# Privacy' };
    await publishAgreement(own.services.agreements, { documentType: 'PRIVACY', version: '2.0', texts });
    await writeFile(env, `PORT=3000\n  SRI_API_KEY = ${tenant.apiKey} # of the till\n`);
    const argv = ['promote', tenant.tenantId, '--yes', '--json', '--env-file', env];
    const answer = await runAnswered(cliSettings(own), null, ...argv);
    expect(answer.code, answer.out + answer.errors).toBe(0);
    expect(answer.json()).toMatchObject({ environment: 'production' });
    // Commands accept blanks around the value and a comment behind it.
    expect(await readFile(env, 'utf8')).toMatch(/^PORT=3000\nSRI_API_KEY=sri_live_\w+\n$/);
  });

  it('changes nothing without a confirmation', async () => {
    const tenant = await verifiedTenant(server);
    await writeFile(env, `SRI_API_KEY=${tenant.apiKey}\n`);
    const answer = await promote('yes', {}, tenant.tenantId);
    expect([answer.code, answer.errors]).toEqual([1, expect.stringContaining('NOT_CONFIRMED')]);
    const unasked = await promote(null, {}, tenant.tenantId);
    expect([unasked.code, unasked.errors]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await environmentOf(tenant)).toBe('sandbox');
    expect(await readFile(env, 'utf8')).toBe(`SRI_API_KEY=${tenant.apiKey}\n`);
    expect(await readdir(folder)).toEqual(['.env']);
  });

  it('changes nothing if doctor reports an obstacle to issuing', async () => {
    const tenant = await verifiedTenant(server);
    await writeFile(env, `SRI_API_KEY=${tenant.apiKey}\n`);
    const unreachable = {
      SRI_MODE: 'live',
      SRI_SANDBOX_URL: 'http://127.0.0.1:9',
      SRI_PRODUCTION_URL: 'http://127.0.0.1:9',
    };
    const answer = await promote(null, unreachable, tenant.tenantId, '--yes');
    expect(answer.code).toBe(1);
    expect(answer.errors).toContain('NOT_READY');
    expect(answer.errors).toContain('127.0.0.1:9');
    expect(await environmentOf(tenant)).toBe('sandbox');
  });

  it('verifies no address on a server for others', async () => {
    const tenant = await verifiedTenant(server);
    await setStatus(server, tenant, 'PENDING_VERIFICATION');
    const answer = await promote(null, {}, tenant.tenantId, '--yes', '--show-keys');
    expect([answer.code, await environmentOf(tenant)]).toEqual([1, 'sandbox']);
  });

  it('refuses if a new key would have no holder: another account, several keys, or no file', async () => {
    const tenant = await verifiedTenant(server);
    const other = await registerTenant(server);
    const refused = async () => {
      const answer = await promote(null, {}, tenant.tenantId, '--yes');
      expect(answer.errors).toContain('--show-keys');
      expect(await environmentOf(tenant)).toBe('sandbox');
      return answer.code;
    };
    expect(await refused()).toBe(1);
    // A file in another encoding would lose its letters.
    await writeFile(env, Buffer.from(`# contraseña\nSRI_API_KEY=${tenant.apiKey}\n`, 'latin1'));
    expect(await refused()).toBe(1);
    // Commands accept a byte order mark.
    await writeFile(env, `\uFEFFSRI_API_KEY=${other.apiKey}\n`);
    expect(await refused()).toBe(2);
    await changeTenant(server, tenant, { subscription_tier: 'GROWTH' });
    const till = await postJson(server, '/v1/keys', tenant.auth, { label: 'Caja' });
    expect(till.status).toBe(201);
    await writeFile(env, `SRI_API_KEY=${tenant.apiKey}\n`);
    expect(await refused()).toBe(2);
    // The key of a web application is not listed, and also gets a successor.
    const list = (listed: 0 | 1) =>
      changeRows(server, 'api_keys', { tenant_id: tenant.tenantId, label: 'Initial master key' }, { listed });
    await list(0);
    const { apiKey: tillKey } = (await till.json()) as { apiKey: string };
    await writeFile(env, `SRI_API_KEY=${tillKey}\n`);
    expect(await refused()).toBe(2);
    await list(1);
    await writeFile(env, `SRI_API_KEY=${tenant.apiKey}\n`);
    const shown = await promote(null, {}, tenant.tenantId, '--yes', '--show-keys', '--json');
    expect(shown.code, shown.errors).toBe(0);
    const { apiKeys, keyWrittenTo } = shown.json<{ apiKeys: { apiKey: string }[]; keyWrittenTo: string | null }>();
    expect([apiKeys.length, keyWrittenTo]).toEqual([2, null]);
    for (const { apiKey } of apiKeys) expect(await me(apiKey)).toEqual([200, false]);
    expect(await readFile(env, 'utf8')).toBe(`SRI_API_KEY=${tenant.apiKey}\n`);
  });

  it('keeps the new key next to the file if the database does not confirm', async () => {
    const own = await open({ settings: WEB_SETTINGS });
    const [first, tenant] = [await readyTenant(own), await readyTenant(own)];
    const run = (...argv: string[]) => runAnswered(cliSettings(own), null, 'promote', '--yes', '--lang', 'en', ...argv);
    expect(await run('--show-keys')).toMatchObject({ code: 2, errors: expect.stringContaining('several accounts') });
    expect((await run(first.tenantId, '--show-keys')).code).toBe(0);
    // The second entry of the record is refused, after the keys were made.
    await own.services.database.transaction((tables) =>
      sql`create unique index one_promotion on admin_audit (action) where action = 'tenant.promote'`.execute(tables),
    );
    await writeFile(env, `SRI_API_KEY=${tenant.apiKey}\n`);
    const answer = await run(tenant.tenantId, '--env-file', env);
    expect([answer.code, answer.errors]).toEqual([1, expect.stringContaining('admin tenants')]);
    expect(answer.out + answer.errors).not.toContain('sri_live_');
    expect(await readFile(env, 'utf8')).toBe(`SRI_API_KEY=${tenant.apiKey}\n`);
    const draft = (await readdir(folder)).find((name) => name.endsWith('.part')) ?? '';
    expect(answer.errors).toContain(draft);
    expect(await readFile(join(folder, draft), 'utf8')).toMatch(/^SRI_API_KEY=sri_live_\w+\n$/);
    await rm(join(folder, draft));
    // Keys without a file are printed before the database confirms.
    const printed = expect.stringMatching(/^.*token\n.*sri_live_\w+\n\n$/);
    const shown = await run(tenant.tenantId, '--show-keys');
    expect([shown.code, shown.out]).toEqual([1, printed]);
    const byOperator = await runAnswered(cliSettings(own), null, 'admin', 'promote', tenant.tenantId, '--yes');
    expect([byOperator.code, byOperator.out]).toEqual([1, printed]);
  });

  it('takes the only account, verifies it and adds the key, on a server of one company', async () => {
    const own = await open();
    const ruc = '1791352688001';
    const cert = await createTestP12({ ruc, password: 'clave', ...TEST_VALIDITY });
    const tenant = await registerTenant(own, { ruc, cert, certPassword: 'clave' });
    await addNewerAccounts(own, tenant);
    const real = join(folder, 'settings');
    await writeFile(real, '# mine');
    await symlink(real, env);
    const settings = { ...cliSettings(own), USE: 'own' };
    const run = (...argv: readonly string[]) =>
      runAnswered(settings, null, 'promote', '--yes', '--json', '--env-file', env, ...argv);
    const answer = await run('--first-number', `${tenant.issuerId}:01:501`);
    expect(answer.code, answer.out + answer.errors).toBe(0);
    expect(answer.json()).toMatchObject({ environment: 'production', keyWrittenTo: env });
    expect(answer.errors).not.toContain('Agreements');
    expect(await readFile(real, 'utf8')).toMatch(/^# mine\nSRI_API_KEY=sri_live_\w+\n$/);
    const none = await run();
    expect([none.code, none.json()['detail']]).toEqual([2, 'There is no account in the sandbox.']);
    await rm(real);
  });
});
