// Measures a queue of one account against a slow SRI, from the server's start to the last authorization, with its memory
// every half second. Each document is two calls. The first question for an authorization comes a second after RECIBIDA, so
// the server first sends the whole queue and then asks.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { familyMs, parentOf } from './process-times.mjs';
import { startQuickSri } from './quick-sri.mjs';
import { startAgain } from './start-again.mjs';
import { countJobs, openStored, queueSigned } from './stored-documents.mjs';
import { invoiceBody } from './tools.mjs';

const COUNT = Number(process.env.BENCH_DOCUMENTS ?? 10_000);
const ANSWER_MS = Number(process.env.BENCH_ANSWER_MS ?? 1_000);
const CONCURRENCY = process.env.BENCH_CONCURRENCY ?? '500';
const GOAL_SECONDS = 60;
const LONGEST_MS = Number(process.env.BENCH_LONGEST_MS ?? 600_000);

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const { print } = tools;
  const sri = await startQuickSri({ latencyMs: ANSWER_MS });
  const place = await tools.openPlace(database);
  const settings = { SRI_MODE: 'live', SRI_SANDBOX_URL: sri.url, SRI_AUTH_FIRST_DELAY: '1s' };
  const creator = await tools.startServer(place, { settings });
  const account = await tools.openAccount(creator.url);
  const driver = await tools.startDriver();
  const requests = [{ path: '/v1/documents', headers: account, body: invoiceBody() }];
  await driver.drive({ url: creator.url, requests, connections: 32, count: COUNT });
  await driver.stop();
  await creator.stop();
  const stored = await openStored(place);
  const scope = { issuerId: account['x-issuer-id'], environment: 'sandbox' };
  const queued = await queueSigned(stored, scope);

  const server = await startAgain(tools, place, { settings: { ...settings, SRI_CONCURRENCY: CONCURRENCY } });
  await server.figures();
  const others = { sri: sri.pid, ...(database === 'postgres' && { postgres: await postmasterOf(stored) }) };
  const before = Object.entries(others).map(([name, pid]) => ({ name, pid, ms: pid && familyMs(pid) }));
  const startedAt = performance.now();
  const samples = [];
  let left = queued;
  await server.profiled(`drain-${database}`, async () => {
    while (left > 0 && performance.now() - startedAt < LONGEST_MS) {
      await sleep(samples.length < 5 ? 1_000 : 500);
      left = await countJobs(stored);
      const { rssBytes, mainUs, cpuUs, delayMaxMs } = await server.figures();
      samples.push({ at: performance.now() - startedAt, left, rssBytes, mainUs, cpuUs, delayMaxMs });
      if (process.env.BENCH_SAY && samples.length % 10 === 0)
        console.log(`# ${(samples.at(-1).at / 1000).toFixed(1)} s, ${left} left, ${Math.round(rssBytes / MIB)} MiB`);
    }
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const { total } = await stored.storage.listDocuments(scope, { status: 'AUTHORIZED', page: 1, limit: 1 });
  const sum = (field) => samples.reduce((all, sample) => all + sample[field], 0);
  const name = `${database}-drain-${queued}-at-${ANSWER_MS}ms`;
  print(name, seconds, 's', { atMost: GOAL_SECONDS });
  print(`${name}-authorized`, total, 'documents', { atLeast: queued });
  print(`${name}-calls-at-a-time`, await sri.most(), 'calls', { atMost: Number(CONCURRENCY) });
  print(`${name}-main-thread`, sum('mainUs') / queued / 1000, 'ms/document');
  print(`${name}-all-threads`, sum('cpuUs') / queued / 1000, 'ms/document');
  for (const { name: other, pid, ms } of before) {
    if (ms !== null) print(`${name}-${other}-process`, (familyMs(pid) - ms) / queued, 'ms/document');
  }
  print(`${name}-rss-peak`, Math.max(...samples.map(({ rssBytes }) => rssBytes)) / MIB, 'MiB', { atMost: 400 });
  // Sending and asking use different amounts of memory, so each is compared with itself.
  const phases = {
    sending: samples.filter((sample) => sample.left === queued),
    asking: samples.filter((sample) => sample.left < queued && sample.left > queued / 20),
  };
  for (const [phase, during] of Object.entries(phases)) {
    const quarter = Math.ceil(during.length / 4);
    const [early, late] = [mean(during.slice(quarter, 2 * quarter)), mean(during.slice(-quarter))];
    print(`${name}-rss-while-${phase}-early`, early, 'MiB');
    print(`${name}-rss-while-${phase}-late`, late, 'MiB');
    print(`${name}-rss-while-${phase}-late/early`, late / early, 'ratio', { atMost: 1.2 });
  }
  await server.stop();
  await stored.close();
  await sri.stop();
}

/** The process above those that serve PostgreSQL's connections; null where the system does not report it. */
async function postmasterOf({ database }) {
  const { rows } = await database.read((tables) => sql`select pg_backend_pid() as pid`.execute(tables));
  return parentOf(rows[0].pid);
}

const MIB = 1024 * 1024;

function mean(samples) {
  return samples.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / Math.max(1, samples.length) / MIB;
}
