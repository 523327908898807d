// Compares creates of 32 clients over one issuer and over several, in turns. A service has many small issuers, whose
// documents share commits. Each account has one issuer.
import { invoiceBodies, median } from './tools.mjs';

const CLIENTS = 32;
const ISSUERS = (process.env.BENCH_ISSUERS ?? '8,200').split(',').map(Number);
const SHARE = 0.85;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const { print } = tools;
  const place = await tools.openPlace(database);
  const server = await tools.startServer(place);
  const driver = await tools.startDriver();
  const accounts = [];
  for (let number = 0; number < Math.max(...ISSUERS); number += 1) {
    const ruc = `17${String(600_000 + number).padStart(8, '0')}001`;
    accounts.push(await tools.openAccount(server.url, { ruc }));
  }
  const bodies = invoiceBodies();
  const loads = [1, ...ISSUERS].map((issuers) => ({
    issuers,
    rounds: [],
    requests: Array.from({ length: Math.max(bodies.length, issuers) }, (_, index) => ({
      path: '/v1/documents',
      headers: accounts[index % issuers],
      body: bodies[index % bodies.length],
    })),
  }));
  for (let round = 0; round <= tools.rounds; round += 1) {
    for (const { issuers, requests, rounds } of loads) {
      await server.figures();
      const created = await server.profiled(`issuers-${database}-${issuers}-${round}`, () =>
        driver.drive({ url: server.url, requests, connections: CLIENTS, seconds: SECONDS }),
      );
      const { mainUs } = await server.figures();
      // A fresh server runs code that the JIT has not compiled yet.
      if (round > 0) rounds.push({ ...created, mainUs: mainUs / created.done });
    }
  }
  const [one, ...others] = loads;
  const of = ({ rounds }, pick) => median(rounds.map(pick));
  for (const load of loads) {
    const name = `${database}-${load.issuers}-issuers`;
    const show = (figure, pick, unit) => print(`${name}-${figure}`, of(load, pick), unit);
    show('create', ({ perSecond }) => perSecond, 'documents/s');
    show('create-p50', ({ p50 }) => p50, 'ms');
    show('create-p99', ({ p99 }) => p99, 'ms');
    show('main-thread', ({ mainUs }) => mainUs, 'µs/create');
  }
  for (const load of others) {
    const shares = load.rounds.map(({ perSecond }, index) => perSecond / one.rounds[index].perSecond);
    print(`${database}-${load.issuers}-issuers/one`, median(shares), 'ratio', { atLeast: SHARE });
  }
  await driver.stop();
  await server.stop();
}
