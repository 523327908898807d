// Creates and sends documents at a steady rate while a fast SRI authorizes them, and prints the server's memory every
// minute. It pauses in the middle and at the end and collects the heap: the difference is what documents leave behind.
// It runs only when named, since BENCH_SOAK_MINUTES sets its length.
//   BENCH_SOAK_MINUTES=40 npm run bench:service -- soak --database sqlite
import { setTimeout as sleep } from 'node:timers/promises';
import { startQuickSri } from './quick-sri.mjs';
import { countJobs, openStored } from './stored-documents.mjs';
import { invoiceBodies, median } from './tools.mjs';

const MINUTES = Number(process.env.BENCH_SOAK_MINUTES ?? 10);
const RATES = { sqlite: 100, postgres: 150 };
const ANSWER_MS = Number(process.env.BENCH_ANSWER_MS ?? 50);
const CONNECTIONS = 32;
/** A call occupies a place until its commit. On PostgreSQL 32 places did not keep up with the rate. */
const PLACES = '64';
const SAMPLE_MS = 10_000;
/** Time for queued documents to be authorized after the last create. */
const REST_MS = 60_000;
/** Time for short-lived caches of keys, issuers and code to expire. */
const FORGET_MS = 20_000;
/** Less than the smallest leak per document: an access key of 49 digits in a list. */
const LEFT_BYTES = 40;
const MIB = 1024 * 1024;

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const perSecond = Number(process.env.BENCH_SOAK_RATE ?? RATES[database]);
  const sri = await startQuickSri({ latencyMs: ANSWER_MS });
  const place = await tools.openPlace(database);
  const settings = {
    SRI_MODE: 'live',
    SRI_SANDBOX_URL: sri.url,
    SRI_AUTH_FIRST_DELAY: '1s',
    SRI_CONCURRENCY: process.env.BENCH_CONCURRENCY ?? PLACES,
  };
  const server = await tools.startServer(place, { settings });
  const account = await tools.openAccount(server.url);
  const stored = await openStored(place);
  const driver = await tools.startDriver();
  const requests = invoiceBodies().map((body) => ({ path: '/v1/documents', headers: account, body }));
  const load = {
    url: server.url,
    requests,
    follow: { path: '/v1/documents/:accessKey/send', headers: account, body: '{}' },
    connections: CONNECTIONS,
    perSecond,
    seconds: MINUTES * 30,
  };
  const halves = [];
  for (const half of ['first', 'last']) {
    await server.figures();
    halves.push(
      await server.profiled(`soak-${database}-${half}`, async () => {
        const watched = watch(server);
        const done = await driver.drive(load);
        return { done, backlog: await countJobs(stored), ...(await watched.stop()) };
      }),
    );
    const restedAt = performance.now();
    while ((await countJobs(stored)) > 0 && performance.now() - restedAt < REST_MS) await sleep(500);
    await server.collected();
    await sleep(FORGET_MS);
    halves.at(-1).kept = await server.collected();
  }
  await driver.stop();
  const [first, last] = halves;
  const created = first.done.done + last.done.done;
  const minutes = halves.flatMap((half) => half.minutes);
  const scope = { issuerId: account['x-issuer-id'], environment: 'sandbox' };
  const { total } = await stored.storage.listDocuments(scope, { status: 'AUTHORIZED', page: 1, limit: 1 });

  const print = (figure, value, unit, goal) => tools.print(`${database}-soak-${figure}`, value, unit, goal);
  print('created', created, 'documents', { atLeast: Math.floor(0.99 * MINUTES * 60 * perSecond) });
  print('authorized', total, 'documents', { atLeast: created });
  print('create-p50', Math.max(first.done.p50, last.done.p50), 'ms');
  print('create-p99', Math.max(first.done.p99, last.done.p99), 'ms', { atMost: 150 });
  const delays = minutes.map(({ delayP99Ms }) => delayP99Ms);
  print('loop-delay-p99-of-the-middle-minute', median(delays), 'ms', { atMost: 50 });
  print('loop-delay-p99-of-the-worst-minute', Math.max(...delays), 'ms');
  print('all-threads', minutes.reduce((sum, { cpuUs }) => sum + cpuUs, 0) / created / 1000, 'ms/document');
  // Work in flight after the last create: two answers, and the second before the authorization request.
  print('backlog', last.backlog, 'documents', { atMost: 5 * perSecond });
  print('rss-peak', Math.max(...halves.flatMap(({ rss }) => rss.map(({ mib }) => mib))), 'MiB', { atMost: 400 });
  print('rss-growth-in-the-last-half', growth(last.rss) * 100, '%', { atMost: 5 });
  print('heap-after-collection', last.kept.heapBytes / MIB, 'MiB');
  const left = last.kept.heapBytes - first.kept.heapBytes;
  print('heap-left-by-the-last-half', left / last.done.done, 'bytes/document', { atMost: LEFT_BYTES });
  await server.stop();
  await stored.close();
  await sri.stop();
}

/** Memory every ten seconds, and a line every minute. */
function watch(server) {
  const over = new AbortController();
  const startedAt = performance.now();
  const rss = [];
  const minutes = [];
  const samples = [];

  function endMinute() {
    if (samples.length === 0) return;
    const sum = (field) => samples.reduce((all, sample) => all + sample[field], 0);
    const most = (field) => Math.max(...samples.map((sample) => sample[field]));
    const minute = { delayP99Ms: median(samples.map(({ delayP99Ms }) => delayP99Ms)), cpuUs: sum('cpuUs') };
    const mib = (field) => Math.round(sum(field) / samples.length / MIB);
    minutes.push(minute);
    console.log(
      `# ${minutes.length} min: RSS ${mib('rssBytes')} MiB (most ${Math.round(most('rssBytes') / MIB)}), heap ${mib('heapBytes')}, ` +
        `outside of it ${mib('externalBytes')}, loop delay p99 ${minute.delayP99Ms.toFixed(1)} ms, most ${most('delayMaxMs').toFixed(0)} ms`,
    );
    samples.length = 0;
  }

  async function sample() {
    while (!over.signal.aborted) {
      await sleep(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => {});
      const figures = await server.figures();
      samples.push(figures);
      rss.push({ at: performance.now() - startedAt, mib: figures.rssBytes / MIB });
      if (samples.length === 6) endMinute();
    }
    endMinute();
  }
  const sampling = sample();

  return {
    async stop() {
      over.abort();
      await sampling;
      return { minutes, rss };
    },
  };
}

/** The growth of a figure from the first sample to the last, by linear regression. */
function growth(samples) {
  const mean = (pick) => samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const at = mean((sample) => sample.at);
  const mib = mean((sample) => sample.mib);
  const spread = mean((sample) => (sample.at - at) ** 2);
  if (spread === 0) return 0;
  const slope = mean((sample) => (sample.at - at) * (sample.mib - mib)) / spread;
  const duration = samples.at(-1).at - samples[0].at;
  return (slope * duration) / (mib - (slope * duration) / 2);
}
