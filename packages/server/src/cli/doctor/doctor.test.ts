import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { buildAccessKey } from 'sri-core';
import { createSimulator, toNodeListener } from 'sri-core/simulator';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dropExpiredNotifications } from '../../notifications/rows.js';
import { changeRows, readRow, readRows } from '../../testing/change-rows.js';
import { masterKeySettings } from '../../testing/master-keys.js';
import { cliSettings, runCli } from '../../testing/run-cli.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { documentsOf } from '../../testing/test-documents.js';
import { testFolder } from '../../testing/test-folder.js';
import { describeOnDatabases, openTestServer, TEST_RUC, type TestServer } from '../../testing/test-server.js';
import { registerTenant, type TestTenant } from '../../testing/test-tenant.js';

interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: string | { readonly es: string };
  readonly fix: string | { readonly es: string } | null;
}

async function doctor(settings: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const answer = await runCli(settings, 'doctor', '--json', ...options);
  const { ok, findings } = answer.json<{ ok: boolean; findings: readonly Finding[] }>();
  expect(answer.code).toBe(ok ? 0 : 1);
  // Each finding with a problem names a remedy.
  for (const { verdict, fix, check } of findings)
    if (verdict !== 'ok' && check !== 'reconcile') expect(fix).not.toBeNull();
  const of = (check: string, verdict: Finding['verdict']) =>
    findings.filter((finding) => finding.check === check && finding.verdict === verdict);
  return { findings, of, text: answer.out };
}

const closing: Server[] = [];
afterAll(() => {
  for (const server of closing) server.close();
});

/** An HTTP server with one answer. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closing.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('doctor', () => {
  const folder = testFolder('doctor');

  it('requires SOFTWARE_PROVIDER_RUC in production on a server for others', async () => {
    const asked = async (settings: Readonly<Record<string, string>>) => {
      const { of } = await doctor({ DATA_DIR: folder, ...masterKeySettings('a'), NODE_ENV: 'production', ...settings });
      return of('settings', 'warn').filter(({ message }) => JSON.stringify(message).includes('SOFTWARE_PROVIDER_RUC'));
    };
    expect(await asked({ SRI_MODE: 'simulator' })).toHaveLength(1);
    expect(await asked({ PORT: 'x' })).toHaveLength(1);
    expect(await asked({ SRI_MODE: 'simulator', SOFTWARE_PROVIDER_RUC: '1790012345001' })).toEqual([]);
    expect(await asked({ SRI_MODE: 'simulator', USE: 'own' })).toEqual([]);
  });

  it('names each wrong or missing variable, with the command to run', async () => {
    const { of } = await doctor({ NODE_ENV: 'production', PORT: 'x', DATA_DIR: folder });
    expect(of('settings', 'fail').map(({ fix }) => fix)).toContainEqual(
      expect.stringContaining('MASTER_KEYS=k1:$(openssl'),
    );
    // Nothing is set yet: every setting that production needs is named at once, each with its command.
    const { findings } = await doctor({ NODE_ENV: 'production', DATA_DIR: folder });
    const commands = findings.flatMap(({ fix, verdict }) => (typeof fix === 'string' && verdict !== 'ok' ? [fix] : []));
    expect(commands).toEqual([
      expect.stringMatching(/^echo "MASTER_KEYS=.+" >> \.env$/),
      expect.stringMatching(/^echo "BASE_URL=.+" >> \.env$/),
      expect.stringMatching(/^echo "SMTP_URL=.+" >> \.env$/),
    ]);
    expect(JSON.stringify(findings)).toContain('DATABASE_URL');
    const production = await doctor({
      NODE_ENV: 'production',
      DATA_DIR: folder,
      SRI_MODE: 'simulator',
      ...masterKeySettings('a'),
    });
    expect(production.text).toContain('BASE_URL=');
    // Without a database nothing can be issued: the exit code is 1, and the output is in Spanish.
    expect(production.of('database', 'fail')).toMatchObject([
      { fix: 'sri-server db migrate', message: { es: expect.stringMatching(/^No hay una base de datos en /) } },
    ]);
    const migrated = await runCli({ DATA_DIR: folder, ...masterKeySettings('a') }, 'db', 'migrate', '--json');
    expect(migrated.code).toBe(0);
    const { of: after } = await doctor({ DATA_DIR: folder, ...masterKeySettings('a') });
    expect([after('database', 'ok').length, after('certificates', 'warn').length]).toEqual([1, 1]);
  });

  it('advises no new master key where another one may have sealed secrets', async () => {
    const place = await mkdtemp(join(folder, 'mis claves-'));
    const fixFor = async (settings: Readonly<Record<string, string>>) => {
      const { of } = await doctor({ NODE_ENV: 'production', DATA_DIR: place, ...settings });
      return JSON.stringify(of('settings', 'fail').map(({ fix }) => fix));
    };
    expect(await fixFor({})).toContain('openssl');
    const mistyped = await fixFor({ MASTER_KEYS: 'k2:x;k1:y' });
    expect([mistyped.includes('openssl'), mistyped.includes('Corrija MASTER_KEYS')]).toEqual([false, true]);
    await writeFile(join(place, 'master.key'), `${masterKeySettings('k1').MASTER_KEYS}\n`);
    const left = await fixFor({});
    expect([left.includes('openssl'), left.includes(`$(cat '${place}/master.key')`)]).toEqual([false, true]);
    const moved = await mkdtemp(join(folder, 'moved-'));
    expect((await runCli({ DATA_DIR: moved, ...masterKeySettings('k1') }, 'db', 'migrate', '--json')).code).toBe(0);
    expect(await fixFor({ NODE_ENV: 'development', DATA_DIR: moved })).toContain('con el respaldo');
  });

  it('advises a newer version for a database with newer migrations', async () => {
    const place = { DATA_DIR: await mkdtemp(join(folder, 'newer-')), ...masterKeySettings('a') };
    expect((await runCli(place, 'db', 'migrate', '--json')).code).toBe(0);
    const database = new BetterSqlite(join(place.DATA_DIR, 'app.db'));
    database.exec(`insert into sri_migrations (namespace, name, applied_at) values ('sri-server', '999-later', 0)`);
    database.close();
    const [finding] = (await doctor(place)).of('database', 'fail');
    expect(JSON.stringify(finding)).toContain('versión nueva del servidor');
    expect(finding?.message).toMatchObject({ es: expect.stringMatching(/^La base de datos tiene migraciones de /) });
  });

  it('explains in one language why PostgreSQL cannot be used', async () => {
    const { of } = await doctor({ DATABASE_URL: 'postgres://127.0.0.1:1/d', ...masterKeySettings('a') });
    expect(of('database', 'fail')).toMatchObject([{ message: { es: expect.not.stringContaining('cannot') } }]);
  });

  it.each([
    ['agrees', 0, 'ok'],
    ['is a minute ahead', -60_000, 'warn'],
    ['is an hour behind', 3_600_000, 'fail'],
  ] as const)(
    'compares the clock with the date of the SRI’s answers: a clock that %s',
    async (_name, offset, verdict) => {
      const url = await listen((_request, response) => {
        response.setHeader('date', new Date(Date.now() + offset).toUTCString());
        response.end('<wsdl/>');
      });
      const { of } = await doctor({
        DATA_DIR: folder,
        SRI_MODE: 'live',
        SRI_SANDBOX_URL: url,
        SRI_PRODUCTION_URL: url,
      });
      expect(of('clock', verdict)).toHaveLength(1);
      expect(of('sri', 'ok')).toHaveLength(2);
    },
  );

  it('distinguishes a pause of the SRI from a missing connection', async () => {
    const paused = await listen((_request, response) => response.writeHead(503).end());
    const settings = {
      DATA_DIR: folder,
      SRI_MODE: 'live',
      SRI_SANDBOX_URL: paused,
      SRI_PRODUCTION_URL: 'http://127.0.0.1:1',
    };
    const { of } = await doctor(settings);
    expect(of('sri', 'warn')).toHaveLength(1);
    const allow = 'Allow going out by port 1: curl -sSI http://127.0.0.1:1';
    expect(of('sri', 'fail').map(({ fix }) => fix)).toEqual([expect.objectContaining({ en: allow })]);
    const unknown = await doctor({ ...settings, SRI_PRODUCTION_URL: 'https://sri.invalid:8443' });
    expect(unknown.of('sri', 'fail').map(({ fix }) => fix)).toEqual(['getent hosts sri.invalid']);
  });

  it('asks the SRI through the proxy, and names the proxy when it refuses', async () => {
    const places: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      places.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    closing.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const { of, text } = await doctor({
      DATA_DIR: folder,
      SRI_MODE: 'live',
      SRI_PROXY: `http://ana:SECRETA@127.0.0.1:${port}`,
    });
    expect(of('sri', 'fail').map(({ fix }) => fix)).toEqual([
      { es: expect.stringContaining('celcer.sri.gob.ec, puerto 443'), en: expect.any(String) },
      { es: expect.stringContaining('cel.sri.gob.ec, puerto 443'), en: expect.any(String) },
    ]);
    expect(places.toSorted()).toEqual(['cel.sri.gob.ec:443', 'celcer.sri.gob.ec:443']);
    expect(text).not.toContain('SECRETA');
  });

  it('checks the disk of the data and the disk of the database file', async () => {
    const other = join(folder, 'otro disco');
    await mkdir(other);
    const settings = { DATA_DIR: folder, DATABASE_URL: `file:${join(other, 'app.db')}` };
    const { findings } = await doctor(settings);
    const disks = findings.filter(({ check }) => check === 'disk').map(({ message }) => JSON.stringify(message));
    expect(disks).toEqual([expect.stringContaining(`${folder}.`), expect.stringContaining(`${other}.`)]);
    await rm(other, { recursive: true });
    const missing = (await doctor(settings)).of('disk', 'warn');
    expect(missing.map(({ fix }) => fix)).toEqual([`mkdir -p '${other}'`]);
  });

  it('reports a failing mail server without its password', async () => {
    const { of, text } = await doctor({ DATA_DIR: folder, SMTP_URL: 'smtp://yo:SECRETO@127.0.0.1:1' });
    expect(of('mail', 'fail')).toHaveLength(1);
    expect(text).not.toContain('SECRETO');
    const full = createTcpServer((socket) => socket.end('421 4.3.2 Demasiadas conexiones\r\n')).listen(0, '127.0.0.1');
    await once(full, 'listening');
    const { port } = full.address() as AddressInfo;
    const [refusal] = (await doctor({ DATA_DIR: folder, SMTP_URL: `smtp://127.0.0.1:${port}` })).of('mail', 'fail');
    full.close();
    expect(JSON.stringify(refusal)).toContain('421 4.3.2 Demasiadas conexiones');
  });
});

describeOnDatabases('doctor', await databaseKinds(), (open, databaseName) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open({ now: new Date().toISOString() });
    tenant = await registerTenant(server, { email: 'doctor@ejemplo.ec', ruc: TEST_RUC });
    await server.tick();
  });

  it('compares the clock that dates signatures: of the database on PostgreSQL, otherwise of the machine', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('date', new Date(performance.timeOrigin + performance.now()).toUTCString());
      response.end('<wsdl/>');
    });
    const live = { SRI_MODE: 'live', SRI_SANDBOX_URL: url, SRI_PRODUCTION_URL: url };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
    try {
      const { of } = await doctor({ ...cliSettings(server), ...live });
      expect(of('clock', databaseName === 'SQLite' ? 'fail' : 'ok')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('checks each stored key with a signature, and counts the days of each certificate', async () => {
    const { of } = await doctor(cliSettings(server));
    expect([of('certificates', 'ok').length, of('masterKeys', 'ok').length]).toEqual([1, 1]);
    const validTo = new Date(Date.now() + 9.5 * 86_400_000);
    const ruc = '1791999999001';
    const cert = await createTestP12({ password: 'x', validTo, ruc });
    const ending = await registerTenant(server, { cert, certPassword: 'x', ruc });
    // The certificate of another taxpayer is reported, too.
    await registerTenant(server);
    const { of: later } = await doctor(cliSettings(server));
    expect(JSON.stringify(later('certificates', 'fail'))).toContain('no existe el RUC en el certificado');
    expect(later('certificates', 'warn').map(({ message }) => JSON.stringify(message))).toEqual([
      expect.stringContaining('9 días'),
    ]);
    expect(JSON.stringify(later('certificates', 'ok'))).toContain('tiene 9 días');
    await changeRows(
      server,
      'issuer_certificates',
      { issuer_id: ending.issuerId },
      { valid_to: Date.now() - 3 * 86_400_000 },
    );
    const { of: ended } = await doctor(cliSettings(server));
    expect(JSON.stringify(ended('certificates', 'fail'))).toContain('VENCIDO');
    expect(JSON.stringify(ended('certificates', 'ok'))).toMatch(/más próximo a vencer tiene \d{3,} días/);
  });

  it('reports a wrong master key, also under the right name', async () => {
    const { of, text } = await doctor({ ...cliSettings(server), ...masterKeySettings('other') });
    expect(of('masterKeys', 'fail').length).toBeGreaterThan(0);
    expect(text).not.toContain(masterKeySettings('other').MASTER_KEYS.slice(6));
    const sameName = { MASTER_KEYS: masterKeySettings('other').MASTER_KEYS.replace('other', 'k1') };
    const { of: renamed } = await doctor({ ...cliSettings(server), ...sameName });
    expect(JSON.stringify(renamed('masterKeys', 'fail'))).toContain('La clave maestra k1 es otra');
  });

  it('reports a text of the SRI that was not kept', async () => {
    expect((await doctor(cliSettings(server))).of('copies', 'ok')).toHaveLength(1);
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.create();
    await documents.send(accessKey);
    const decided =
      '<fechaAutorizacion>2026-11-05T14:22:07-05:00</fechaAutorizacion><comprobante>&lt;html/&gt;</comprobante>';
    const answer = `<RespuestaAutorizacionComprobante><autorizaciones><autorizacion><estado>AUTORIZADO</estado>${decided}</autorizacion></autorizaciones></RespuestaAutorizacionComprobante>`;
    const operation = 'autorizacionComprobanteResponse';
    const body = `<Envelope><Body><${operation}>${answer}</${operation}></Body></Envelope>`;
    server.simulator.script('authorization', { kind: 'answer', body });
    await documents.get(`${accessKey}/authorize`);
    const { of } = await doctor(cliSettings(server));
    expect(JSON.stringify(of('copies', 'warn'))).toContain(accessKey);
  });

  it('counts given-up work, and mails and deliveries for thirty days', async () => {
    const [mail] = await readRows(server, 'jobs', { kind: 'MAIL' });
    const giveUp = (daysAgo: number) =>
      changeRows(
        server,
        'jobs',
        { id: mail?.id ?? '' },
        { status: 'FAILED', created_at: Date.now() - daysAgo * 86_400_000 },
      );
    await giveUp(29);
    const [finding] = (await doctor(cliSettings(server))).of('jobs', 'warn');
    expect(JSON.stringify(finding)).toMatch(/(?:perdidos|given up): 1 /);
    await giveUp(31);
    expect((await doctor(cliSettings(server))).of('jobs', 'ok')).toHaveLength(1);
  });

  it('accepts an authorized document whose notification has expired', async () => {
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.create();
    await documents.send(accessKey);
    await documents.get(`${accessKey}/authorize`);
    const now = new Date('2100-01-01');
    await server.services.database.transaction((tables) => dropExpiredNotifications(tables, { now, limit: 100 }));
    const { of } = await doctor(cliSettings(server), '--invariants');
    expect(of('invariants.authorized-is-counted-in-a-notification', 'fail')).toEqual([]);
  });

  it('explains a signature that the SRI rejected', async () => {
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.create(undefined, 'SRI-REFUSED-39');
    await documents.send(accessKey);
    await documents.get(`${accessKey}/authorize`);
    expect((await documents.show(accessKey)).status).toBe('NOT_AUTHORIZED');
    const { of } = await doctor(cliSettings(server));
    const [finding] = of('signature', 'fail');
    expect(JSON.stringify(finding)).toContain(accessKey);
    expect(JSON.stringify(finding)).toContain('FIRMA INVÁLIDA');
    expect(JSON.stringify(finding)).not.toContain('La firma está bien');
  });

  it('reports a document that is voided on this server but not at the SRI', async () => {
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.create();
    await documents.send(accessKey);
    await documents.get(`${accessKey}/authorize`);
    await documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' });
    const url = `${await listen(toNodeListener(server.simulator.handle))}/comprobantes-electronicos-ws`;
    const settings = { ...cliSettings(server), SRI_MODE: 'live', SRI_SANDBOX_URL: url, SRI_PRODUCTION_URL: url };
    const file = join(server.dataDir, 'own.txt');
    await writeFile(file, accessKey);
    const { of } = await doctor(settings, '--reconcile', '--keys', file);
    expect(JSON.stringify(of('voided', 'warn'))).toContain(`${accessKey} está anulado aquí y sigue AUTORIZADO`);
    expect(JSON.stringify([of('reconcile', 'fail'), of('reconcile', 'warn')])).not.toContain(accessKey);
    const consulted = (estado: string) => {
      const operation = 'consultarEstadoAutorizacionComprobanteResponse';
      const answer = `<claveAcceso>${accessKey}</claveAcceso><estadoAutorizacion>${estado}</estadoAutorizacion>`;
      const body = `<Envelope><Body><${operation}><EstadoAutorizacionComprobante>${answer}</EstadoAutorizacionComprobante></${operation}></Body></Envelope>`;
      server.simulator.script('consultation', { kind: 'answer', body });
    };
    consulted('PENDIENTE DE ANULAR');
    expect(JSON.stringify((await doctor(settings, '--reconcile')).of('voided', 'warn'))).toContain(
      'espera que el receptor',
    );
    consulted('ANULADO');
    expect((await doctor(settings, '--reconcile')).of('voided', 'ok')).toHaveLength(1);
  });

  it('compares counters with access keys from elsewhere, and reports unchecked counters', async () => {
    const simulator = createSimulator();
    const url = `${await listen(toNodeListener(simulator.handle))}/comprobantes-electronicos-ws`;
    const settings = { ...cliSettings(server), SRI_MODE: 'live', SRI_SANDBOX_URL: url, SRI_PRODUCTION_URL: url };
    const issuer = await readRow(server, 'issuers', { id: tenant.issuerId });
    const keyOf = (sequential: number, documentType: '01' | '04' = '01') =>
      buildAccessKey({
        issueDate: '05/11/2026',
        documentType,
        ruc: issuer.ruc,
        environment: 'sandbox',
        branchCode: issuer.branch_code,
        issuePointCode: issuer.issue_point_code,
        sequential,
        numericCode: '12345678',
      });
    const accessKey = keyOf(77);
    const file = join(server.dataDir, 'portal.txt');
    await writeFile(
      file,
      `Factura\t001-002-000000077\t${accessKey}\t21/11/2026\r\n1234567890123456789012345678901234567890123456789\r\n`,
    );
    const { of } = await doctor(settings, '--keys', file);
    const behind = of('reconcile', 'fail').filter(({ message }) => JSON.stringify(message).includes('77'));
    expect(behind).toMatchObject([{ fix: expect.stringContaining('"nextSequential":78') }]);
    expect(
      of('reconcile', 'ok')
        .map(({ message }) => JSON.stringify(message))
        .join(),
    ).toContain('no se le puede preguntar');
    // The last answer of the SRI fails.
    const asked = simulator.journal.filter(({ operation }) => operation === 'authorization').length;
    await writeFile(file, `${accessKey} ${keyOf(78, '04')}`);
    const answers = Array.from({ length: asked }, () => ({ kind: 'none' }) as const);
    simulator.script('authorization', ...answers, { kind: 'http', status: 500 });
    const failed = (await doctor(settings, '--reconcile', '--keys', file)).of('reconcile', 'fail');
    expect(failed.filter(({ message }) => JSON.stringify(message).includes('77'))).toEqual(behind);
    expect(JSON.stringify(failed)).toContain('El SRI no respondió');
    // The issuer of the key comes after the fifty compared issuers.
    await server.services.database.transaction((tables) =>
      tables
        .insertInto('issuers')
        .values(
          Array.from({ length: 50 }, (_, index) => ({
            ...issuer,
            id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
            branch_code: String(900 + index),
          })),
        )
        .execute(),
    );
    await writeFile(file, accessKey);
    const behindOthers = (await doctor({ ...settings, SRI_MODE: 'offline' }, '--keys', file)).of('reconcile', 'fail');
    expect(behindOthers.map(({ message }) => JSON.stringify(message))).toEqual([expect.stringContaining('77')]);
    // The fix is one call for each counter, past all its keys, in any order of the file.
    await writeFile(file, `${keyOf(79)} ${accessKey} ${keyOf(78)} ${keyOf(7, '04')}`);
    const calls = (await doctor({ ...settings, SRI_MODE: 'offline' }, '--keys', file)).of('reconcile', 'fail');
    expect(calls.map(({ fix }) => /"nextSequential":\d+/.exec(String(fix))?.[0])).toEqual([
      '"nextSequential":80',
      '"nextSequential":8',
    ]);
    const counter = { issuerId: tenant.issuerId, environment: 'sandbox', documentType: '01' } as const;
    const next = await server.services.engine.nextSequential(counter);
    await writeFile(file, keyOf(next));
    const atNext = (await doctor({ ...settings, SRI_MODE: 'offline' }, '--keys', file)).of('reconcile', 'fail');
    expect(atNext).toMatchObject([{ fix: expect.stringContaining(`"nextSequential":${next + 1}`) }]);
    // Nothing was compared with the SRI, and the finding says so.
    await writeFile(file, keyOf(1));
    const reported = (await doctor({ ...settings, SRI_MODE: 'offline' }, '--keys', file)).of('reconcile', 'ok');
    expect(reported.map(({ message }) => JSON.stringify(message))).toEqual([
      expect.stringContaining('no se comparó'),
      expect.stringContaining('no se le puede preguntar'),
    ]);
  });
});

it('names the certificates that expire first, and counts the others', async () => {
  const server = await openTestServer();
  await registerTenant(server);
  await server.services.database.transaction(async (tables) => {
    const issuer = await tables.selectFrom('issuers').selectAll().executeTakeFirstOrThrow();
    const certificate = await tables.selectFrom('issuer_certificates').selectAll().executeTakeFirstOrThrow();
    for (let number = 101; number <= 230; number += 1) {
      const id = `00000000-0000-7000-8000-000000000${number}`;
      const valid_to = Date.now() + (number === 230 ? -1 : 20) * 86_400_000;
      await tables
        .insertInto('issuers')
        .values({ ...issuer, id, branch_code: String(number) })
        .execute();
      await tables
        .insertInto('issuer_certificates')
        .values({ ...certificate, issuer_id: id, valid_to })
        .execute();
    }
  });
  const { of } = await doctor(cliSettings(server));
  expect(JSON.stringify(of('certificates', 'fail'))).toMatch(/230-\d{3} está VENCIDO/);
  expect(JSON.stringify(of('certificates', 'warn').at(-1))).toContain('otros 30 están vencidos o vencen en 30 días');
  await server.close();
});
