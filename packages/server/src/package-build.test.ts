import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildInPlace } from './testing/package-build.js';

describe('building while a program runs', () => {
  let folder: string;
  let builds: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sri-build-'));
    builds = 0;
    await mkdir(join(folder, 'src'));
    await change('1');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const change = (text: string) => writeFile(join(folder, 'src/main.ts'), text);
  const built = (file: string) => readFile(join(folder, 'dist', file), 'utf8').catch(() => null);

  /** Builds an entry that names a chunk by its content, like the bundler. */
  const build = (fails = false) =>
    buildInPlace({
      folder,
      sources: [join(folder, 'src')],
      record: join(folder, 'record.json'),
      async build(target) {
        builds += 1;
        const source = await readFile(join(folder, 'src/main.ts'), 'utf8');
        const chunk = `chunk-AAAAAAA${source}.js`;
        await writeFile(join(target, 'main.js'), chunk);
        await writeFile(join(target, chunk), source);
        await mkdir(join(target, 'docs'));
        await writeFile(join(target, 'docs', 'page.md'), source);
        if (fails) throw new Error('does not compile');
      },
    });

  it('a build without a change does nothing', async () => {
    expect(await build()).toBe(true);
    const { mtimeMs } = await stat(join(folder, 'dist/main.js'));
    expect(await build()).toBe(false);
    expect([builds, (await stat(join(folder, 'dist/main.js'))).mtimeMs]).toEqual([1, mtimeMs]);
  });

  it('builds changed and missing files, and files of another tool', async () => {
    await build();
    await change('2');
    expect(await build()).toBe(true);
    await rm(join(folder, 'dist/docs'), { recursive: true });
    expect(await build()).toBe(true);
    await writeFile(join(folder, 'dist/main.js'), 'another');
    expect(await build()).toBe(true);
    expect([await built('main.js'), await built('docs/page.md')]).toEqual(['chunk-AAAAAAA2.js', '2']);
  });

  it('keeps files that the former build may still load, for a few builds', async () => {
    for (let turn = 1; turn <= 6; turn += 1) {
      await change(String(turn));
      await build();
    }
    const chunks = (await readdir(join(folder, 'dist'))).filter((file) => file.startsWith('chunk'));
    expect(chunks.toSorted()).toEqual([2, 3, 4, 5, 6].map((turn) => `chunk-AAAAAAA${turn}.js`));
  });

  it('a build never leaves a missing file, or a file that names a missing file', async () => {
    await build();
    let building = true;
    let looked = 0;
    const broken: unknown[] = [];
    async function look(): Promise<void> {
      while (building) {
        const chunk = await built('main.js');
        if (chunk === null || (await built(chunk)) === null) broken.push(chunk);
        looked += 1;
      }
    }
    const looking = look();
    for (let turn = 2; turn <= 5; turn += 1) {
      await change(String(turn));
      await build();
    }
    building = false;
    await looking;
    expect(broken).toEqual([]);
    expect(looked).toBeGreaterThan(4);
  });

  it('a failed build changes nothing and is retried', async () => {
    await build();
    await change('2');
    await expect(build(true)).rejects.toThrow('does not compile');
    expect(await built('main.js')).toBe('chunk-AAAAAAA1.js');
    expect((await readdir(folder)).toSorted()).toEqual(['dist', 'record.json', 'src']);
    expect(await build()).toBe(true);
  });
});
