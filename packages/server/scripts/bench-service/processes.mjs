// Measures documents created over HTTP by 64 clients over several issuers on one PostgreSQL, with one server process
// and with two. A signature costs nothing here, so the database and its locks dominate. Each round measures both.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invoiceBodies, median } from './tools.mjs';

const CLIENTS = 64;
const ISSUERS = Number(process.env.BENCH_ISSUERS ?? 8);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const WARM_UP_SECONDS = Math.min(12, SECONDS);
const FAKE_SIGNER = fileURLToPath(new URL('fake-signer.mjs', import.meta.url));

export async function run(tools) {
  // A SQLite file has one writer, and `--workers` is refused there.
  if (!tools.databases.includes('postgres')) return;
  const place = await tools.openPlace('postgres');
  const second = await mkdtemp(join(tmpdir(), 'sri-service-'));
  const options = {
    settings: { MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` },
    preload: [FAKE_SIGNER],
  };
  const servers = [
    await tools.startServer(place, options),
    await tools.startServer({ ...place, dataDirectory: second }, options),
  ];
  const drivers = [await tools.startDriver(), await tools.startDriver()];
  const accounts = [];
  for (let issuer = 0; issuer < ISSUERS; issuer += 1) {
    accounts.push(await tools.openAccount(servers[0].url, { ruc: `17600${10_001 + issuer}001` }));
  }
  const requests = invoiceBodies().map((body, index) => ({
    path: '/v1/documents',
    headers: accounts[index % ISSUERS],
    body,
  }));

  /** Both drivers create every load, so that their own processor share is constant. @returns documents per second */
  async function create(count, seconds) {
    const made = await Promise.all(
      drivers.map((driver, index) =>
        driver.drive({ url: servers[index % count].url, requests, connections: CLIENTS / 2, seconds }),
      ),
    );
    return made.reduce((sum, { perSecond }) => sum + perSecond, 0);
  }

  for (const count of [1, 2]) await create(count, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 0; round < tools.rounds; round += 1) {
    const one = await create(1, SECONDS);
    rounds.push({ one, two: await create(2, SECONDS) });
  }
  const of = (pick) => median(rounds.map(pick));
  tools.print(
    'postgres-create-unsigned-one-process',
    of(({ one }) => one),
    'documents/s',
  );
  tools.print(
    'postgres-create-unsigned-two-processes',
    of(({ two }) => two),
    'documents/s',
    { atLeast: 5_000 },
  );
  tools.print(
    'postgres-create-unsigned-two/one',
    of(({ one, two }) => two / one),
    'ratio',
    { atLeast: 1 },
  );
  for (const driver of drivers) await driver.stop();
  for (const server of servers) await server.stop();
  await rm(second, { recursive: true, force: true });
}
