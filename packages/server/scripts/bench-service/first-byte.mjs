// Measures the time to the first byte of a submission on an idle system, one document at a time. With the server it
// starts at the create and at the send request, with the library alone at `engine.issue`. All processes read one clock.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine, undiciTransport } from 'sri-core';
import { createTestSigner } from 'sri-core/testing';
import { createPostgresStorage, createSqliteStorage, openPostgresPool, openSqlite } from 'sri-storage-adapters';
import { startQuickSri } from './quick-sri.mjs';
import { invoiceBodies, percentile, post } from './tools.mjs';

const COUNT = Number(process.env.BENCH_DOCUMENTS ?? 500);
/** A fresh server runs code that the JIT has not compiled yet. */
const WARM_UP = 4_000;
/** The server has nothing to do before each of them. */
const REST_MS = 40;
const GOAL_MS = 15;

export async function run(tools) {
  for (const database of tools.databases) {
    await measure(tools, database);
    await measureLibrary(tools, database);
  }
}

async function measure(tools, database) {
  const sri = await startQuickSri({ keepsTimes: true });
  const place = await tools.openPlace(database);
  // No authorization request occurs in between.
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
      const { document } = await post(`${url}/v1/documents`, headers, bodies[turn % bodies.length]);
      const send = clock();
      await post(`${url}/v1/documents/${document.accessKey}/send`, headers, '{}');
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

async function measureLibrary(tools, database) {
  const sri = await startQuickSri({ keepsTimes: true });
  const { dataDirectory, databaseUrl } = await tools.openPlace(database);
  const pool = database === 'postgres' ? await openPostgresPool(databaseUrl) : null;
  const storage = pool
    ? createPostgresStorage({ pool })
    : createSqliteStorage({ database: await openSqlite(join(dataDirectory, 'app.db')) });
  await storage.migrate();
  const engine = createEngine({
    storage,
    issuers: [{ ...ISSUER, signer: await createTestSigner({ ruc: ISSUER.ruc }) }],
    transport: undiciTransport(),
    sriUrls: { sandbox: sri.url },
    schedule: { firstAuthorizationDelayMs: 3_600_000 },
  });
  const bodies = invoiceBodies().map((body) => JSON.parse(body));
  const scope = { issuerId: ISSUER.id, environment: 'sandbox' };
  const issue = (turn) => engine.issue(scope, bodies[turn % bodies.length]);
  for (let turn = 0; turn < WARM_UP; turn += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, place) => issue(turn + place)));
  }
  const issued = [];
  for (let turn = 0; turn < COUNT; turn += 1) {
    const at = clock();
    const { document } = await issue(turn);
    issued.push({ accessKey: document.accessKey, at });
    await sleep(REST_MS);
  }
  const firstBytes = await sri.firstBytes();
  const times = issued.map(({ accessKey, at }) => firstBytes.get(accessKey) - at);
  const name = `${database}-first-byte-at-sri-after-issue-by-library`;
  tools.print(`${name}-p50`, percentile(times, 0.5), 'ms');
  tools.print(`${name}-p99`, percentile(times, 0.99), 'ms', { atMost: GOAL_MS });
  await engine.stop();
  await pool?.end();
  await sri.stop();
}

const ISSUER = {
  id: 'main',
  ruc: '1790012345001',
  businessName: 'Café Andino S.A.',
  mainAddress: 'Quito',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: true,
};

function clock() {
  return performance.timeOrigin + performance.now();
}
