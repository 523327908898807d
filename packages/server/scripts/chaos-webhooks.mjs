// Kills a server with SIGKILL, again and again, while it authorizes documents and tells endpoints of them, and then looks
// whether every endpoint was told of everything. Prints a table, and exits with 1 when anything is missing.
//   npm run build:js && node packages/server/scripts/chaos-webhooks.mjs
//     --notifications=10000   --kills=100   --endpoints=3
// With DATABASE_URL=postgres://… on that database instead of SQLite; it is to be an empty one.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { verifyWebhook } from 'sri-core/webhooks';
import { call, openAccount, openEndpoint, settingsFor, until } from './webhook-bench-parts.mjs';

const { values } = parseArgs({
  options: { notifications: { type: 'string' }, kills: { type: 'string' }, endpoints: { type: 'string' } },
});
const NOTIFICATIONS = Number(values.notifications ?? 10_000);
const KILLS = Number(values.kills ?? Math.ceil(NOTIFICATIONS / 100));
const ENDPOINTS = Number(values.endpoints ?? 3);
const CLIENTS = 8;
const SETTLE_MS = 120_000 + NOTIFICATIONS * 100;
const INVOICE = JSON.stringify({
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' },
  items: [
    {
      mainCode: 'A1',
      description: 'Café',
      quantity: '1',
      unitPrice: '10.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
    },
  ],
  payments: [{ method: '01', total: '11.50' }],
});

/** By endpoint: what was acknowledged, as `notification count` with the delivery that brought it; and how it came. */
const received = new Map();
const receiver = createServer(async (message, response) => {
  const rawBody = Buffer.concat(await message.toArray());
  const seen = received.get(message.url);
  const { deliveryId, data } = verifyWebhook({ rawBody, headers: message.headers, secret: seen.secret });
  seen.attempts += 1;
  // One in ten is refused the first time it comes.
  if (!seen.met.has(deliveryId) && seen.met.add(deliveryId).size % 10 === 0) return response.writeHead(503).end();
  const name = `${data.id} ${data.metadata.count}`;
  const by = seen.told.get(name) ?? new Set();
  seen.told.set(name, by.add(deliveryId));
  return response.writeHead(204).end();
});
await new Promise((resolve) => receiver.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
const receiverUrl = `http://127.0.0.1:${receiver.address().port}`;

const dataDir = await mkdtemp(join(tmpdir(), 'sri-chaos-'));
let server = await start('0');
process.once('exit', () => server.child.kill('SIGKILL'));
let exitCode = 1;
try {
  exitCode = await run();
} finally {
  await kill();
  receiver.close();
  receiver.closeAllConnections();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = exitCode;

async function run() {
  const account = await openAccount(server.url, dataDir);
  const { issuers } = await call(`${server.url}/v1/issuers`, { headers: account.headers });
  const headers = { ...account.headers, 'x-issuer-id': issuers[0].id };
  for (let number = 0; number < ENDPOINTS; number += 1) {
    const path = `/${number}`;
    const { secret, id } = await openEndpoint(server.url, account, `${receiverUrl}${path}`);
    received.set(path, { id, secret, told: new Map(), met: new Set(), attempts: 0 });
  }

  const started = performance.now();
  let accepted = 0;
  const names = Array.from({ length: NOTIFICATIONS }, () => randomUUID()).values();
  const client = async () => {
    for (const name of names) {
      await submit(headers, name);
      accepted += 1;
    }
  };
  const killer = async () => {
    for (let number = 1; number <= KILLS; number += 1) {
      await until(() => accepted >= (NOTIFICATIONS * number) / (KILLS + 1), SETTLE_MS);
      await sleep(Math.random() * 200);
      await kill();
      server = await start(String(new URL(server.url).port));
    }
  };
  await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
  const total = async (path) => (await call(`${server.url}${path}`, { headers })).pagination.total;
  await until(async () => (await total('/v1/documents?status=AUTHORIZED&limit=1')) >= NOTIFICATIONS, SETTLE_MS);
  for (const { id } of received.values()) {
    await until(async () => (await total(`/v1/webhooks/${id}/deliveries?status=PENDING&limit=1`)) === 0, SETTLE_MS);
  }
  const { notifications } = await call(`${server.url}/v1/notifications`, { headers });
  return report(notifications, (performance.now() - started) / 1000);
}

/** Every rise of every count, at every endpoint, by one delivery. */
function report(notifications, seconds) {
  const rises = notifications.flatMap(({ id, metadata }) =>
    Array.from({ length: metadata.count }, (_, before) => `${id} ${before + 1}`),
  );
  const rows = [...received].map(([path, { told, attempts, met }]) => ({
    endpoint: path,
    expected: rises.length,
    told: rises.filter((name) => told.has(name)).length,
    missing: rises.filter((name) => !told.has(name)).length,
    'under several ids': [...told.values()].filter((ids) => ids.size > 1).length,
    unexpected: [...told.keys()].filter((name) => !rises.includes(name)).length,
    attempts,
    'came twice': attempts - met.size,
  }));
  console.table(rows);
  console.log(`${rises.length} of ${NOTIFICATIONS} authorizations told, ${KILLS} kills, ${seconds.toFixed(0)} s`);
  const wrong = rows.some((row) => row.missing + row['under several ids'] + row.unexpected > 0);
  return wrong || rises.length !== NOTIFICATIONS ? 1 : 0;
}

/** Creates a document and sends it, however often the server dies meanwhile. */
async function submit(headers, name) {
  let accessKey = null;
  for (let isSent = false; !isSent; ) {
    try {
      if (!accessKey) {
        const named = { ...headers, 'idempotency-key': name };
        const created = await call(`${server.url}/v1/documents`, { method: 'POST', headers: named, body: INVOICE });
        accessKey = created.document.accessKey;
      }
      const response = await fetch(`${server.url}/v1/documents/${accessKey}/send`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      await response.arrayBuffer();
      // Anything that is not the server's fault means that an earlier request, whose answer was lost, was taken.
      isSent = response.status < 500;
    } catch {
      await sleep(20);
    }
  }
}

async function start(port) {
  const entry = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    env: {
      ...settingsFor(dataDir),
      PORT: port,
      MAIL_TO_BUYERS: 'off',
      LEASE_SECONDS: '2',
      SRI_AUTH_FIRST_DELAY: '10ms',
      WEBHOOK_TIMEOUT: '1s',
      WEBHOOK_DELAYS: '200ms,1s',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const url = /^Listening on (\S+)$/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('The server ended before it listened.');
}

async function kill() {
  const { child } = server;
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
