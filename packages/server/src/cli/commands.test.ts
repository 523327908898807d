import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SriUnavailableError, translate } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { BILLING_SETTINGS, billingOf, TEST_PNG } from '../testing/billing-suite.js';
import { changeRows, changeTenant } from '../testing/change-rows.js';
import { masterKeySettings } from '../testing/master-keys.js';
import { readyTenant, verifiedTenant } from '../testing/production-tenant.js';
import {
  type CliAnswer,
  cliSettings,
  runAnswered,
  runCli,
  runCliProcess,
  startCliProcess,
} from '../testing/run-cli.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { testFolder } from '../testing/test-folder.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { ADMIN_COMMANDS } from './admin-commands.js';
import { COMMANDS } from './commands.js';
import { describeFailure } from './describe-failure.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

it.each(['ENOSPC', 'EROFS', 'EEXIST'])('a failed system call is reported by its code: %s', (code) => {
  const fault = Object.assign(new Error(`${code}: open 'data/app.db'`), { code, syscall: 'open' });
  expect(describeFailure(fault, 'en')).toEqual({ code, detail: fault.message });
});

it('an SRI that does not answer is reported in the language of the terminal', () => {
  const fault = new SriUnavailableError('refused', { httpStatus: 'HTTP_503', mayHaveArrived: false, network: true });
  expect(describeFailure(fault, 'es')).toMatchObject({
    code: 'SRI_UNAVAILABLE',
    detail: expect.stringContaining('El SRI no dio'),
  });
});

describe('the help', () => {
  it.each([[], ['--help'], ['-h'], ['help'], ['admin', '--help']])(
    'the help lists every command: %s',
    async (...argv) => {
      const { code, out, errors } = await runCli({}, ...argv);
      expect([code, errors]).toEqual([0, '']);
      for (const { name, summary } of argv[0] === 'admin' ? ADMIN_COMMANDS : COMMANDS) {
        expect(out).toContain(name);
        expect(out).toContain(translate(summary, 'en'));
      }
    },
  );

  it.each(COMMANDS)('the help of $name lists its arguments and options without a configuration', async (command) => {
    const details = await command.load();
    for (const argv of [
      [...command.name.split(' '), '--help'],
      ['help', ...command.name.split(' ')],
    ]) {
      const { code, out, errors } = await runCli({ DATABASE_URL: 'nonsense' }, ...argv);
      expect([code, errors]).toEqual([0, '']);
      expect(out).toContain(`Usage: sri-server ${command.name}`);
      for (const { name, description } of details.args ?? []) {
        expect(out).toContain(`<${name}>`);
        expect(out).toContain(translate(description, 'en'));
      }
      for (const [name, { description }] of Object.entries(details.options ?? {})) {
        expect(out).toContain(`--${name}`);
        expect(out).toContain(translate(description, 'en'));
      }
    }
  });

  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runCli({}, '--version')).toMatchObject({ code: 0, out: `sri-server ${version}\n`, errors: '' });
    expect((await runCli({}, '--version', '--json')).json()).toEqual({ ok: true, version });
  });

  it('the help of serve names SIGTERM, and serve takes no argument', async () => {
    expect((await runCli({}, 'serve', '--help')).out).toContain('SIGTERM');
    expect((await runCli({}, 'serve', 'now')).code).toBe(2);
  });
});

describe('a wrong call', () => {
  it.each([
    ['an unknown command', ['frobnicate']],
    ['an unknown command of a group', ['admin', 'frobnicate']],
    ['a group alone', ['admin']],
    ['a group within it alone', ['admin', 'payments']],
    ['an unknown option', ['admin', 'tenants', '--frob']],
    ['an option without its value', ['admin', 'tenants', '--status']],
    ['a value for an option without one', ['admin', 'backup', 'x', '--force=yes']],
    ['a missing argument', ['admin', 'suspend', '--reason', 'OTHER']],
    ['too many arguments', ['admin', 'audit', 'x']],
    ['a missing option', ['admin', 'suspend', UNKNOWN_ID]],
    ['an unknown word', ['admin', 'suspend', UNKNOWN_ID, '--reason', 'BOREDOM']],
    ['an unknown tier', ['admin', 'set-tier', UNKNOWN_ID, 'GOLD']],
    ['no id', ['admin', 'payments', 'verify', '7']],
    ['a page of nothing', ['admin', 'tenants', '--page', '0']],
    ['a limit of too many', ['admin', 'audit', '--limit', '1000']],
    ['no price', ['admin', 'prices', 'publish', 'STARTER', 'MONTHLY', '-5', '--from', '2030-01-01T00:00:00Z']],
    ['no moment', ['admin', 'prices', 'publish', 'STARTER', 'MONTHLY', '5', '--from', 'soon']],
    ['no access key', ['admin', 'invoices', 'link', UNKNOWN_ID, '1'.repeat(49)]],
    ['no first number', ['admin', 'promote', UNKNOWN_ID, '--first-number', `${UNKNOWN_ID}:01:0`]],
  ])('a call with %s ends with exit code 2', async (_name, argv) => {
    const { code, out, errors } = await runCli({}, ...argv);
    expect([code, out]).toEqual([2, '']);
    expect(errors.length).toBeGreaterThan(10);
  });

  it('--json reports a wrong call as JSON', async () => {
    const answer = await runCli({}, 'admin', 'suspend', UNKNOWN_ID, '--json');
    expect(answer.code).toBe(2);
    expect(answer.json()).toEqual({ ok: false, code: 'USAGE', detail: '--reason is missing.' });
  });
});

describe('a missing database', () => {
  const folder = testFolder('cli');

  it('a missing database is an error, and the command creates neither the database nor a master key', async () => {
    const answer = await runCli({ DATA_DIR: folder }, 'admin', 'tenants', '--json');
    expect([answer.code, answer.json()['code']]).toEqual([1, 'DATABASE_NOT_READY']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a database file without tables is reported as missing, in both languages', async () => {
    await writeFile(join(folder, 'app.db'), '');
    const answer = await runCli({ DATA_DIR: folder }, 'admin', 'tenants');
    expect([answer.code, answer.out]).toEqual([1, '']);
    expect(answer.errors).toContain('DATABASE_NOT_READY');
    for (const [language, text] of [
      ['es', 'No hay una base de datos en '],
      ['en', 'There is no database at '],
    ] as const) {
      const { errors } = await runCli({ DATA_DIR: join(folder, 'otra') }, 'admin', 'tenants', '--lang', language);
      expect(errors).toMatch(new RegExp(`^DATABASE_NOT_READY: ${text}.* sri-server init$`, 'm'));
    }
  });

  it('a database server that does not answer is reported with the reason', async () => {
    const { code, errors } = await runCli({ DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/d' }, 'admin', 'tenants');
    expect([code, errors]).toEqual([
      1,
      'STORAGE_UNAVAILABLE: PostgreSQL, 127.0.0.1:1/d cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
    ]);
  });

  it('reports a wrong configuration by its variables', async () => {
    const answer = await runCli({ DATABASE_URL: 'x', PORT: 'y' }, 'admin', 'tenants', '--json');
    expect(answer.code).toBe(1);
    expect(answer.json()).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
      errors: [{ field: 'PORT' }, { field: 'DATABASE_URL' }],
    });
  });

  it('reports a wrong configuration in the language of the terminal', async () => {
    const env = { LANG: 'es_EC.UTF-8', PORT: 'y', SRI_MODE: 'x', DATABASE_URL: 'postgres://u:a#b@h/d' };
    const { errors } = await runCli(env, 'admin', 'tenants');
    expect(errors).toBe(
      [
        'CONFIG_INVALID: La configuración no se puede usar.',
        '  PORT: escriba un número entero de 0 a 65535.',
        '  DATABASE_URL: escriba postgres://usuario:clave@servidor:5432/base; varios servidores así: uno:5432,dos:5432. En el usuario o la clave escriba % # / ? : @ como %25 %23 %2F %3F %3A %40.',
        '  SRI_MODE: escriba simulator, live u offline.',
        '',
      ].join('\n'),
    );
  });
});

describe('the file .env', () => {
  const folder = testFolder('env');
  const call = (...argv: readonly string[]) => startCliProcess({}, argv, folder).answer;

  it('the file .env may begin with a byte order mark', async () => {
    await writeFile(join(folder, '.env'), '\uFEFFNODE_ENV=prod\r\n');
    expect((await call('admin', 'tenants')).errors).toContain('NODE_ENV');
  });

  it('the file .env may have a blank value, and the next line keeps its own value', async () => {
    await writeFile(join(folder, '.env'), 'MASTER_KEYS= \r\nNODE_ENV=prod\r\n');
    const { errors } = await call('admin', 'tenants');
    expect([errors.includes('NODE_ENV'), errors.includes('MASTER_KEYS')]).toEqual([true, false]);
  });

  it.each([
    ['is UTF-16', 'UTF-8', () => writeFile(join(folder, '.env'), '\uFEFFNODE_ENV=production\r\n', 'utf16le')],
    ['cannot be read', 'EISDIR', () => mkdir(join(folder, '.env'))],
  ])('a file .env that %s stops every command', async (_name, reason, write) => {
    await rm(join(folder, '.env'), { recursive: true, force: true });
    await write();
    const { code, errors } = await call('serve');
    expect([code, errors]).toEqual([1, expect.stringContaining('ENV_FILE_NOT_USABLE: .env')]);
    expect(errors).toContain(reason);
  });
});

describeOnDatabases('the command line', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { ...BILLING_SETTINGS, SRI_MAX_ATTEMPTS: '1' } });
    tenant = await registerTenant(server, { email: 'cli@ejemplo.ec' });
    await server.tick();
  });

  const cli = (...argv: readonly string[]): Promise<CliAnswer> => runCli(cliSettings(server), ...argv);
  async function done<Body = Readonly<Record<string, unknown>>>(...argv: readonly string[]): Promise<Body> {
    const answer = await cli(...argv, '--json');
    expect(answer.code, answer.out + answer.errors).toBe(0);
    const body = answer.json<Body & { readonly ok: boolean }>();
    expect(body.ok).toBe(true);
    return body;
  }
  async function refused(code: string, ...argv: readonly string[]): Promise<void> {
    const before = await storedRows(server);
    const answer = await cli(...argv, '--json');
    expect([answer.code, answer.json()['code']], answer.out).toEqual([1, code]);
    const plain = await cli(...argv);
    expect([plain.code, plain.out]).toEqual([1, '']);
    expect(plain.errors).toContain(code);
    expect(await storedRows(server)).toEqual(before);
  }

  it('lists accounts as JSON, and as a table without control characters', async () => {
    const rename = (business_name: string) => changeRows(server, 'issuers', {}, { business_name });
    // The registration rejects such a name, but the table does not rely on it.
    await rename('\u001b[31mRojo\u202e');
    const { code, out } = await cli('admin', 'tenants');
    await rename('Rojo');
    expect(code).toBe(0);
    expect(out).toMatch(/^id +RUC +name/);
    expect(out).toContain(tenant.tenantId);
    expect(out).toContain('Rojo');
    expect(out).not.toMatch(/[\u001b\u202e]/);
    const { tenants } = await done<{ tenants: { id: string }[] }>('admin', 'tenants', '--email', 'CLI@');
    expect(tenants).toMatchObject([{ id: tenant.tenantId, email: 'cli@ejemplo.ec' }]);
    expect((await cli('admin', 'tenants', '--status', 'suspended')).out).toBe('None.\n');
    expect((await cli('admin', 'tenants', '--status', 'suspended', '--lang', 'es')).out).toBe('Ninguno.\n');
    expect((await cli('admin', 'tenants', '--lang', 'es')).out).toMatch(/^id +RUC +nombre +correo +plan +estado/);
  });

  it('suspends an account by RUC and reactivates it by address, at once for the running server', async () => {
    const { tenants } = await done<{ tenants: { ruc: string }[] }>('admin', 'tenants', '--email', 'cli@');
    await done('admin', 'suspend', tenants[0]?.ruc ?? '', '--reason', 'terms_violation');
    const me = await server.request('/v1/tenants/me', { headers: tenant.auth });
    const shown = ((await me.json()) as { tenant: { status: string; suspensionReasonCode: string } }).tenant;
    expect([shown.status, shown.suspensionReasonCode]).toEqual(['SUSPENDED', 'TERMS_VIOLATION']);
    await refused('CONFLICT', 'admin', 'suspend', tenant.tenantId, '--reason', 'OTHER');
    await done('admin', 'unsuspend', 'cli@ejemplo.ec');
    await refused('CONFLICT', 'admin', 'unsuspend', 'cli@ejemplo.ec');
    await refused('NOT_FOUND', 'admin', 'unsuspend', 'ninguno@ejemplo.ec');
    await refused('NOT_FOUND', 'admin', 'unsuspend', UNKNOWN_ID);
    const { events } = await done<{ events: { eventType: string }[] }>('admin', 'events', tenant.tenantId);
    expect(events.filter(({ eventType }) => eventType === 'STATUS_CHANGED')).toHaveLength(2);
  });

  it('verifies an account, sets its tier and records the operator', async () => {
    await done('admin', 'verify', tenant.tenantId);
    await refused('CONFLICT', 'admin', 'verify', tenant.tenantId);
    await done('admin', 'set-tier', tenant.tenantId, 'growth');
    await refused('TIER_CHANGE_NO_OP', 'admin', 'set-tier', tenant.tenantId, 'GROWTH');
    const { entries } = await done<{ entries: Record<string, unknown>[] }>(
      'admin',
      'audit',
      '--target',
      tenant.tenantId,
    );
    expect(entries.map(({ action, actor, channel }) => [action, actor, channel])).toEqual([
      ['tenant.set-tier', 'pruebas', 'CLI'],
      ['tenant.verify', 'pruebas', 'CLI'],
      ['tenant.unsuspend', 'pruebas', 'CLI'],
      ['tenant.suspend', 'pruebas', 'CLI'],
    ]);
    expect((await cli('admin', 'audit', '--action', 'tenant.suspend')).out).toContain('TERMS_VIOLATION');
  });

  it('moves an account to production and shows its tokens once', async () => {
    const ready = await readyTenant(server);
    const number = `${ready.issuerId}:01:501`;
    const answer = await cli('admin', 'promote', ready.tenantId, '--first-number', number, '--yes');
    expect(answer.code, answer.errors).toBe(0);
    const token = /sri_live_\w+/.exec(answer.out)?.[0] ?? '';
    const headers = { authorization: `Bearer ${token}`, 'x-issuer-id': ready.issuerId };
    expect((await createDocument(server, { ...ready, headers })).sequential).toBe('000000501');
    expect((await cli('admin', 'audit', '--target', ready.tenantId)).out).not.toContain(token);
    await refused('CONFLICT', 'admin', 'promote', ready.tenantId, '--yes');
  });

  it('moves no account to production without a confirmation', async () => {
    const ready = await readyTenant(server);
    const promote = ['admin', 'promote', ready.tenantId];
    const before = await storedRows(server);
    const settings = cliSettings(server);
    const unasked = await cli(...promote, '--lang', 'es');
    expect([unasked.code, unasked.out]).toEqual([2, '']);
    expect(unasked.errors).toContain('--yes');
    expect(unasked.errors).toMatch(/RUC \d{13}, pasa a producción para siempre/);
    expect(unasked.errors).toMatch(/irán a(l| el) SRI, https:\/\//);
    expect(unasked.errors).toMatch(
      /001-\d{3}: certificado emitido por AC SUBORDINADA DE PRUEBA, hasta el 2045-12-31, RUC/,
    );
    expect(unasked.errors).toContain('AVISO: no se conoce a quien lo emitió');
    const asJson = await cli(...promote, '--json');
    expect([asJson.code, asJson.json()['code']]).toEqual([2, 'USAGE']);
    const wrong = await runAnswered(settings, 'sí', ...promote, '--lang', 'en');
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('NOT_CONFIRMED')]);
    expect(await storedRows(server)).toEqual(before);
    const ruc = /Type (\d{13}) to confirm/.exec(wrong.errors)?.[1] ?? '';
    const right = await runAnswered(settings, ` ${ruc}`, ...promote);
    expect([right.code, right.out], right.errors).toEqual([0, expect.stringContaining('sri_live_')]);
  });

  it('handles payments from the proof to the invoice', async () => {
    const paying = await verifiedTenant(server);
    const billing = billingOf(server, paying);
    const { payment, subscription } = await billing.start();
    await billing.report(payment.id);
    const listed = await cli('admin', 'payments', 'list', '--status', 'reported', '--account', paying.tenantId);
    expect(listed.out).toContain(payment.id);
    for (const filter of [
      ['--status', 'verified'],
      ['--account', tenant.tenantId],
    ])
      expect((await cli('admin', 'payments', 'list', ...filter)).out).toBe('None.\n');
    const folder = await mkdtemp(join(tmpdir(), 'sri-proofs-'));
    await done('admin', 'payments', 'proofs', payment.id, '--save', folder);
    const [file = ''] = await readdir(folder);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await cli('admin', 'payments', 'proofs', payment.id)).out).toMatch(/ no +-$/m);
    expect((await readFile(join(folder, file))).equals(TEST_PNG)).toBe(true);
    await rm(folder, { recursive: true });
    await done('admin', 'payments', 'reject', payment.id, '--reason', 'WRONG_ACCOUNT');
    await billing.report(payment.id);
    await done('admin', 'payments', 'verify', payment.id);
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER' });
    await refused('CONFLICT', 'admin', 'payments', 'verify', payment.id);
    await refused('PAYMENT_NOT_FOUND', 'admin', 'payments', 'verify', UNKNOWN_ID);
    const { accessKey } = await createDocument(server, paying);
    expect((await cli('admin', 'invoices', 'pending')).out).toContain(payment.id);
    await refused('CONFLICT', 'admin', 'invoices', 'link', subscription.id, accessKey, '--payment', UNKNOWN_ID);
    await done('admin', 'invoices', 'link', subscription.id, accessKey);
    await refused('CONFLICT', 'admin', 'invoices', 'link', subscription.id, accessKey);
    expect((await cli('admin', 'payments', 'refund', payment.id, '--json')).code).toBe(2);
    // The registration rejects such an address. A certificate may name such an authority, which `admin promote` shows.
    await changeTenant(server, paying, { email: 'a\u001b[8m@ejemplo.ec' });
    const asked = await runAnswered(
      cliSettings(server),
      'no',
      'admin',
      'payments',
      'refund',
      payment.id,
      '--lang',
      'en',
    );
    expect([asked.code, asked.errors]).toEqual([
      1,
      expect.stringMatching(/\(\$\d+\.\d\d for STARTER, VERIFIED\).+ the account a \[8m@ejemplo\.ec loses/),
    ]);
    await refused('PAYMENT_NOT_FOUND', 'admin', 'payments', 'refund', UNKNOWN_ID, '--yes');
    await done('admin', 'payments', 'refund', payment.id, '--yes');
    await refused('PAYMENT_NOT_REFUNDABLE', 'admin', 'payments', 'refund', payment.id, '--yes');
  });

  it('publishes prices and agreements', async () => {
    const from = '2099-01-01T05:00:00Z';
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    await refused('VALIDATION_FAILED', 'admin', 'prices', 'publish', 'STARTER', 'MONTHLY', '21', '--from', soon);
    const plain = await cli('admin', 'prices', 'publish', 'STARTER', 'MONTHLY', '21', '--from', soon);
    expect(plain.errors).toContain('effectiveAt:');
    await done('admin', 'prices', 'publish', 'starter', 'monthly', '21.50', '--from', from);
    await refused('CONFLICT', 'admin', 'prices', 'publish', 'STARTER', 'MONTHLY', '22', '--from', from);
    const { out } = await cli('admin', 'prices', 'list');
    const [, id = ''] = /([\da-f-]{36}) +STARTER +MONTHLY +20\.00 +21\.50/.exec(out) ?? [];
    await done('admin', 'prices', 'withdraw', id);
    await refused('CONFLICT', 'admin', 'prices', 'withdraw', id);
    await refused('NOT_FOUND', 'admin', 'prices', 'withdraw', UNKNOWN_ID);
    const file = join(server.dataDir, 'terms.md');
    await writeFile(file, '# Términos de {{businessName}}');
    await done('admin', 'agreements', 'publish', 'TERMS', 'cli-1', '--es', file);
    await refused('CONFLICT', 'admin', 'agreements', 'publish', 'TERMS', 'cli-1', '--es', file);
    await refused('FILE_NOT_FOUND', 'admin', 'agreements', 'publish', 'TERMS', 'cli-2', '--es', `${file}.no`);
    await writeFile(file, '# Términos', 'latin1');
    await refused('FILE_NOT_UTF8', 'admin', 'agreements', 'publish', 'TERMS', 'cli-2', '--es', file);
  });

  it('restarts given-up work for the running server', async () => {
    const { accessKey } = await documentsOf(server, tenant).failed('SRI-HTTP-500');
    const { jobs } = await done<{ jobs: { id: string; accessKey: string }[] }>('admin', 'jobs', 'list');
    expect(jobs).toMatchObject([{ accessKey, kind: 'SRI_SEND' }]);
    await done('admin', 'jobs', 'retry', jobs[0]?.id ?? '');
    await refused('NOT_FOUND', 'admin', 'jobs', 'retry', jobs[0]?.id ?? '');
    expect((await documentsOf(server, tenant).show(accessKey)).dispatch).toMatchObject({ status: 'PENDING' });
  });

  it('changes the master key, and reports a former key that is still needed', async () => {
    const old = (await readFile(join(server.dataDir, 'master.key'), 'utf8')).trim();
    const next = masterKeySettings('next').MASTER_KEYS;
    const settings = cliSettings(server);
    const missing = await runCli({ ...settings, MASTER_KEYS: next }, 'admin', 'keys', 'rotate-master', '--json');
    expect([missing.code, missing.json()]).toMatchObject([
      1,
      { code: 'MASTER_KEY_STILL_NEEDED', stillNeeded: { k1: expect.any(Number) } },
    ]);
    const both = { ...settings, MASTER_KEYS: `${next},${old}` };
    const rotated = await runCli(both, 'admin', 'keys', 'rotate-master', '--json');
    expect([rotated.code, rotated.json()['stillNeeded']]).toEqual([0, {}]);
    expect(rotated.out + rotated.errors + missing.out).not.toContain(old.slice(3));
    const back = await runCli({ ...settings, MASTER_KEYS: `${old},${next}` }, 'admin', 'keys', 'rotate-master');
    expect(back.out).toContain('No other key is needed any more.');
  });

  it('runs as a program, and records the account name of the machine', async () => {
    const settings = cliSettings(server);
    const answers = await Promise.all([
      runCliProcess(settings, 'admin', 'set-tier', tenant.tenantId, 'STARTER', '--json'),
      runCliProcess(settings, 'admin', 'unsuspend', tenant.tenantId, '--json'),
      runCliProcess(settings, 'admin', 'nothing'),
      runCliProcess({}, '--help'),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([0, 1, 2, 0]);
    expect(answers[0]?.json()['tenant']).toMatchObject({ subscriptionTier: 'STARTER' });
    expect(answers[1]?.json()).toEqual({
      ok: false,
      code: 'CONFLICT',
      reason: 'NOT_SUSPENDED',
      detail: 'The account is not suspended.',
    });
    expect(answers[2]?.errors).toContain('admin nothing');
    const spanish = await runCliProcess({ ...settings, LANG: 'es_EC.UTF-8' }, 'admin', 'unsuspend', tenant.tenantId);
    expect(spanish.errors).toBe('CONFLICT (NOT_SUSPENDED): La cuenta no está suspendida.\n');
    const { entries } = await done<{ entries: { actor: string }[] }>('admin', 'audit', '--target', tenant.tenantId);
    expect(entries[0]?.actor).toBe(userInfo().username);
  });
});
