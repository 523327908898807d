// Measures how much one caller can slow down the others. 200 connections send the costliest request of each route in
// turn, while another account creates documents and monitoring polls the server. It covers every route of the server;
// `BENCH_ROUTES=ride,xml` selects the routes whose name contains one of these words.

import { setTimeout as sleep } from 'node:timers/promises';
import { startQuickSri } from './quick-sri.mjs';
import { costliestRequests, withoutToken } from './starve-requests.mjs';
import { openStored } from './stored-documents.mjs';
import { invoiceBody } from './tools.mjs';
import '../../src/testing/typescript-hooks.ts';

const CONNECTIONS = 200;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const WANTED = process.env.BENCH_ROUTES?.split(',') ?? [''];
/** Requests of other callers per second, of each kind. */
const PER_SECOND = 20;
/** A separate address, so that limits by address do not affect other callers on this machine. */
const STRANGER = '127.0.0.2';
const NOTICES = Number(process.env.BENCH_NOTICES ?? 5_000);
const SECRET = 'un secreto de la aplicacion web de 32 bytes';
const GOALS = { create: 300, healthz: 250, readyz: 250, loop: 100 };

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  // Answers each call after half a second.
  const sri = await startQuickSri({ latencyMs: 500 });
  const place = await tools.openPlace(database);
  const settings = {
    SRI_MODE: 'live',
    SRI_SANDBOX_URL: sri.url,
    INTERNAL_SERVICE_SECRET: SECRET,
    ADMIN_TOKENS: '',
    WEBHOOK_ALLOW_INSECURE: 'true',
  };
  const server = await tools.startServer(place, { settings });
  const account = await tools.openAccount(server.url);
  const other = await tools.openAccount(server.url, { ruc: '1760010001001' });
  const requests = costliestRequests({ account, secret: SECRET, ...(await fill(place, server.url, account)) });
  const { allRoutes } = await import('../../src/all-routes.ts');
  const urls = { baseUrl: server.url, docsUrl: `${server.url}/docs` };
  const worst = { create: 0, healthz: 0, readyz: 0, loop: 0 };
  const probes = await startProbes(tools, server.url, other);
  await probes.run();
  await server.figures();
  const calm = await probes.run();
  // The baseline without an attack.
  for (const [figure, ms] of Object.entries({ ...calm, loop: (await server.figures()).delayP99Ms })) {
    tools.print(`${database}-calm-${figure}-p99`, ms, 'ms');
  }
  for (const route of allRoutes({ urls, hasOperator: true })) {
    const name = `${route.method} ${route.path}`;
    const request = route.access === 'admin' ? withoutToken(route) : requests[name];
    if (!request) throw new Error(`${name} has no row in starve-requests.mjs.`);
    if (!WANTED.some((part) => name.includes(part))) continue;
    const attacker = await tools.startDriver();
    await server.figures();
    const attack = () =>
      attacker.drive({
        url: server.url,
        requests: [request],
        connections: CONNECTIONS,
        seconds: SECONDS,
        hostile: true,
        from: STRANGER,
      });
    const [{ done, perSecond, statuses }, told] = await server.profiled(name.replaceAll(/[ /:]+/g, '-'), () =>
      Promise.all([attack(), probes.run()]),
    );
    await attacker.stop();
    const { delayP99Ms, rssBytes } = await server.figures();
    const figures = { ...told, loop: delayP99Ms };
    const key = `${database} ${name}`.replaceAll(' ', '-');
    console.log(`# ${name}: ${done} answers, ${perSecond.toFixed(0)} a second: ${JSON.stringify(statuses)}`);
    for (const [figure, ms] of Object.entries(figures)) {
      worst[figure] = Math.max(worst[figure], ms);
      tools.print(`${key}-${figure}-p99`, ms, 'ms', { atMost: GOALS[figure] });
    }
    tools.print(`${key}-memory`, rssBytes / 2 ** 20, 'MiB');
  }
  for (const [figure, ms] of Object.entries(worst)) tools.print(`${database}-worst-${figure}-p99`, ms, 'ms');
  await probes.stop();
  await server.stop();
  await sri.stop();
}

/** The measured callers: an account that creates documents, and two health checks. */
async function startProbes(tools, url, headers) {
  const get = (path) => [{ method: 'GET', path }];
  const asked = {
    create: [{ path: '/v1/documents', headers, body: invoiceBody() }],
    healthz: get('/healthz'),
    readyz: get('/readyz'),
  };
  const drivers = {};
  for (const name of Object.keys(asked)) drivers[name] = await tools.startDriver();
  return {
    async run() {
      const told = Object.entries(asked).map(async ([name, requests]) => {
        const load = { url, requests, connections: 16, seconds: SECONDS, perSecond: PER_SECOND, hostile: true };
        const { p99, statuses } = await drivers[name].drive(load);
        // An unanswered request counts as the longest measurable time.
        const isServed = Object.keys(statuses).every((status) => status === '200' || status === '201');
        if (!isServed) console.log(`#   ${name} was answered ${JSON.stringify(statuses)}`);
        return [name, isServed && p99 !== undefined ? p99 : SECONDS * 1000];
      });
      return Object.fromEntries(await Promise.all(told));
    },
    stop: () => Promise.all(Object.values(drivers).map((driver) => driver.stop())),
  };
}

/** Fills an account: short and long documents, thousands of notices, an endpoint. */
async function fill(place, url, headers) {
  const ask = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const create = async (lines) => (await ask('POST', '/v1/documents', invoiceBody({ lines }))).document.accessKey;
  const long = await create(600);
  const short = await create(3);
  const pending = await create(3);
  for (let index = 0; index < 120; index += 1) await create(3);
  await ask('POST', `/v1/documents/${pending}/send`, '{}');
  const stored = await openStored(place);
  const notification = await addNotices(stored, headers['x-issuer-id'], short);
  await verify(stored, headers['x-issuer-id']);
  await stored.close();
  // The server caches a key for up to half a second.
  await sleep(1_000);
  const { endpoint } = await ask(
    'POST',
    '/v1/webhooks',
    JSON.stringify({ url: 'http://127.0.0.1:9/hook', eventTypes: ['DOCUMENT_AUTHORIZED'] }),
  );
  return { long, short, pending, webhook: endpoint.id, notification };
}

/** Verifies the account of an issuer. */
function verify({ database }, issuerId) {
  return database.transaction(async (tables) => {
    const owner = tables.selectFrom('issuers').select('tenant_id').where('id', '=', issuerId);
    await tables.updateTable('tenants').set({ status: 'ACTIVE' }).where('id', '=', owner).execute();
  });
}

/** Adds notices of the largest size, each with a hundred documents. @returns the id of one. */
async function addNotices({ database }, issuerId, accessKey) {
  const at = Date.now();
  const documents = Array.from({ length: 100 }, () => ({ accessKey, sequential: '000000001', total: '34.50' }));
  const metadata = JSON.stringify({ count: documents.length, documents });
  const idOf = (index) => `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
  await database.transaction(async (tables) => {
    const { tenant_id } = await tables
      .selectFrom('issuers')
      .select('tenant_id')
      .where('id', '=', issuerId)
      .executeTakeFirstOrThrow();
    for (let from = 0; from < NOTICES; from += 100) {
      const rows = Array.from({ length: Math.min(100, NOTICES - from) }, (_, index) => ({
        id: idOf(from + index),
        tenant_id,
        issuer_id: issuerId,
        environment: 'sandbox',
        type: 'DOCUMENT_AUTHORIZED',
        severity: 'INFO',
        title: 'Documentos autorizados',
        message: 'El SRI autorizó 100 documentos.',
        metadata,
        read_at: null,
        expires_at: null,
        created_at: at,
      }));
      await tables.insertInto('notifications').values(rows).execute();
    }
  });
  return idOf(0);
}
