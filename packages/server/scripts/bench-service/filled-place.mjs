// A place with an account that has a great many documents, made once for all parts of a run that need it.

import { addAuthorized, openStored, readSample } from './stored-documents.mjs';
import { invoiceBody } from './tools.mjs';

/** Documents an issuer has. */
export const STORED = Number(process.env.BENCH_STORED ?? 1_000_000);

const places = new WeakMap();

/** @returns `{ place, account }`: the headers of the account's requests. */
export async function openFilledPlace(tools, database) {
  const known = places.get(tools) ?? new Map();
  places.set(tools, known);
  if (!known.has(database)) known.set(database, await fill(tools, database));
  return known.get(database);
}

async function fill(tools, database) {
  const place = await tools.openPlace(database);
  const server = await tools.startServer(place);
  const account = await tools.openAccount(server.url);
  const response = await fetch(`${server.url}/v1/documents`, { method: 'POST', headers: account, body: invoiceBody() });
  if (!response.ok) throw new Error(`A document was refused: ${await response.text()}`);
  await server.stop();
  const stored = await openStored(place);
  const startedAt = performance.now();
  const sample = await readSample(stored, { issuerId: account['x-issuer-id'], environment: 'sandbox' });
  await addAuthorized(stored, sample, STORED, (line) => {
    if (process.env.BENCH_SAY) console.log(`# ${line}`);
  });
  await stored.close();
  console.log(`# ${database}: ${STORED} documents stored in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return { place, account };
}
