// Sends every kind of bad input to a server, on SQLite and PostgreSQL, and prints the outcome.
//   npm run bad-input              all of it, for many minutes
//   npm run bad-input -- --short   what CI sends: one in three on SQLite, one in twelve on PostgreSQL

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.mjs';

const { values, positionals, refuse } = readArguments(import.meta.url, {
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = readdirSync(join(root, 'packages/server/src')).filter((file) =>
  /^(bad-input.*|order-games)\.test\.ts$/.test(file),
);
const wanted = files.filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)));
if (wanted.length === 0) refuse(`There is no ${positionals.join(', ')}. There are: ${files.join(', ')}.`);
const folder = mkdtempSync(join(tmpdir(), 'bad-input-'));
const report = join(folder, 'vitest.json');
const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    '.config/vitest.config.ts',
    '--mode=full',
    // Each file counts its own requests.
    '--isolate',
    '--reporter=json',
    `--outputFile=${report}`,
    ...wanted.map((file) => `packages/server/src/${file}`),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BAD_INPUT_TALLY: join(folder, 'tally'), ...(values.short ? {} : { BAD_INPUT: 'full' }) },
  },
);
const startedAt = performance.now();
const exitCode = await new Promise((resolve) => child.once('close', resolve));
const total = { cases: 0, failures: 0, busy: 0, slow: 0, insides: 0 };
let slowestMs = 0;
const tallies = readdirSync(join(folder, 'tally'));
for (const file of tallies) {
  const counts = JSON.parse(readFileSync(join(folder, 'tally', file), 'utf8'));
  for (const name of Object.keys(total)) total[name] += counts[name];
  slowestMs = Math.max(slowestMs, counts.slowestMs);
}
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true, force: true });
// A test file whose process ended early wrote no tally.
const exits = wanted.length - tallies.length;
const lines = {
  cases: total.cases,
  'answers of 5xx': total.failures,
  'of these, too busy (503)': total.busy,
  'process exits': exits,
  'longer than 5 s': total.slow,
  'slowest answer, s': (slowestMs / 1000).toFixed(1),
  'stacks, statements or paths shown': total.insides,
  'tests passed': numPassedTests,
  'tests failed': numFailedTests,
  minutes: ((performance.now() - startedAt) / 60_000).toFixed(1),
};
for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(36)}${value}`);
for (const { assertionResults } of testResults) {
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed') console.log(`failed: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
}
const isClean = exitCode === 0 && exits === 0 && total.failures === 0 && total.slow === 0 && total.insides === 0;
process.exit(isClean && total.cases >= 1500 ? 0 : 1);
