import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeOutputFile } from './output-file.js';

const HOOKS = fileURLToPath(new URL('../../../server/src/testing/typescript-hooks.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-core-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* brokenAfter(text: string) {
  yield Buffer.from(text);
  throw new Error('broken');
}

describe('writeOutputFile', () => {
  it('replaces a file by a complete one: a reader of the earlier file gets it whole', async () => {
    const path = join(folder, 'a.xml');
    await writeFile(path, 'the earlier file');
    await symlink(path, join(folder, 'link.xml'));
    const reader = await open(path);
    expect(await writeOutputFile(join(folder, 'link.xml'), 'ñ', { force: true, secret: true })).toBe(2);
    expect(await reader.readFile('utf8')).toBe('the earlier file');
    await reader.close();
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['ñ', 0o600]);
  });

  it.each([true, false])('leaves nothing behind after a failure (force: %s)', async (force) => {
    const path = join(folder, 'a.xml');
    if (force) await writeFile(path, 'the earlier file');
    await expect(writeOutputFile(path, brokenAfter('half'), { force })).rejects.toThrow('broken');
    expect(await readdir(folder)).toEqual(force ? ['a.xml'] : []);
    if (force) expect(await readFile(path, 'utf8')).toBe('the earlier file');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves nothing behind when %s ends the program',
    async (signal) => {
      const program = `
      import { writeOutputFile } from ${JSON.stringify(new URL('output-file.ts', import.meta.url).href)};
      async function* endless() {
        for (;;) { yield Buffer.alloc(1024); await new Promise((resolve) => setTimeout(resolve, 5)); }
      }
      await writeOutputFile(${JSON.stringify(join(folder, 'a.zip'))}, endless());`;
      const child = spawn(process.execPath, ['--import', HOOKS, '--input-type=module', '-e', program]);
      const ended = once(child, 'exit');
      await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1), { timeout: 30_000 });
      await setTimeout(50);
      child.kill(signal);
      expect([(await ended)[1], await readdir(folder)]).toEqual([signal, []]);
    },
    60_000,
  );

  it('keeps an existing file without force, and names a place that cannot be written', async () => {
    const path = join(folder, 'a.xml');
    await writeFile(path, 'the earlier file');
    await expect(writeOutputFile(path, 'x')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await readFile(path, 'utf8')).toBe('the earlier file');
    await expect(writeOutputFile('-', 'x')).rejects.toThrow('Name a file');
    for (const [place, options] of [
      [join(folder, 'none', 'a'), {}],
      [folder, {}],
      [folder, { force: true }],
      ['/dev/full', { force: true }],
    ] as const) {
      await expect(writeOutputFile(place, 'x', options)).rejects.toMatchObject({ code: 'FILE_NOT_WRITABLE' });
    }
  });
});
