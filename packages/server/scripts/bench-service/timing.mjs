// Checks that the time of an answer does not reveal which addresses have accounts: `POST /v1/recover` and
// `POST /v1/resend-verification` for known and unknown addresses. The medians of a route may differ by 20 ms.
//   npm run bench:service -- timing                   500 tries of each case
//   BENCH_TRIES=100 npm run bench:service -- timing   fewer
import { createTestP12 } from 'sri-core/testing';
import { startAgain } from './start-again.mjs';
import { percentile, post } from './tools.mjs';

const TRIES = Number(process.env.BENCH_TRIES ?? 500);
const ALLOWED_MS = 20;
const PASSWORD = 'bench';

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const place = await tools.openPlace(database);
  const validFrom = new Date(Date.now() - 7 * 86_400_000);
  const own = await createTestP12({ password: PASSWORD, validFrom });
  const another = await createTestP12({ password: PASSWORD, validFrom });
  const at = async (offset, work) => {
    // A short window limits the number of uses that the limit stores.
    const settings = { CLOCK_OFFSET: offset, ONBOARDING_RATE: '100000/1s' };
    const server = await startAgain(tools, place, { settings });
    await work(server.url);
    await server.stop();
  };
  const compared = (route, cases) => compare(tools, `${database}-${route}`, cases);
  // Two minutes ago, so that the mails of registration are old enough for another one.
  await at('-2m', async (url) => {
    for (let index = 0; index < TRIES; index += 1) {
      const ruc = `17${String(index).padStart(8, '0')}001`;
      await tools.openAccount(url, { ruc, email: known(index), p12: own });
    }
  });
  await at('0s', (url) =>
    compared('recover', {
      match: (index) => recover(url, known(index), own),
      'other-certificate': (index) => recover(url, known(index), another),
      unknown: (index) => recover(url, unknown(index), own),
    }),
  );
  await at('+5m', (url) =>
    compared('resend', {
      waiting: (index) => resend(url, known(index)),
      cooling: (index) => resend(url, known(index - 1)),
      unknown: (index) => resend(url, unknown(index)),
    }),
  );
}

function known(index) {
  return `known-${Math.max(0, index)}@example.com`;
}

function unknown(index) {
  return `unkno-${index}@example.com`;
}

/** Times every case as often, in an order that changes each round. */
async function compare(tools, route, cases) {
  const names = Object.keys(cases);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -20; round < TRIES; round += 1) {
    for (const name of shuffled(names)) {
      const began = performance.now();
      await cases[name](round);
      // The first rounds warm the process up.
      if (round >= 0) times.get(name).push(performance.now() - began);
    }
  }
  for (const [name, taken] of times) {
    tools.print(`${route}-${name}-p50`, percentile(taken, 0.5), 'ms');
    tools.print(`${route}-${name}-p95`, percentile(taken, 0.95), 'ms');
  }
  const medians = [...times.values()].map((taken) => percentile(taken, 0.5));
  tools.print(`${route}-spread-of-medians`, Math.max(...medians) - Math.min(...medians), 'ms', { atMost: ALLOWED_MS });
}

function shuffled(list) {
  return list
    .map((entry) => [Math.random(), entry])
    .toSorted(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

async function recover(url, email, p12) {
  const form = new FormData();
  form.set('cert', new Blob([p12]), 'a.p12');
  form.set('certPassword', PASSWORD);
  form.set('email', email);
  await post(`${url}/v1/recover`, {}, form);
}

async function resend(url, email) {
  const headers = { 'content-type': 'application/json' };
  await post(`${url}/v1/resend-verification`, headers, JSON.stringify({ email }));
}
