// A place with an account that has a great many documents, filled once for all parts of a run. BENCH_PLACE names a
// folder that keeps it for later runs.
import { addAuthorized, openBareStorage } from './authorized-lives.mjs';
import { ISSUERS, invoice, openIssuers, shareOf } from './business.mjs';
import { openStored, readSamples } from './stored-documents.mjs';
import { post } from './tools.mjs';

/** The number of documents, three quarters of them from the first issuer. */
export const STORED = Number(process.env.BENCH_STORED ?? 1_000_000);

const SAMPLES_OF_THE_FIRST = 100;
const SAMPLES_OF_OTHERS = 5;

const places = new WeakMap();

/** @returns `{ place, account }`: the headers of the requests of the account with the most documents. */
export async function openFilledPlace(tools, database) {
  const known = places.get(tools) ?? new Map();
  places.set(tools, known);
  if (!known.has(database)) known.set(database, await openKept(tools, database));
  return known.get(database);
}

async function openKept(tools, database) {
  const folder = process.env.BENCH_PLACE;
  if (!folder) return fillPlace(tools, await tools.openPlace(database), STORED);
  const { place, remembered, remember } = await tools.openKeptPlace(database, folder, STORED);
  const accounts = remembered ?? (await openAccounts(tools, place));
  if (!remembered) await remember(accounts);
  return fill(place, accounts, STORED);
}

/** Fills an empty place. */
export async function fillPlace(tools, place, count) {
  return fill(place, await openAccounts(tools, place), count);
}

/** Opens accounts, each with documents made over HTTP as samples of the others. @returns their request headers. */
async function openAccounts(tools, place) {
  const server = await tools.startServer(place);
  const accounts = await openIssuers(tools, server.url, ISSUERS);
  for (const [index, headers] of accounts.entries()) {
    for (let made = 0; made < samplesOf(index); made += 1) {
      await post(`${server.url}/v1/documents`, headers, JSON.stringify(invoice(STORED)));
    }
  }
  await server.stop();
  return accounts;
}

/** Adds the missing documents: all, or the rest after an interrupted run. */
async function fill(place, accounts, count) {
  const stored = await openStored(place);
  const issuers = [];
  for (const [index, headers] of accounts.entries()) {
    issuers.push({
      ...(await readSamples(stored, headers['x-issuer-id'], samplesOf(index))),
      share: shareOf(index, accounts.length),
    });
  }
  await stored.close();
  const bare = await openBareStorage(place);
  const startedAt = performance.now();
  await addAuthorized(bare, issuers, count, (line) => {
    if (process.env.BENCH_SAY) console.log(`# ${line}`);
  });
  await bare.close();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`# ${place.database}: ${count} documents stored in ${seconds.toFixed(0)} s`);
  return { place, account: accounts[0] };
}

function samplesOf(index) {
  return index === 0 ? SAMPLES_OF_THE_FIRST : SAMPLES_OF_OTHERS;
}
