import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORE_PROGRAM_COMMANDS } from 'sri-core/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.js';
import { COMMANDS } from './commands.js';

const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0;

describe('completion', () => {
  let folder: string;
  const scripts = new Map<string, string>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sri-completion-'));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await runCli({}, 'completion', shell);
      expect(code).toBe(0);
      scripts.set(shell, out);
      writeFileSync(join(folder, shell), out);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What bash offers when the tab key is pressed behind those words, as its own machinery asks for it. */
  function offered(...words: readonly string[]): readonly string[] {
    const script = `
      source "$1"; shift
      definition=$(complete -p sri-server)
      [[ $definition =~ -F\\ ([^ ]+) ]] && complete_with=\${BASH_REMATCH[1]}
      COMP_WORDS=(sri-server "$@"); COMP_CWORD=$#
      "$complete_with"
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-uc', script, 'bash', join(folder, 'bash'), ...words], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter(Boolean);
  }

  describe.skipIf(!hasShell('bash'))('in bash', () => {
    it('offers the first words of every command', () => {
      const first = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]));
      expect(new Set(offered('').filter((word) => !word.startsWith('-')))).toEqual(first);
      expect(offered('inv')).toEqual(['invoice']);
    });

    it('leads to every command, word by word', () => {
      for (const { name } of COMMANDS) {
        const words = name.split(' ');
        const last = words.at(-1) ?? '';
        expect(offered(...words.slice(0, -1), last.slice(0, -1)), name).toContain(last);
      }
      expect(offered('admin', 'pay')).toEqual(['payments']);
    });

    it('offers the options of a command, and no longer other commands', async () => {
      expect(offered('invoice', 'create', 'factura.json', '--')).toEqual(
        expect.arrayContaining(['--wait', '--idempotency-key', '--json', '--lang', '--help']),
      );
      expect(offered('doctor', '')).toEqual(expect.not.arrayContaining(['invoice']));
      for (const { name, load } of COMMANDS) {
        const { options = {} } = await load();
        const named = offered(...name.split(' '), '--');
        expect(named, name).toEqual(expect.arrayContaining(Object.keys(options).map((option) => `--${option}`)));
      }
    });

    it('leaves the value of an option to whoever types it, and knows the languages', () => {
      expect(offered('openapi', '--out', '')).toEqual([]);
      expect(offered('serve', '--lang', '')).toEqual(['es', 'en']);
      expect(offered('--lang', 'es', 'invoice', 'cr')).toEqual(['create']);
      expect(offered('--json', 'inv')).toEqual(['invoice']);
    });
  });

  it.each(['zsh', 'fish'])('is read by %s without a complaint (skipped where there is none)', (shell) => {
    const script = scripts.get(shell) ?? '';
    for (const { name } of COMMANDS) expect(script).toContain(`'${name}'`);
    // Whatever a text has in it, quotes are even: an odd one would take the rest of the script with it.
    for (const line of script.split('\n'))
      expect([line, line.replaceAll("'\\''", '').split("'").length % 2]).toEqual([line, 1]);
    if (hasShell(shell)) expect(spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' }).stderr).toBe('');
  });

  it('is in the language that is asked for, and told as JSON', async () => {
    const { out } = await runCli({}, 'completion', 'fish', '--lang', 'es');
    expect(out).toContain('Revisa todo lo que hace falta para emitir');
    const answer = await runCli({}, 'completion', 'bash', '--json');
    expect(answer.json()).toMatchObject({ ok: true, shell: 'bash', script: expect.stringContaining('complete -o') });
    expect(await runCli({}, 'completion', 'tcsh')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('bash, zsh, fish'),
    });
  });

  it('is there for sri-core as well', async () => {
    expect(CORE_PROGRAM_COMMANDS.map(({ name }) => name)).toContain('completion');
  });
});

describe('openapi', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sri-openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the description without a server or a database', async () => {
    for (const words of [['openapi'], ['openapi', '--json']]) {
      const { code, json } = await runCli({ NODE_ENV: 'production', BASE_URL: 'https://sri.example.com/' }, ...words);
      expect(code).toBe(0);
      expect(json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://sri.example.com' }] });
    }
    const other = await runCli({}, 'openapi', '--url', 'https://other.example.com');
    expect(other.json()).toMatchObject({ servers: [{ url: 'https://other.example.com' }] });
  });

  it('writes it to a file, and puts it in the place of another only when told', async () => {
    const file = join(folder, 'openapi.json');
    expect(await runCli({}, 'openapi', '--out', file)).toMatchObject({ code: 0, out: `${file}\n` });
    expect(await runCli({}, 'openapi', '--out', file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('FILE_EXISTS'),
    });
    expect((await runCli({}, 'openapi', '--out', file, '--force', '--json')).json()).toEqual({ ok: true, file });
  });

  it('does not take what is no address', async () => {
    expect(await runCli({}, 'openapi', '--url', 'localhost')).toMatchObject({ code: 2 });
  });
});
