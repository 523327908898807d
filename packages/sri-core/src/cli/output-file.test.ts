import { mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOutputFile } from './output-file.js';

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

  it.each([true, false])('leaves nothing behind when it fails (force: %s)', async (force) => {
    const path = join(folder, 'a.xml');
    if (force) await writeFile(path, 'the earlier file');
    await expect(writeOutputFile(path, brokenAfter('half'), { force })).rejects.toThrow('broken');
    expect(await readdir(folder)).toEqual(force ? ['a.xml'] : []);
    if (force) expect(await readFile(path, 'utf8')).toBe('the earlier file');
  });

  it('keeps an existing file without force, and names a place that cannot be written', async () => {
    const path = join(folder, 'a.xml');
    await writeFile(path, 'the earlier file');
    await expect(writeOutputFile(path, 'x')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await readFile(path, 'utf8')).toBe('the earlier file');
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
