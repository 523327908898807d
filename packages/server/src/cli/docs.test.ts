import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProcess, COMPILE_CACHE, runCli, startCliProcess } from '../testing/run-cli.js';
import { COMMANDS } from './commands.js';
import { exampleRows } from './init/examples.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const page = (language: string) => readFile(join(ROOT, 'docs', language, 'cli.md'), 'utf8');
const blocks = (markdown: string) => [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines = '']) => lines);

describe.each(['en', 'es'])('docs/%s/cli.md', (language) => {
  it('shows the help as it is, and names every command', async () => {
    const markdown = await page(language);
    const shown = /<!-- sri-server --help -->\n```text\n([\s\S]*?)```/.exec(markdown)?.[1];
    expect(shown).toBe((await runCli({}, '--help', '--lang', language)).out);
    const prose = markdown.slice(0, markdown.indexOf('<!-- sri-server --help -->'));
    const missing = COMMANDS.filter(({ name }) => !name.startsWith('admin ') && !prose.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('the commands of docs/*/cli.md', () => {
  let folder: string;
  let server: CliProcess | null = null;
  const env: Record<string, string> = { ...COMPILE_CACHE };
  const hooks = new URL('../testing/typescript-hooks.ts', import.meta.url).href;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sri-cli-docs-'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const entries = {
      'sri-server': join(ROOT, 'packages/server/src/main.ts'),
      'sri-core': join(ROOT, 'packages/sri-core/src/cli/main.ts'),
    };
    const scripts = {
      npx: '#!/bin/sh\nexec "$@"\n',
      ...Object.fromEntries(
        Object.entries(entries).map(([name, entry]) => [
          name,
          `#!/bin/sh\nexec "${process.execPath}" --import "${hooks}" "${entry}" "$@"\n`,
        ]),
      ),
    };
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(bin, name), script);
      await chmod(join(bin, name), 0o755);
    }
    env['PATH'] = `${bin}:${process.env['PATH']}`;
  });
  afterAll(async () => {
    server?.child.kill('SIGTERM');
    await server?.answer;
    await rm(folder, { recursive: true, force: true });
  });

  it('are the same in both languages', async () => {
    expect(blocks(await page('es'))).toEqual(blocks(await page('en')));
  });

  it('run one after the other', async () => {
    let place = folder;
    const lines = blocks(await page('en')).flatMap((block) => block.trim().split('\n'));
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      if (line.startsWith('cd ')) place = join(place, line.slice(3));
      else if (line.endsWith(' &')) {
        server = startCliProcess({ PORT: '0' }, line.replace(/^npx sri-server | &$/g, '').split(' '), place);
        for await (const said of createInterface(server.child.stdout)) {
          const url = /^Listening on (\S+)$/.exec(said)?.[1];
          if (!url) continue;
          env['SRI_URL'] = url;
          server.child.stdout.resume();
          break;
        }
      } else {
        const child = spawn('sh', ['-c', line], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
        const ended = new Promise((resolve) => child.once('close', resolve));
        const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
        expect(code, `${line}\n${out}${errors}`).toBe(0);
      }
    }
  }, 120_000);
});

describe('examples/cli', () => {
  it.each(['facturas.csv', 'notas.jsonl'])('%s is one that is taken', async (name) => {
    const { code, out } = await runCli({}, 'batch', 'issue', join(ROOT, 'examples/cli', name), '--check');
    expect([code, out]).toEqual([0, expect.stringMatching(/wrong +0/)]);
  });

  it('holds the file that init makes', async () => {
    expect(await readFile(join(ROOT, 'examples/cli/facturas.csv'), 'utf8')).toBe(exampleRows());
  });
});
