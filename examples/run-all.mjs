// Runs every example with a made-up certificate, and the recipes, or those named on the command line (`recipes` for all of
// these), and fails when one fails or is not there.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestP12 } from 'sri-core/testing';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`The examples need Node 22.19 or newer: run them as "npm run examples".`);
  process.exit(1);
}

const here = fileURLToPath(new URL('.', import.meta.url));
const asked = process.argv.slice(2);
const withRecipes = asked.length === 0 || asked.includes('recipes');
const examples = readdirSync(here)
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => asked.length === 0 || asked.includes(basename(file, '.ts')));

const folder = mkdtempSync(join(tmpdir(), 'sri-examples-'));
const p12 = join(folder, 'certificate.p12');
writeFileSync(p12, await createTestP12({ ruc: '1760013210001', password: 'example' }), { mode: 0o600 });

const unknown = asked.filter((name) => name !== 'recipes' && !examples.includes(`${name}.ts`));
if (unknown.length > 0) console.error(`There is no ${unknown.join(', ')}.`);
let failed = unknown.length > 0;
for (const file of examples) {
  console.log(`--- ${file}`);
  // A folder of its own each: what one leaves is not there for the next.
  const own = mkdtempSync(join(folder, `${basename(file, '.ts')}-`));
  const { status } = spawnSync(process.execPath, [join(here, file), p12, 'example', own], { stdio: 'inherit' });
  if (status !== 0) failed = true;
}
if (
  withRecipes &&
  spawnSync(process.execPath, [join(here, 'recipes/run-all.mjs')], { stdio: 'inherit' }).status !== 0
) {
  failed = true;
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
