// Builds the packages whose sources changed, and switches at once: a server running from here keeps its own files.
//   npm run build:js
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildInPlace } from '../src/testing/package-build.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
/** Additional inputs of a package's build within its folder. */
const OWN = {
  'storage-adapters': ['../sri-core/scripts/write-licences.mjs'],
  'sri-core': ['scripts/write-licences.mjs'],
  server: ['console', 'scripts/build-console.ts', '../sri-core/scripts/write-licences.mjs'],
};
/** Inputs of a package's build outside its own folder. */
const ELSEWHERE = { server: ['docs', 'llms.txt', 'node_modules/swagger-ui-dist/package.json'] };

for (const name of ['sri-core', 'storage-adapters', 'server']) {
  const folder = join(root, 'packages', name);
  const own = ['src', 'package.json', 'tsup.config.ts', ...(OWN[name] ?? [])];
  await buildInPlace({
    folder,
    sources: [
      ...own.map((path) => join(folder, path)),
      ...['package-lock.json', ...(ELSEWHERE[name] ?? [])].map((path) => join(root, path)),
    ],
    record: join(root, 'node_modules/.cache/sri-build', `${name}.json`),
    async build(target) {
      const { status } = spawnSync('npm', ['run', '--silent', 'build:js'], {
        cwd: folder,
        stdio: 'inherit',
        shell: process.platform === 'win32',
        env: { ...process.env, BUILD_FOLDER: basename(target) },
      });
      if (status !== 0) throw new Error(`${name} could not be built.`);
    },
  });
}
