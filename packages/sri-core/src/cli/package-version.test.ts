import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readPackageVersion } from './package-version.js';
import { runCoreCli } from './testing/run-core-cli.js';

it.each(['dist/chunk.js', 'src/cli/deep/run.ts'])('finds the version of the package above %s', async (path) => {
  const folder = await mkdtemp(join(tmpdir(), 'sri-version-'));
  try {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"version":"7.8.9"}');
    expect(await readPackageVersion(pathToFileURL(join(folder, path)).href)).toBe('7.8.9');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('fails when no parent folder has a package', async () => {
  await expect(readPackageVersion('file:///sri-none/dist/x.js')).rejects.toMatchObject({ code: 'ENOENT' });
});

it('`--version` prints the version of the package', async () => {
  expect((await runCoreCli(['--version'])).out).toMatch(/^sri-core \d+\.\d+\.\d+/);
});
