// Checks that the time of an answer does not reveal which addresses have accounts: `POST /v1/recover` and
// `POST /v1/resend-verification` for known and unknown addresses, on its own server process. One line per case:
// `name p50 p95 ms`. Exits with 1 when the medians of a route differ by more than 20 ms.
//   npm run timing                     500 tries of each case, on SQLite
//   npm run timing -- --tries 100      fewer
//   DATABASE_URL=postgres://… npm run timing
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestP12 } from 'sri-core/testing';

const TRIES = Number(process.argv[process.argv.indexOf('--tries') + 1] || 500) || 500;
const ALLOWED_MS = 20;
const PASSWORD = 'timing';
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const run = Date.now().toString(36);

const dataDir = await mkdtemp(join(tmpdir(), 'sri-timing-'));
const own = await createTestP12({ password: PASSWORD, validFrom: new Date(Date.now() - 7 * 86_400_000) });
const another = await createTestP12({ password: PASSWORD, validFrom: new Date(Date.now() - 7 * 86_400_000) });
let failed = false;
try {
  // Two minutes ago, so that the mails of registration are old enough for another one.
  await withServer({ CLOCK_OFFSET: '-2m' }, async (url) => {
    for (let index = 0; index < TRIES; index += 1) await register(url, index);
  });
  await withServer({}, async (url) => {
    failed = !(await compare('recover', {
      match: (index) => recover(url, known(index), own),
      'other-certificate': (index) => recover(url, known(index), another),
      unknown: (index) => recover(url, unknown(index), own),
    }));
  });
  await withServer({ CLOCK_OFFSET: '+5m' }, async (url) => {
    const even = await compare('resend', {
      waiting: (index) => resend(url, known(index)),
      cooling: (index) => resend(url, known(index - 1)),
      unknown: (index) => resend(url, unknown(index)),
    });
    failed ||= !even;
  });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function known(index) {
  return `known-${run}-${Math.max(0, index)}@example.com`;
}

function unknown(index) {
  return `unkno-${run}-${index}@example.com`;
}

/** Starts a server on the same data, does the work, and stops it. */
async function withServer(settings, work) {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    // A short window limits the number of uses that the limit stores.
    ONBOARDING_RATE: '100000/1s',
    PUBLIC_RATE: '100000/1s',
    LOG_LEVEL: 'error',
    ...settings,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stopped = once(child, 'exit');
  try {
    await work(await startedAt(child));
  } finally {
    child.kill('SIGTERM');
    await stopped;
  }
}

function startedAt(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start.')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^Listening on (\S+)$/.exec(line)?.[1];
      if (url) resolve(url);
    });
  });
}

/** Times every case as often, in an order that changes each round. @returns whether the medians lie close together. */
async function compare(route, cases) {
  const names = Object.keys(cases);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -20; round < TRIES; round += 1) {
    for (const name of shuffled(names)) {
      const began = performance.now();
      await cases[name](round);
      // The first rounds warm the process up.
      if (round >= 0) times.get(name).push(performance.now() - began);
    }
  }
  const medians = names.map((name) => {
    const sorted = times.get(name).toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
    console.log(`${route}-${name} ${at(0.5).toFixed(2)} ${at(0.95).toFixed(2)} ms`);
    return at(0.5);
  });
  const spread = Math.max(...medians) - Math.min(...medians);
  console.log(`${route}-spread-of-medians ${spread.toFixed(2)} ms (at most ${ALLOWED_MS})`);
  return spread <= ALLOWED_MS;
}

function shuffled(list) {
  return list
    .map((entry) => [Math.random(), entry])
    .toSorted(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

async function recover(url, email, p12) {
  const form = new FormData();
  form.set('cert', new Blob([p12]), 'a.p12');
  form.set('certPassword', PASSWORD);
  form.set('email', email);
  await answered(await fetch(`${url}/v1/recover`, { method: 'POST', body: form }));
}

async function resend(url, email) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email });
  await answered(await fetch(`${url}/v1/resend-verification`, { method: 'POST', headers, body }));
}

async function register(url, index) {
  const form = new FormData();
  form.set('cert', new Blob([own]), 'a.p12');
  const fields = {
    certPassword: PASSWORD,
    email: known(index),
    ruc: (1_000_000_000_001 + (Date.now() % 1_000_000_000) * 1_000 + index).toString().slice(0, 13),
    businessName: 'Timing',
    branchCode: '001',
    issuePointCode: '001',
    emissionType: '1',
    requiredAccounting: 'true',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  await answered(await fetch(`${url}/v1/register`, { method: 'POST', body: form }));
}

async function answered(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
}
