// Measures a newcomer's steps and waits: one figure per line, with its goal. Exits with 1 when a goal is missed.
//   npm run newcomer

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { chromiumPath, openBrowser } from '../src/testing/browser.ts';
import { freePort } from '../src/testing/free-port.ts';

const root = new URL('../../../', import.meta.url);
const program = fileURLToPath(new URL('packages/server/bin/sri-server.mjs', root));
const folder = mkdtempSync(join(tmpdir(), 'sri-newcomer-'));
const home = join(folder, 'empresa');
let missed = false;

for (const [name, goal] of [
  ['sign-an-invoice', 15],
  ['issue-an-invoice', 25],
]) {
  print(`lines-of-${name}`, codeLines(`examples/${name}.ts`), 'lines', goal);
}
print('help', median(Array.from({ length: 5 }, () => timed(() => run(['--help'])))), 'ms', 200);
print('variables-to-run-for-real', requiredVariables().length, 'variables', 4);

const begunAt = performance.now();
run(['init', home]);
const env = { ...process.env, ...parseEnv(readFileSync(join(home, '.env'), 'utf8')), PORT: String(await freePort()) };
const url = `http://127.0.0.1:${env.PORT}`;
const startedAt = performance.now();
const server = spawn(process.execPath, [program, 'serve', '--dev'], { cwd: home, env, stdio: 'ignore' });
while (!(await isReady())) await sleep(20);
print('start', performance.now() - startedAt, 'ms', 1_500);
run(['batch', 'issue', 'ejemplo.csv', '--ride', 'rides'], { cwd: home, env: { ...env, SRI_URL: url } });
const rides = readdirSync(join(home, 'rides')).length;
print('from-nothing-to-rides', (performance.now() - begunAt) / 1000, 's', 60);
if (rides !== 3) throw new Error(`${rides} RIDEs were made instead of 3.`);
await measureConsole();
server.kill('SIGTERM');
await new Promise((resume) => server.once('exit', resume));
rmSync(folder, { recursive: true, force: true });
process.exitCode = missed ? 1 : 0;

function print(name, value, unit, atMost) {
  if (value > atMost) missed = true;
  const shown = Number.isInteger(value) ? value : value.toFixed(1);
  console.log(`${name} ${shown} ${unit} at-most ${atMost}${value > atMost ? ' MISSED' : ''}`);
}

function run(words, options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`sri-server ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Counts lines other than blank lines and comment lines. */
function codeLines(path) {
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
}

/** Settings that `doctor` requires in production, and the database, which has a default. */
function requiredVariables() {
  const settings = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: join(folder, 'none') };
  const answer = spawnSync(process.execPath, [program, 'doctor', '--json'], {
    encoding: 'utf8',
    env: settings,
    cwd: folder,
  });
  const said = `${answer.stdout}${answer.stderr}`;
  return ['MASTER_KEYS', 'BASE_URL', 'SMTP_URL', 'DATABASE_URL'].filter((name) => said.includes(name));
}

function timed(work) {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

async function isReady() {
  if (server.exitCode !== null) throw new Error('The server did not start.');
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer?.ok === true;
}

/** Load time and size of the console's first page on a phone: a quarter of this processor, 1.6 Mbit/s and 150 ms. */
async function measureConsole() {
  if (!chromiumPath) return;
  const browser = await openBrowser();
  const times = [];
  let bytes = 0;
  for (let round = 0; round < 5; round += 1) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
    await devtools.send('Network.emulateNetworkConditions', network);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('form button')) globalThis.usableMs ??= performance.now();
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${url}/console`);
    await page.locator('form button').first().waitFor();
    times.push(await page.evaluate(() => globalThis.usableMs));
    await page.context().close();
  }
  await browser.close();
  print('console-on-a-slow-phone', median(times), 'ms', 1_000);
  print('console-first-page', bytes / 1024, 'KB', 120);
}
