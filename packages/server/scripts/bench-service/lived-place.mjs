// A place whose documents were created over HTTP, sent, authorized and mailed. It is the reference for a filled place,
// since only the server knows what it stores.
import { setTimeout as sleep } from 'node:timers/promises';
import { ISSUERS, idempotencyKey, invoice, openIssuers, pickIssuer } from './business.mjs';
import { startQuickSri } from './quick-sri.mjs';
import { startSink } from './smtp-sink.mjs';
import { openStored } from './stored-documents.mjs';
import { post } from './tools.mjs';

const CLIENTS = 16;

/** Creates `count` documents and waits until all their work is done. @returns the place, its server stopped. */
export async function openLivedPlace(tools, database, count) {
  const sri = await startQuickSri({ latencyMs: 20 });
  const sink = await startSink();
  const place = await tools.openPlace(database);
  const settings = {
    SRI_MODE: 'live',
    SRI_SANDBOX_URL: sri.url,
    SRI_CONCURRENCY: '64',
    SRI_AUTH_FIRST_DELAY: '1s',
    SMTP_URL: sink.url,
    MAIL_FROM: 'bench@example.com',
    MAIL_TO_BUYERS: 'on',
    SANDBOX_MAILS_PER_DAY: '1000000',
  };
  const server = await tools.startServer(place, { settings });
  const accounts = await openIssuers(tools, server.url, ISSUERS);
  // Buyers get mails once the address of the account is verified.
  const verifying = await openStored(place);
  await verifying.database.transaction((tables) => tables.updateTable('tenants').set({ status: 'ACTIVE' }).execute());
  await verifying.close();
  let begun = 0;
  const client = async () => {
    while (begun < count) {
      begun += 1;
      const headers = accounts[pickIssuer(ISSUERS)];
      const once = { ...headers, 'idempotency-key': idempotencyKey() };
      const { document } = await post(`${server.url}/v1/documents`, once, JSON.stringify(invoice(count)));
      await post(`${server.url}/v1/documents/${document.accessKey}/send`, headers, '{}');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const stored = await openStored(place);
  for (let left = count; left > 0; left = await countWaiting(stored)) {
    if (process.env.BENCH_SAY) console.log(`# ${left} wait`);
    await sleep(2_000);
  }
  await stored.close();
  await server.stop();
  await sri.stop();
  await sink.stop();
  return place;
}

// --- internal ---

/** Counts the SRI jobs and the unsent mails. */
function countWaiting({ database }) {
  return database.read(async (tables) => {
    const jobs = await tables
      .selectFrom('sri_jobs')
      .select(({ fn }) => fn.countAll().as('rows'))
      .executeTakeFirstOrThrow();
    const mails = await tables
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll().as('rows'))
      .where('kind', '=', 'MAIL')
      .where('status', '=', 'PENDING')
      .executeTakeFirstOrThrow();
    return Number(jobs.rows) + Number(mails.rows);
  });
}
