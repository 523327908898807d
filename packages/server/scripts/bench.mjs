// Runs every benchmark in turn, each in its own process; one figure per line: `name value unit`. Run it on an otherwise
// idle machine.
//   npm run bench                      all of them, about 20 minutes (most of it fills databases with a million documents)
//   npm run bench -- signing lists     only those
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const core = (group) => [script('sri-core/scripts/bench.mjs'), group];
const BENCHMARKS = {
  signing: core('signing'),
  build: core('build'),
  ride: core('ride'),
  types: core('types'),
  p12: core('p12'),
  service: [script('server/scripts/bench-service.mjs'), 'create', 'drain', 'webhooks'],
  writes: [script('storage-adapters/scripts/bench-writes.mjs')],
  lists: [script('storage-adapters/scripts/bench-lists.mjs')],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
let failed = false;
for (const [name, command] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`--- ${name}`);
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) failed = true;
}
process.exitCode = failed ? 1 : 0;
