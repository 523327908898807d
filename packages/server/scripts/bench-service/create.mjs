// Measures documents created over HTTP by 32 clients of one account, with one server process and every commit on disk.
// It also measures one create at half that load. The raw limit is measured before and after each round.
import { flushTimes, watchNeighbours } from './machine-state.mjs';
import { invoiceBodies, median } from './tools.mjs';

const CLIENTS = 32;
const GOALS = { sqlite: 0.6, postgres: 0.55 };
/** The goals for the worst round, on a machine with busy neighbours. */
const WORST_GOALS = { sqlite: 0.5, postgres: 0.45 };
/** A fresh server runs code that the JIT has not compiled yet. */
const WARM_UP_SECONDS = 12;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const { print } = tools;
  const place = await tools.openPlace(database);
  const server = await tools.startServer(place);
  const driver = await tools.startDriver();
  const account = await tools.openAccount(server.url);
  const requests = invoiceBodies().map((body) => ({ path: '/v1/documents', headers: account, body }));
  const load = { url: server.url, requests, connections: CLIENTS };
  await driver.drive({ ...load, seconds: WARM_UP_SECONDS });

  const rounds = [];
  let before = await tools.rawSignatures();
  for (let round = 0; round < tools.rounds; round += 1) {
    await server.figures();
    const flushes = flushTimes(place.dataDirectory);
    const stolen = watchNeighbours();
    const created = await server.profiled(`create-${database}-${round + 1}`, () =>
      driver.drive({ ...load, seconds: SECONDS }),
    );
    const figures = await server.figures();
    const after = await tools.rawSignatures();
    const perCpuSecond = (before.perCpuSecond + after.perCpuSecond) / 2;
    rounds.push({
      raw: (before.perSecond + after.perSecond) / 2,
      perCpuSecond,
      created,
      figures,
      flushes,
      stolen: stolen(),
    });
    before = after;
  }
  const of = (pick) => median(rounds.map(pick));
  const show = (name, pick, unit, goal) => print(`${database}-${name}`, of(pick), unit, goal);
  const rate = of(({ created }) => created.perSecond);
  show('raw-rsa', ({ raw }) => raw, 'signatures/s');
  print(`${database}-create`, rate, 'documents/s');
  show('create/raw-rsa', ({ created, raw }) => created.perSecond / raw, 'ratio', { atLeast: GOALS[database] });
  const shares = rounds.map(({ created, raw }) => created.perSecond / raw);
  print(`${database}-create/raw-rsa-worst`, Math.min(...shares), 'ratio', { atLeast: WORST_GOALS[database] });
  // Other influences on the ratio. The processor's speed affects both sides; these do not.
  const raws = rounds.map(({ raw }) => raw);
  print(`${database}-raw-rsa-worst/best`, Math.min(...raws) / Math.max(...raws), 'ratio');
  show('flush-p50', ({ flushes }) => flushes.p50, 'ms');
  print(`${database}-flush-p99-worst`, Math.max(...rounds.map(({ flushes }) => flushes.p99)), 'ms');
  if (rounds[0].stolen !== null) {
    print(`${database}-taken-by-neighbours-worst`, Math.max(...rounds.map(({ stolen }) => stolen)) * 100, '% of time');
  }
  show('create-p50', ({ created }) => created.p50, 'ms');
  show('create-p99', ({ created }) => created.p99, 'ms');
  show('server-main-thread', ({ created, figures }) => figures.mainUs / created.done, 'µs/create');
  show('server-all-threads', ({ created, figures }) => figures.cpuUs / created.done, 'µs/create');
  // Processor time in units of one signature, which is about the same on a busy machine.
  const inSignatures = ({ created, figures, perCpuSecond }) => (figures.mainUs / created.done / 1e6) * perCpuSecond;
  print(`${database}-server-main-thread-per-create`, of(inSignatures), 'signatures', { atMost: 1 / GOALS[database] });
  show('server-loop-use', ({ figures }) => figures.loopUse, 'ratio');
  show('driver', ({ created }) => created.cpuUs / created.done, 'µs/create');
  print(`${database}-rss-under-load`, Math.max(...rounds.map(({ figures }) => figures.rssBytes)) / MIB, 'MiB', {
    atMost: 400,
  });
  show('loop-delay-p99-at-full-load', ({ figures }) => figures.delayP99Ms, 'ms');

  await server.figures();
  const half = await driver.drive({ ...load, perSecond: rate / 2, seconds: SECONDS });
  const { delayP99Ms, delayMaxMs } = await server.figures();
  print(`${database}-half-load`, half.perSecond, 'documents/s');
  print(`${database}-half-load-p50`, half.p50, 'ms');
  print(`${database}-half-load-p99`, half.p99, 'ms', { atMost: 150 });
  print(`${database}-half-load-loop-delay-p99`, delayP99Ms, 'ms', { atMost: 50 });
  print(`${database}-half-load-loop-delay-max`, delayMaxMs, 'ms');
  await driver.stop();
  await server.stop();
}

const MIB = 1024 * 1024;
