// Measures the throughput of documents in a running server, one figure per line: `name value unit`. Server, SQLite file
// (synchronous FULL), simulated SRI and client share this process, so the figures are minimums.
//   npm run bench:documents            1,000 creates, 1,000 queued documents
//   npm run bench:documents -- --full  the same with 5,000 each
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator } from 'sri-core/simulator';
import { createTestP12 } from 'sri-core/testing';
import { startServer } from '../dist/index.js';

const COUNT = process.argv.includes('--full') ? 5_000 : 1_000;
const CLIENTS = 32;
const ANSWER_MS = 500;
const RUC = '1760013210001';
const BODY = JSON.stringify({
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' },
  items: [1, 2, 3].map((line) => ({
    mainCode: `CAF-${line}`,
    description: 'Café de Loja, 400 g',
    quantity: '1',
    unitPrice: '10.00',
    taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
  })),
  payments: [{ method: '20', total: '34.50' }],
});

const dataDir = await mkdtemp(join(tmpdir(), 'sri-bench-'));
const simulator = createSimulator({ latencyMs: ANSWER_MS, capacity: 2 * COUNT + 100 });
const server = await startServer(
  {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SRI_CONCURRENCY: '64',
    SRI_AUTH_FIRST_DELAY: '1s',
    MAIL_TO_BUYERS: 'off',
  },
  { sandboxTransport: simulator.handle },
);
try {
  const headers = await register();
  const raw = rawSignaturesPerSecond();
  for (let round = 0; round < 50; round += 1) await create(headers);
  const { times, perSecond, keys } = await createMany(headers);
  print('raw-rsa', raw, 'signatures/s');
  print('http-create-p50', times[Math.floor(times.length * 0.5)], 'ms');
  print('http-create-p95', times[Math.floor(times.length * 0.95)], 'ms');
  print('http-create', perSecond, 'documents/s');
  print('http-create/raw-rsa', perSecond / raw, 'ratio');

  const started = performance.now();
  await inParallel(keys, (key) => call(`/v1/documents/${key}/send`, { method: 'POST', headers, body: '{}' }));
  let authorized = 0;
  while (authorized < COUNT && performance.now() - started < 600_000) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const { pagination } = await call('/v1/documents?status=AUTHORIZED&limit=1', { headers });
    authorized = pagination.total;
  }
  const seconds = (performance.now() - started) / 1000;
  print(`drain-${COUNT}-at-${ANSWER_MS}ms`, seconds, 's');
  print('drain-authorized', authorized, 'documents');
  print('memory', process.memoryUsage().rss / 1024 / 1024, 'MiB');
} finally {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}

function print(name, value, unit) {
  console.log(`${name} ${value >= 100 ? value.toFixed(0) : value.toFixed(3)} ${unit}`);
}

async function call(path, init) {
  const response = await fetch(`${server.url}${path}`, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function register() {
  const form = new FormData();
  form.set('cert', new Blob([await createTestP12({ ruc: RUC, password: 'bench' })]), 'bench.p12');
  const fields = {
    certPassword: 'bench',
    email: 'bench@example.com',
    ruc: RUC,
    businessName: 'Bench',
    branchCode: '001',
    issuePointCode: '001',
    emissionType: '1',
    requiredAccounting: 'true',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { apiKey, issuer } = await call('/v1/register', { method: 'POST', body: form });
  return { authorization: `Bearer ${apiKey}`, 'x-issuer-id': issuer.id, 'content-type': 'application/json' };
}

async function create(headers) {
  const { document } = await call('/v1/documents', { method: 'POST', headers, body: BODY });
  return document.accessKey;
}

async function createMany(headers) {
  const times = [];
  const keys = [];
  const started = performance.now();
  await inParallel(Array.from({ length: COUNT }), async () => {
    const begin = performance.now();
    keys.push(await create(headers));
    times.push(performance.now() - begin);
  });
  const perSecond = COUNT / ((performance.now() - started) / 1000);
  return { times: times.toSorted((a, b) => a - b), perSecond, keys };
}

/** Runs `work` on each entry with `CLIENTS` in parallel. */
async function inParallel(list, work) {
  const left = list.values();
  const client = async () => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

function rawSignaturesPerSecond() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.alloc(1_500, 'x');
  const started = performance.now();
  for (let round = 0; round < 1_000; round += 1) sign('sha1', data, privateKey);
  return 1_000 / ((performance.now() - started) / 1000);
}
