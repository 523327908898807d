// Packs each package as npm would publish it and checks the result with publint and "are the types wrong".
// Needs `npm run build`: `npm start` and others leave out the types.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(join(root, 'packages/server/dist/index.d.ts'))) {
  console.error('Run "npm run build" first: the types of the packages are not built.');
  process.exit(2);
}
const target = mkdtempSync(join(tmpdir(), 'packed-'));
let failed = false;

for (const name of ['sri-core', 'storage-adapters', 'server']) {
  const folder = join(root, 'packages', name);
  run('publint', ['--strict', folder]);
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (packed.status !== 0) {
    console.error(packed.stderr);
    process.exit(1);
  }
  const report = JSON.parse(packed.stdout);
  const { filename } = Array.isArray(report) ? report[0] : Object.values(report)[0];
  run('attw', ['--profile', 'esm-only', '--no-emoji', join(target, filename)]);
}
rmSync(target, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

function run(command, args) {
  const result = spawnSync(join(root, 'node_modules', '.bin', command), args, {
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    failed = true;
    console.error(result.stdout, result.stderr);
  }
  console.log(`${command} ${args.at(-1).split('/').at(-1)}: ${result.status === 0 ? 'clean' : 'not clean'}`);
}
