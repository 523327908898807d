// How soon a document is at the SRI when the server is idle: one at a time, from the request that creates it, and from the one
// that sends it, to the first byte of the submission. All processes read one clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { startQuickSri } from './quick-sri.mjs';
import { invoiceBodies, percentile } from './tools.mjs';

const COUNT = Number(process.env.BENCH_DOCUMENTS ?? 500);
/** A fresh server runs code that the JIT has not compiled yet. */
const WARM_UP = 4_000;
/** The server has nothing to do before each of them. */
const REST_MS = 40;
const GOAL_MS = 15;

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const sri = await startQuickSri({ keepsTimes: true });
  const place = await tools.openPlace(database);
  // No question for an authorization comes in between.
  const settings = { SRI_MODE: 'live', SRI_SANDBOX_URL: sri.url, SRI_AUTH_FIRST_DELAY: '1h' };
  const server = await tools.startServer(place, { settings });
  const { url } = server;
  const headers = await tools.openAccount(url);
  const bodies = invoiceBodies();

  const driver = await tools.startDriver();
  const requests = bodies.map((body) => ({ path: '/v1/documents', headers, body }));
  const follow = { path: '/v1/documents/:accessKey/send', headers, body: '{}' };
  await driver.drive({ url, requests, follow, connections: 8, count: WARM_UP });
  await driver.stop();
  await sleep(5_000);

  const asked = [];
  await server.profiled(`first-byte-${database}`, async () => {
    for (let turn = 0; turn < COUNT; turn += 1) {
      const create = clock();
      const { document } = await ask(`${url}/v1/documents`, headers, bodies[turn % bodies.length]);
      const send = clock();
      await ask(`${url}/v1/documents/${document.accessKey}/send`, headers, '{}');
      asked.push({ accessKey: document.accessKey, create, send });
      await sleep(REST_MS);
    }
  });
  await sleep(1_000);
  const firstBytes = await sri.firstBytes();
  for (const from of ['create', 'send']) {
    const times = asked.map((one) => firstBytes.get(one.accessKey) - one[from]);
    const name = `${database}-first-byte-at-sri-after-${from}`;
    tools.print(`${name}-p50`, percentile(times, 0.5), 'ms');
    tools.print(`${name}-p99`, percentile(times, 0.99), 'ms', { atMost: GOAL_MS });
  }
  await server.stop();
  await sri.stop();
}

async function ask(url, headers, body) {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function clock() {
  return performance.timeOrigin + performance.now();
}
