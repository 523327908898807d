import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CliProcess, runCli, startCliProcess } from '../testing/run-cli.js';
import { testFolder } from '../testing/test-folder.js';

const parent = testFolder('new-user');
let folder: string;
let server: CliProcess;
let url: string;
let secrets: readonly string[];
let settings: Readonly<Record<string, string>>;
const at = (name: string) => join(folder, name);
/** Runs a command with the settings of the new folder, in this process; paths are relative to that folder. */
const run = async (...argv: readonly string[]) => {
  const words = argv.map((word) => (/\.(csv|json|pdf|xml)$|^rides$/.test(word) ? at(word) : word));
  const answer = await runCli({ ...settings, DATA_DIR: at('data'), SRI_URL: url }, ...words);
  for (const secret of secrets) expect(answer.out + answer.errors).not.toContain(secret);
  return answer;
};

/** The first matching line of a stream; without a match, the whole output. */
async function findLine(stream: Readable, pattern: RegExp): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface(stream)) {
    lines.push(line);
    const found = pattern.exec(line)?.[1];
    if (found === undefined) continue;
    stream.resume();
    return found;
  }
  throw new Error(`Not said: ${pattern} in ${lines.join('\n')}`);
}

async function end(
  { child, answer }: { child: ChildProcess; answer: Promise<{ code: number }> },
  signal: NodeJS.Signals,
) {
  child.kill(signal);
  return (await answer).code;
}

beforeAll(async () => {
  folder = join(parent, 'empresa');
  const { code, out, errors } = await startCliProcess({ LANG: 'es_EC.UTF-8' }, ['init', 'empresa'], parent).answer;
  expect([code, errors]).toEqual([0, '']);
  settings = parseEnv(await readFile(at('.env'), 'utf8')) as Readonly<Record<string, string>>;
  secrets = [settings['SRI_API_KEY'] ?? '', settings['MASTER_KEYS']?.slice(3) ?? ''];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(30);
    expect(out).not.toContain(secret);
  }
  expect(out).toContain('cd empresa && npx sri-server serve --dev');
  server = startCliProcess({ PORT: '0' }, ['serve', '--dev'], folder);
  url = await findLine(server.child.stdout, /^Listening on (\S+)$/);
}, 60_000);
afterAll(async () => {
  if (server) expect(await end(server, 'SIGTERM')).toBe(0);
});

describe('a new user', () => {
  it('init makes a private folder, and a second init does not overwrite it', async () => {
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(at('.env'))).mode & 0o777).toBe(0o600);
    const before = await readFile(at('.env'), 'utf8');
    const again = await runCli({}, 'init', folder, '--json');
    expect([again.code, again.json()]).toMatchObject([1, { code: 'FOLDER_NOT_EMPTY' }]);
    expect(await readFile(at('.env'), 'utf8')).toBe(before);
    expect(await readdir(parent)).toEqual(['empresa']);
  });

  it('init reports why a folder cannot be used', async () => {
    const { code, errors } = await runCli({}, 'init', at('.env'), '--lang', 'en');
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^FOLDER_NOT_USABLE: "[^"]+" cannot be used \(ENOTDIR: .+\)\.\n$/),
    ]);
  });

  it('concurrent calls of init make one folder, and print commands that a shell accepts', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'sri-twice-'));
    const place = join(elsewhere, 'mi empresa');
    const answers = await Promise.all([1, 2].map(() => runCli({}, 'init', place, '--json')));
    const [done, refused] = answers.toSorted((one, other) => one.code - other.code).map((answer) => answer.json());
    expect(done).toMatchObject({ next: [`cd '${place}' && npx sri-server serve --dev`, expect.any(String)] });
    expect(refused).toMatchObject({ code: 'FOLDER_NOT_EMPTY' });
    expect(await readdir(elsewhere)).toEqual(['mi empresa']);
    await rm(elsewhere, { recursive: true });
  });

  it('concurrent calls of init fill an existing folder once, and do not replace it', async () => {
    const place = await mkdtemp(join(tmpdir(), 'sri-there-'));
    await chmod(place, 0o755);
    const { ino } = await stat(place);
    const answers = await Promise.all([1, 2].map(() => runCli({}, 'init', place, '--json')));
    const [done, refused] = answers.toSorted((one, other) => one.code - other.code).map((answer) => answer.json());
    expect([done, refused]).toMatchObject([{ ok: true }, { code: 'FOLDER_NOT_EMPTY' }]);
    const after = await stat(place);
    expect([after.ino, after.mode & 0o777]).toEqual([ino, 0o700]);
    expect(await readdir(place)).toEqual(await readdir(folder));
    await rm(place, { recursive: true });
  });

  it('init fills the folder of a killed init', async () => {
    const killed = startCliProcess({}, ['init', 'killed'], parent);
    await vi.waitFor(async () => expect(await readdir(join(parent, 'killed'))).toHaveLength(1), { timeout: 30_000 });
    await end(killed, 'SIGKILL');
    expect((await runCli({}, 'init', join(parent, 'killed'), '--json')).json()).toMatchObject({ ok: true });
    expect(await readdir(join(parent, 'killed'))).toEqual(expect.arrayContaining(await readdir(folder)));
    await rm(join(parent, 'killed'), { recursive: true });
  });

  it('batch issue issues the example and saves its RIDEs', async () => {
    // As a program, in the folder, so that it reads its .env.
    const words = ['batch', 'issue', 'ejemplo.csv', '--ride', 'rides'];
    const { code, out, errors } = await startCliProcess({ SRI_URL: url }, words, folder).answer;
    expect([code, out]).toEqual([0, expect.stringMatching(/authorized +3/)]);
    expect(errors).toContain('PED-1002');
    expect(await readdir(at('rides'))).toHaveLength(3);
  });

  it('invoice create issues a JSON, and further commands show its status and verify its file', async () => {
    const created = await run(
      'invoice',
      'create',
      'factura.json',
      '--wait',
      '--ride',
      'una.pdf',
      '--xml',
      'una.xml',
      '--json',
    );
    expect(created.code, created.errors).toBe(0);
    const { accessKey, status } = created.json<{ document: { accessKey: string; status: string } }>().document;
    expect(status).toBe('AUTHORIZED');
    expect((await readFile(at('una.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await run('verify', 'una.xml')).code).toBe(0);
    expect((await run('invoice', 'status', accessKey, '--lang', 'es')).out).toContain('AUTHORIZED');
    expect((await run('invoice', 'wait', accessKey)).code).toBe(0);
    const sent = await run('invoice', 'send', accessKey, '--json');
    expect([sent.code, sent.json()]).toMatchObject([0, { document: { status: 'AUTHORIZED' } }]);
  });

  it('invoice create reports an unsent document, the command that sends it, and an earlier document', async () => {
    const argv = ['invoice', 'create', 'factura.json', '--idempotency-key', 'pedido-7', '--lang', 'es'];
    const first = await run(...argv);
    expect(first.errors).not.toContain('Ya existía');
    const [, accessKey = ''] = /Para enviarlo: sri-server invoice send (\d{49})\n/.exec(first.errors) ?? [];
    expect(first.errors).toContain('no se envió al SRI');
    const again = await run(...argv);
    expect(again.errors).toContain('Ya existía');
    expect(again.out).toContain(accessKey);
    expect((await run('invoice', 'send', accessKey)).code).toBe(0);
    expect((await run('invoice', 'wait', accessKey)).code).toBe(0);
    const done = await run(...argv, '--json');
    expect(done.json()).toMatchObject({ earlier: true, document: { accessKey, status: 'AUTHORIZED' } });
    expect(done.errors).not.toContain('Para enviarlo');
  });

  it('commands explain a wrong body, an unknown key and a rejected document', async () => {
    const body = JSON.parse(await readFile(at('factura.json'), 'utf8'));
    await writeFile(at('mala.json'), JSON.stringify({ ...body, buyer: { ...body.buyer, email: 'x' } }));
    const invalid = await run('invoice', 'create', 'mala.json', '--lang', 'es');
    expect([invalid.code, invalid.errors]).toEqual([1, expect.stringContaining('  buyer.email: ')]);
    await writeFile(at('rota.json'), '{');
    expect((await run('invoice', 'create', 'rota.json')).errors).toContain('JSON_INVALID');
    expect((await run('invoice', 'status', '123')).code).toBe(2);
    expect((await run('invoice', 'status', '2111202601179999999000110019990010000012345678911')).code).not.toBe(0);
    const refused = { ...body, buyer: { ...body.buyer, idType: '06', id: 'SRI-REFUSED-52' } };
    await writeFile(at('rechazada.json'), JSON.stringify(refused));
    const answer = await run('invoice', 'create', 'rechazada.json', '--wait', '--lang', 'es');
    expect(answer.code).toBe(1);
    expect(answer.out).toContain('Los valores no cuadran entre sí.');
  });

  it('webhooks listen receives deliveries on this machine, and leaves no endpoint behind', async () => {
    const listen = () => startCliProcess({ SRI_URL: url }, ['webhooks', 'listen', '--json'], folder);
    const killed = listen();
    await findLine(killed.child.stderr, /(Listening at)/);
    await end(killed, 'SIGKILL');
    // The endpoint left behind blocks nothing.
    const listening = listen();
    await findLine(listening.child.stderr, /(Listening at)/);
    const [listed, ...more] = (await run('webhooks', 'list', '--json')).json<{
      endpoints: readonly { id: string; url: string }[];
    }>().endpoints;
    expect([listed?.url, more]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), []]);
    const year = findLine(listening.child.stdout, /"event":"DOCUMENT_AUTHORIZED".*"at":"(\d+)-/);
    expect((await run('invoice', 'create', 'factura.json', '--wait')).code).toBe(0);
    expect(await year).toBe(String(new Date().getUTCFullYear()));
    expect(await end(listening, 'SIGINT')).toBe(0);
    expect((await run('webhooks', 'remove', listed?.id ?? '')).errors).toContain('NOT_FOUND');
    const headers = { authorization: `Bearer ${secrets[0]}` };
    const left = (await (await fetch(`${url}/v1/webhooks`, { headers })).json()) as { endpoints: unknown[] };
    expect(left.endpoints).toEqual([]);
  });

  it('doctor finds no failure in the new folder', async () => {
    const { code, out } = await run('doctor', '--reconcile', '--json');
    const { findings } = JSON.parse(out) as { findings: { verdict: string; check: string }[] };
    expect([code, findings.filter(({ verdict }) => verdict === 'fail')]).toEqual([0, []]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['database', 'certificates', 'masterKeys', 'reconcile']),
    );
  });
});

describe('init', () => {
  it.each([
    ['an invalid P12', 'no.p12', { SRI_P12_PASSWORD: 'x' }, 'CERTIFICATE_INVALID'],
    ['a wrong password', 'own.p12', { SRI_P12_PASSWORD: 'SECRETO' }, 'CERTIFICATE_PASSWORD_INVALID'],
    ['a missing file', 'none.p12', {}, 'FILE_NOT_FOUND'],
  ])('init with %s leaves nothing behind', async (_name, file, env, code) => {
    const { createTestP12 } = await import('sri-core/testing');
    await writeFile(at('no.p12'), 'hola');
    await writeFile(at('own.p12'), await createTestP12({ password: 'propia' }));
    const target = join(parent, 'otra');
    const answer = await runCli(env, 'init', target, '--p12', at(file), '--json');
    expect([answer.code, answer.json()]).toMatchObject([1, { code }]);
    expect(answer.out).not.toContain('SECRETO');
    expect(await readdir(parent)).toEqual(['empresa']);
  });

  it('init says where the account is if DATABASE_URL names another place', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'sri-init-'));
    const settings = { DATABASE_URL: 'postgres://127.0.0.1:9/sri' };
    const answer = await runCli(settings, 'init', join(elsewhere, 'empresa'), '--lang', 'en');
    expect([answer.code, answer.errors]).toEqual([0, expect.stringContaining('unset that variable first')]);
    expect(answer.out).toContain('to buyers are in English');
    await rm(elsewhere, { recursive: true });
  });
});

describe('serve', () => {
  it.each([
    ['a wrong setting', { PORT: 'x' }, ['serve'], 'PORT'],
    ['a port in use', {}, ['serve', '--dev', '--port', 'USED'], '--port'],
  ])('serve with %s ends with 1 and reports it', async (_name, env, argv, reported) => {
    const words = argv.map((word) => word.replace('USED', new URL(url).port));
    const { code, errors } = await startCliProcess({ DATA_DIR: join(parent, 'empresa', 'x'), ...env }, words, folder)
      .answer;
    expect([code, errors]).toEqual([1, expect.stringContaining(reported)]);
  });

  it('serve prints Spanish, except the line that programs read', async () => {
    const data = { DATA_DIR: join(parent, 'empresa', 'y'), PORT: '0', LANG: 'es_EC.UTF-8' };
    const { child, answer } = startCliProcess(data, ['serve', '--dev'], folder);
    const said = await findLine(child.stdout, /^(Datos: .+)$/);
    expect(said).toContain('app.db');
    await end({ child, answer }, 'SIGTERM');
    const used = new URL(url).port;
    const taken = await startCliProcess({ ...data, PORT: used }, ['serve', '--dev'], folder).answer;
    expect(taken.errors).toMatch(
      /^NOT_STARTED: No se inició: el puerto \d+ no se puede usar[^\n]+PORT en \.env, --port <n>, o npm start -- --port <n>\.\n$/,
    );
  });

  it('serve --dev does not start in production', async () => {
    expect((await runCli({ NODE_ENV: 'production' }, 'serve', '--dev')).code).toBe(2);
  });
});
