import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCoreCli } from './testing/run-core-cli.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-core-cli-'));
  await mkdir(at('folder'));
  await writeFile(at('empty'), '');
  await writeFile(at('binary'), Buffer.from([1, 2, 0, 3, 255, 254, 0, 9]));
  await writeFile(at('latin1.xml'), Buffer.from('<factura>Ñandú</factura>', 'latin1'));
  await writeFile(at('text'), 'hola');
  await symlink(at('loop'), at('loop'));
  const huge = await open(at('huge'), 'w');
  await huge.truncate(1024 ** 3);
  await huge.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const COMMANDS = [
  { name: 'verify', argv: (path: string) => ['verify', path] },
  { name: 'ride', argv: (path: string) => ['ride', path, '--out', at('never.pdf')] },
  { name: 'sign', argv: (path: string) => ['sign', path, '--p12', at('text'), '--out', at('never.xml')] },
  { name: 'sign, its P12', argv: (path: string) => ['sign', at('text'), '--p12', path, '--out', at('never.xml')] },
  { name: 'cert inspect', argv: (path: string) => ['cert', 'inspect', path] },
];

describe.each(COMMANDS)('a file for $name', ({ argv }) => {
  it.each([
    ['that is not there', 'nothing', 'FILE_NOT_FOUND'],
    ['in a folder that is a file', 'text/x', 'FILE_NOT_FOUND'],
    ['that is a folder', 'folder', 'FILE_IS_FOLDER'],
    ['that is empty', 'empty', 'FILE_EMPTY'],
    ['that says it holds a gigabyte', 'huge', 'FILE_TOO_LARGE'],
    ['that never ends', '/dev/zero', 'FILE_TOO_LARGE'],
    ['that leads to itself', 'loop', 'FILE_NOT_READABLE'],
  ])('a file %s is rejected by its name', async (_case, name, code) => {
    const path = name.startsWith('/') ? name : at(name);
    const { code: exit, out } = await runCoreCli([...argv(path), '--json']);
    expect([exit, JSON.parse(out)]).toMatchObject([1, { ok: false, code }]);
    const spanish = await runCoreCli([...argv(path), '--lang', 'es']);
    expect(spanish.errors).toContain(JSON.stringify(path));
    await expect(readFile(at('never.pdf'))).rejects.toThrow();
  });

  it.each(['binary', 'latin1.xml', 'text'])(
    'a file containing %s ends the command with 1 and a sentence',
    async (name) => {
      const answer = await runCoreCli(argv(at(name)));
      expect(answer.code).toBe(1);
      expect(answer.out + answer.errors).not.toMatch(/INTERNAL_ERROR|TypeError|undefined/);
    },
  );
});

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const hooks = fileURLToPath(new URL('../../../server/src/testing/typescript-hooks.ts', import.meta.url));

it('a command without a reader of its output keeps its exit code, and prints no error', async () => {
  const endUnread = async (...argv: string[]) => {
    const child = spawn(process.execPath, ['--import', hooks, main, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return [code, errors];
  };
  expect(await endUnread('verify', at('text'), '--json')).toEqual([1, '']);
  expect(await endUnread('--help')).toEqual([0, '']);
});

it.skipIf(!existsSync('/dev/full'))('a command with its output on a full disk ends with 1 and a sentence', async () => {
  const full = await open('/dev/full', 'w');
  const env = { ...process.env, LC_ALL: 'es_EC.UTF-8' };
  const { status, stderr } = spawnSync(process.execPath, ['--import', hooks, main, '--help'], {
    stdio: ['ignore', full.fd, 'pipe'],
    encoding: 'utf8',
    env,
  });
  expect([status, stderr]).toEqual([1, 'La salida no se puede escribir (ENOSPC).\n']);
  await full.close();
});

describe('the words of a command', () => {
  it.each([
    ['an unknown command', ['frobnicate'], /no command «frobnicate»/],
    ['a group alone', ['key'], /key parse/],
    ['an unknown option', ['verify', 'x', '--frob'], /no option --frob/],
    ['an option in front', ['--frob'], /no option --frob/],
    ['an option before the command', ['--out', 'x', 'verify'], /no option --out/],
    ['an empty command', [''], /no command «»/],
    ['an option without its value', ['verify', '--at', '--at', 'x'], /--at needs a value/],
    ['an option with an empty value', ['verify', 'x', '--at='], /--at needs a value/],
    ['a value for what takes none', ['key', 'build', '--production=1'], /takes no value/],
    ['a value for an option of every command', ['verify', 'x', '--json=1'], /--json takes no value/],
    ['a missing argument', ['verify'], /<file> is missing/],
    ['a missing argument, in Spanish', ['verify', '--lang', 'es'], /Falta <archivo>/],
    ['an empty argument', ['verify', ''], /<file> is missing/],
    ['too many arguments', ['verify', 'a', 'b'], /«b» is too much/],
    ['an unknown language', ['verify', 'a', '--lang', 'fr'], /--lang is es or en/],
    ['a language that is missing', ['verify', 'a', '--lang'], /--lang is es or en/],
    ['an invalid day', ['verify', 'a', '--at', '2026-13-45'], /--at is a date/],
    ['no P12', ['sign', 'a'], /--p12 is missing/],
    ['no number', ['key', 'build', '--ruc', '1'], /--number/],
    ['the number zero', ['key', 'build', '--ruc', '1', '--number', '001-001-0'], /--number has the form/],
    ['a short RUC', ['key', 'build', '--ruc', '1', '--number', '001-001-1'], /--ruc has 13 digits/],
    [
      'a type of one digit',
      ['key', 'build', '--ruc', '1790012345001', '--number', '001-001-1', '--type', '1'],
      /--type has 2 digits/,
    ],
    [
      'a date in the order of ISO',
      ['key', 'build', '--ruc', '1790012345001', '--number', '001-001-1', '--date', '2026-11-21'],
      /--date is a date such as/,
    ],
    ['no port', ['simulate', '--port', '70000'], /--port is a whole number from 0 to 65535/],
    ['no RUC', ['cert', 'make-test', '--ruc', '1'], /13 digits/],
    ['no days', ['cert', 'make-test', '--days', '0'], /--days is a whole number from 1 to 3650/],
    ['half a second', ['simulate', '--delay', '0.5'], /--delay is a whole number/],
  ])('%s ends the command with 2', async (_name, argv, reported) => {
    const { code, out, errors } = await runCoreCli(argv);
    expect([code, out]).toEqual([2, '']);
    expect(errors).toMatch(reported);
    if (argv.includes('--lang') || argv.length === 1) return;
    const json = await runCoreCli([...argv, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, code: 'USAGE' });
  });

  it.each([
    [{ LC_ALL: 'es_EC.UTF-8', LANG: 'en_US' }, [], 'Uso:'],
    [{ LANG: 'es_EC.UTF-8' }, [], 'Uso:'],
    [{ LANG: 'es_EC.UTF-8' }, ['--lang', 'en'], 'Usage:'],
    [{}, ['--lang=es'], 'Uso:'],
    [{}, [], 'Usage:'],
  ])('the command answers in the language of the terminal: %o %o', async (env, argv, word) => {
    for (const words of [['--help'], ['verify', '--help'], ['help', 'key', 'parse']]) {
      const answer = await runCoreCli([...words, ...argv], { env });
      expect(answer).toMatchObject({ code: 0, errors: '' });
      expect(answer.out).toContain(word);
    }
  });
});
