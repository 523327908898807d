// Measures deliveries to 100 endpoints while one of them hangs, one figure per line: `name value unit`. The server, its
// SQLite file (synchronous FULL) and the receiver (a thread) share this machine.
//   npm run build:js && node packages/server/scripts/bench-webhooks.mjs            2,970 deliveries
//   npm run build:js && node packages/server/scripts/bench-webhooks.mjs --full     9,900 deliveries
// DATABASE_URL=postgres://… uses that database instead, which must be empty.
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../dist/index.js';
import { call, openAccount, openEndpoint, openTables, queue, settingsFor, until } from './webhook-bench-parts.mjs';
import { openSink } from './webhook-sink.mjs';

const EVENTS = process.argv.includes('--full') ? 100 : 30;
const ACCOUNTS = 10;
const ENDPOINTS = 10;
const TRICKLE = 300;
const PLACES = 64;

const sink = await openSink();
const { port } = sink;
const dataDir = await mkdtemp(join(tmpdir(), 'sri-bench-'));
const server = await startServer(settingsFor(dataDir));
try {
  const endpoints = [];
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const account = await openAccount(server.url, dataDir);
    const paths = Array.from({ length: ENDPOINTS }, (_, each) => (number + each === 0 ? 'hang' : `${number}-${each}`));
    const opened = paths.map((path) => openEndpoint(server.url, account, `http://127.0.0.1:${port}/${path}`));
    endpoints.push(await Promise.all(opened));
  }
  const { storage, close } = await openTables(dataDir);
  const [hanging] = endpoints[0].splice(0, 1);
  const swift = endpoints.flat();
  const deliveries = swift.length * EVENTS;

  const posts = await measure(deliveries, () => rawPosts(deliveries));
  for (let round = 0; round < 50; round += 1) await queue(storage, [hanging]);

  // A backlog, as after an hour without a network: all deliveries are due at once.
  for (let round = 0; round < EVENTS; round += 1) for (const group of endpoints) await queue(storage, group);
  const first = sink.count('arrived');
  const backlog = await measure(deliveries - first, () => until(() => sink.count('arrived') >= deliveries, 300_000));
  print('webhook-deliveries', backlog.perSecond, '/s');
  print('raw-posts', posts.perSecond, '/s');
  print('webhook-deliveries/raw-posts', backlog.perSecond / posts.perSecond, 'ratio');
  print('webhook-delivery-cpu', backlog.cpuMs, 'ms');
  print('raw-post-cpu', posts.cpuMs, 'ms');

  // A trickle: the time of a delivery from its commit to its receiver, with only the hanging endpoint in the way.
  const sent = [];
  for (let round = 0; round < TRICKLE; round += 1) {
    const { id, headers } = swift[round % swift.length];
    const { deliveryId } = await call(`${server.url}/v1/webhooks/${id}/test`, { method: 'POST', headers, body: '{}' });
    sent.push(deliveryId);
  }
  await until(() => sink.count('arrived') >= deliveries + TRICKLE, 60_000);
  const arrivals = await sink.arrivals();
  const rows = await storage.read((tables) =>
    tables.selectFrom('jobs').select(['id', 'created_at']).where('id', 'in', sent).execute(),
  );
  const waits = rows.map((row) => arrivals.get(row.id) - Number(row.created_at)).toSorted((a, b) => a - b);
  print('webhook-latency-p50', waits[Math.floor(TRICKLE * 0.5)], 'ms');
  print('webhook-latency-p95', waits[Math.floor(TRICKLE * 0.95)], 'ms');
  print('webhook-latency-max', waits.at(-1), 'ms');
  print('hanging-attempts', sink.count('hung'), 'attempts');
  print('memory', process.memoryUsage().rss / 1024 / 1024, 'MiB');
  await close();
} finally {
  await server.close();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
}

function print(name, value, unit) {
  console.log(`${name} ${value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(3)} ${unit}`);
}

/** The rate, and the processor time of each: of sender and receiver, which share a process. */
async function measure(count, work) {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: count / seconds, cpuMs: (used.user + used.system) / 1000 / count };
}

/** The same requests without a database: the same receiver and concurrency, one connection each. */
async function rawPosts(count) {
  const body = Buffer.from(JSON.stringify({ event: 'TEST', data: { message: 'x'.repeat(700) } }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), connection: 'close' };
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await new Promise((resolve, reject) => {
        const post = request({ host: '127.0.0.1', port, path: '/raw', method: 'POST', headers, agent: false });
        post.on('error', reject).on('response', (answer) => answer.resume().on('close', resolve));
        post.end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: PLACES }, client));
  if (sink.count('raw') !== count) throw new Error(`${sink.count('raw')} of ${count} raw posts arrived.`);
}
