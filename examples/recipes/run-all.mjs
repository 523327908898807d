// Runs every recipe against a server of its own in a folder that `sri-server init` made, and fails when one fails.

import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/server/bin/sri-server.mjs', import.meta.url));
const asked = process.argv.slice(2);

const root = mkdtempSync(join(tmpdir(), 'sri-recipes-'));
const folder = join(root, 'empresa');
const made = spawnSync(process.execPath, [program, 'init', folder, '--lang', 'en'], { stdio: 'inherit' });
if (made.status !== 0) process.exit(1);
// What renew-certificate takes for the new one.
copyFileSync(join(folder, 'certificado.p12'), join(folder, 'firma-nueva.p12'));

const port = await freePort();
const env = {
  ...process.env,
  ...parseEnv(readFileSync(join(folder, '.env'), 'utf8')),
  PORT: String(port),
  SRI_URL: `http://127.0.0.1:${port}`,
  P12_PASSWORD: 'prueba',
};
const server = spawn(process.execPath, [program, 'serve', '--dev'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
let failed = !(await ready());
for (const file of failed ? [] : readdirSync(here)) {
  if (!file.endsWith('.ts') || file === 'client.ts' || (asked.length > 0 && !asked.includes(file))) continue;
  console.log(`--- recipes/${file}`);
  const { status } = spawnSync(process.execPath, [join(here, file)], { cwd: folder, env, stdio: 'inherit' });
  if (status !== 0) failed = true;
}
server.kill('SIGTERM');
await new Promise((resume) => server.once('exit', resume));
rmSync(root, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;

async function ready() {
  for (let attempt = 0; attempt < 300 && server.exitCode === null; attempt += 1) {
    const answer = await fetch(`${env.SRI_URL}/readyz`).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(100);
  }
  return false;
}

function freePort() {
  return new Promise((resume) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resume(port));
    });
  });
}
