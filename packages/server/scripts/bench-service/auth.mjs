// Measures the cost of the key check. Some requests fail after the check (no issuer), others before it (no key).
// Both run at the same time, and documents are created during the run. An active key is read from the database every
// half second and cached in between.
import { invoiceBodies, median } from './tools.mjs';

const ROUNDS = 3;
const SECONDS = 20;
const CREATES_PER_SECOND = 50;
const ASKED_PER_SECOND = 100;
const CONNECTIONS = 16;

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const place = await tools.openPlace(database);
  const server = await tools.startServer(place);
  const account = await tools.openAccount(server.url);
  const { authorization } = account;
  const bodies = invoiceBodies();
  const loads = {
    creating: {
      requests: bodies.map((body) => ({ path: '/v1/documents', headers: account, body })),
      perSecond: CREATES_PER_SECOND,
    },
    withKey: { requests: [refused({ authorization })], refusedWith: '400', perSecond: ASKED_PER_SECOND },
    without: { requests: [refused({})], refusedWith: '401', perSecond: ASKED_PER_SECOND },
  };
  const drivers = {};
  for (const name of Object.keys(loads)) drivers[name] = await tools.startDriver();
  const drive = async (seconds) => {
    const shared = { url: server.url, connections: CONNECTIONS, seconds };
    const done = Object.entries(loads).map(async ([name, load]) => [
      name,
      await drivers[name].drive({ ...shared, ...load }),
    ]);
    return Object.fromEntries(await Promise.all(done));
  };
  await drive(5);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await drive(SECONDS));
  for (const figure of ['p50', 'p99']) {
    const of = (name) => median(rounds.map((round) => round[name][figure]));
    const added = median(rounds.map(({ withKey, without }) => withKey[figure] - without[figure]));
    tools.print(`${database}-without-a-key-${figure}`, of('without'), 'ms');
    tools.print(`${database}-with-a-key-${figure}`, of('withKey'), 'ms');
    tools.print(`${database}-key-adds-${figure}`, added, 'ms', figure === 'p99' ? { atMost: 2 } : undefined);
  }
  for (const driver of Object.values(drivers)) await driver.stop();
  await server.stop();
}

function refused(headers) {
  return { method: 'GET', path: '/v1/documents', headers };
}
