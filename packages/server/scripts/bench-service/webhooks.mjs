// Measures deliveries to 100 endpoints while one of them hangs. The receiver is a thread of this process.
//   BENCH_EVENTS=100 npm run bench:service -- webhooks      9,900 deliveries instead of 2,970
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { createUuidSource, systemRandom } from 'sri-core';
import { openStored } from './stored-documents.mjs';
import { percentile, post } from './tools.mjs';
import { openSink } from './webhook-sink.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 30);
const ACCOUNTS = 10;
const ENDPOINTS = 10;
/** An account may send ten tests a minute. */
const TRICKLE = 10 * ACCOUNTS;
const PLACES = 64;
/** Permits more endpoints than the plan allows, as the web application does. */
const SECRET = 'b'.repeat(32);

const newId = createUuidSource(systemRandom);

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const print = (name, value, unit) => tools.print(`${database}-${name}`, value, unit);
  const sink = await openSink();
  const place = await tools.openPlace(database);
  const settings = { INTERNAL_SERVICE_SECRET: SECRET, WEBHOOK_ALLOW_INSECURE: 'true' };
  const server = await tools.startServer(place, { settings });
  const stored = await openStored(place);
  const endpoints = await openEndpoints(tools, server, { stored, sink });
  const [hanging] = endpoints[0].splice(0, 1);
  const swift = endpoints.flat();
  const deliveries = swift.length * EVENTS;

  const postsPerSecond = await rate(deliveries, () => rawPosts(sink, deliveries));
  for (let round = 0; round < 50; round += 1) await queue(stored, [hanging]);

  // A backlog, as after an hour without a network: all deliveries are due at once.
  for (let round = 0; round < EVENTS; round += 1) for (const group of endpoints) await queue(stored, group);
  const first = sink.count('arrived');
  await server.figures();
  const perSecond = await server.profiled(`webhooks-${database}`, () =>
    rate(deliveries - first, () => until(() => sink.count('arrived') >= deliveries, 300_000)),
  );
  const { cpuUs } = await server.figures();
  print('webhook-deliveries', perSecond, '/s');
  print('raw-posts', postsPerSecond, '/s');
  print('webhook-deliveries/raw-posts', perSecond / postsPerSecond, 'ratio');
  print('webhook-delivery-cpu', cpuUs / 1000 / (deliveries - first), 'ms');

  // A trickle: the time of a delivery from its commit to its receiver, with only the hanging endpoint in the way.
  const sent = [];
  for (let round = 0; round < TRICKLE; round += 1) {
    const { id, headers } = swift[round % swift.length];
    sent.push((await post(`${server.url}/v1/webhooks/${id}/test`, headers, '{}')).deliveryId);
  }
  await until(() => sink.count('arrived') >= deliveries + TRICKLE, 60_000);
  const arrivals = await sink.arrivals();
  const rows = await stored.database.read((tables) =>
    tables.selectFrom('jobs').select(['id', 'created_at']).where('id', 'in', sent).execute(),
  );
  const waits = rows.map((row) => arrivals.get(row.id) - Number(row.created_at));
  print('webhook-latency-p50', percentile(waits, 0.5), 'ms');
  print('webhook-latency-p95', percentile(waits, 0.95), 'ms');
  print('webhook-latency-max', percentile(waits, 1), 'ms');
  print('hanging-attempts', sink.count('hung'), 'attempts');
  print('webhook-rss', (await server.figures()).rssBytes / 1024 / 1024, 'MiB');
  await stored.close();
  await server.stop();
  await sink.close();
}

/** The endpoints of each verified account. The first one hangs. */
async function openEndpoints(tools, { url }, { stored, sink }) {
  const accounts = [];
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const headers = await tools.openAccount(url, { ruc: `17${String(700_000 + number).padStart(8, '0')}001` });
    accounts.push({ ...headers, 'x-internal-service-secret': SECRET });
  }
  await stored.database.transaction((tables) => tables.updateTable('tenants').set({ status: 'ACTIVE' }).execute());
  // The server caches a key for up to half a second.
  await sleep(1_000);
  return Promise.all(
    accounts.map(async (headers, number) => {
      const { tenant_id: tenantId } = await stored.database.read((tables) =>
        tables
          .selectFrom('issuers')
          .select('tenant_id')
          .where('id', '=', headers['x-issuer-id'])
          .executeTakeFirstOrThrow(),
      );
      const opened = Array.from({ length: ENDPOINTS }, async (_, each) => {
        const path = number + each === 0 ? 'hang' : `${number}-${each}`;
        const body = JSON.stringify({ url: `http://127.0.0.1:${sink.port}/${path}` });
        const { endpoint } = await post(`${url}/v1/webhooks`, headers, body);
        return { id: endpoint.id, tenantId, headers };
      });
      return Promise.all(opened);
    }),
  );
}

/** Queues one message for those endpoints of one account in a transaction, as the server does. */
function queue({ database }, endpoints) {
  const now = new Date();
  const id = newId(now);
  const at = now.getTime();
  const notification = { id, type: 'DOCUMENT_AUTHORIZED', title: 'Bench', message: 'x'.repeat(600), metadata: null };
  const [{ tenantId: tenant_id }] = endpoints;
  const data = deflateSync(JSON.stringify(notification));
  const message = { id, tenant_id, notification_id: id, event_at: Math.floor(at / 1000), data };
  const jobs = endpoints.map((endpoint) => ({
    id: newId(now),
    tenant_id,
    kind: 'WEBHOOK',
    subject: notification.type,
    lane: endpoint.id,
    message_id: id,
    status: 'PENDING',
    due_at: at,
    created_at: at,
    attempt_count: 0,
    ready_at: at,
    lease_token: 0,
  }));
  return database.transaction(async (tables) => {
    await tables.insertInto('webhook_messages').values(message).execute();
    await tables.insertInto('jobs').values(jobs).execute();
  });
}

/** Waits until the condition is true. @throws if it is not within that time. */
async function until(holds, ms) {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (holds()) return;
    await sleep(5);
  }
  throw new Error(`It took longer than ${ms} ms.`);
}

async function rate(count, work) {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1000);
}

/** The same requests without a database: the same receiver and concurrency, one connection each. */
async function rawPosts(sink, count) {
  const body = Buffer.from(JSON.stringify({ event: 'TEST', data: { message: 'x'.repeat(700) } }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), connection: 'close' };
  const target = { host: '127.0.0.1', port: sink.port, path: '/raw', method: 'POST', headers, agent: false };
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await new Promise((resolve, reject) => {
        const sent = request(target);
        sent.on('error', reject).on('response', (answer) => answer.resume().on('close', resolve));
        sent.end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: PLACES }, client));
  if (sink.count('raw') !== count) throw new Error(`${sink.count('raw')} of ${count} raw posts arrived.`);
}
