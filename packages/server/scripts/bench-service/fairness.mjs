// One account has thousands of queued documents; ten thousand others each have one that waits for its next question.
// Measures how much later than on an idle server a single document of another account reaches the SRI.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startQuickSri } from './quick-sri.mjs';
import { startAgain } from './start-again.mjs';
import { likeSample, newJob, openStored, queueSigned, readSample } from './stored-documents.mjs';
import { invoiceBody, median } from './tools.mjs';

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const QUEUED = Number(process.env.BENCH_QUEUED ?? 5_000);
const OTHERS = 8;
const ANSWER_MS = 500;
const GOAL_MS = 2_000;

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const sri = await startQuickSri({ latencyMs: ANSWER_MS });
  const place = await tools.openPlace(database);
  const settings = { SRI_MODE: 'live', SRI_SANDBOX_URL: sri.url, SRI_CONCURRENCY: '64', SRI_AUTH_FIRST_DELAY: '1s' };
  const creator = await tools.startServer(place, { settings });
  const busy = await tools.openAccount(creator.url);
  const others = [];
  for (let other = 0; other < OTHERS; other += 1) {
    const digits = String(10_001 + other);
    others.push(await tools.openAccount(creator.url, { ruc: `17600${digits}001` }));
  }
  const driver = await tools.startDriver();
  const requests = [{ path: '/v1/documents', headers: busy, body: invoiceBody() }];
  await driver.drive({ url: creator.url, requests, connections: 16, count: QUEUED });
  await driver.stop();

  // The baseline: no other account has work.
  const alone = [];
  for (const account of others) alone.push(await timeOfSending(creator.url, account));
  await creator.stop();

  const stored = await openStored(place);
  const scope = { issuerId: busy['x-issuer-id'], environment: 'sandbox' };
  await addAccounts(stored, scope);
  await queueSigned(stored, scope);
  const server = await startAgain(tools, place, { settings });
  await sleep(2_000);
  const beside = [];
  for (const account of others) beside.push(await timeOfSending(server.url, account));
  const { total } = await stored.storage.listDocuments(scope, { status: 'PENDING_SEND', page: 1, limit: 1 });
  tools.print(`${database}-still-queued-of-${QUEUED}`, total, 'documents', { atLeast: 1 });
  tools.print(`${database}-single-alone`, median(alone), 'ms');
  tools.print(`${database}-single-beside-${QUEUED}`, median(beside), 'ms');
  tools.print(`${database}-longest-delay-of-another`, Math.max(...beside) - median(alone), 'ms', { atMost: GOAL_MS });
  await server.stop();
  await stored.close();
  await sri.stop();
}

/** From the request to send a new document until it is RECEIVED. */
async function timeOfSending(url, headers) {
  const created = await fetch(`${url}/v1/documents`, { method: 'POST', headers, body: invoiceBody() });
  const { document } = await created.json();
  const path = `${url}/v1/documents/${document.accessKey}`;
  const startedAt = performance.now();
  const sent = await fetch(`${path}/send`, { method: 'POST', headers, body: '{}' });
  if (!sent.ok) throw new Error(`A document was not sent: ${await sent.text()}`);
  for (;;) {
    const { document: now } = await (await fetch(path, { headers })).json();
    if (now.status === 'RECEIVED' || now.status === 'AUTHORIZED') return performance.now() - startedAt;
    await sleep(25);
  }
}

/** Adds copies of the existing account, each with an issuer and a document whose next question is due in an hour. */
async function addAccounts(stored, scope) {
  const sample = await readSample(stored, scope);
  const at = new Date();
  const later = new Date(at.getTime() + 3_600_000);
  for (let start = 0; start < ACCOUNTS; start += 500) {
    const ids = Array.from({ length: Math.min(500, ACCOUNTS - start) }, () => ({
      tenant: randomUUID(),
      issuer: randomUUID(),
    }));
    await stored.database.transaction(async (tables) => {
      const issuer = await tables
        .selectFrom('issuers')
        .selectAll()
        .where('id', '=', scope.issuerId)
        .executeTakeFirstOrThrow();
      const tenant = await tables
        .selectFrom('tenants')
        .selectAll()
        .where('id', '=', issuer.tenant_id)
        .executeTakeFirstOrThrow();
      const ruc = (index) => `179${String(start + index).padStart(7, '0')}001`;
      const email = (index) => `a${start + index}@example.com`;
      await tables
        .insertInto('tenants')
        .values(
          ids.map((id, index) => ({
            ...tenant,
            id: id.tenant,
            ruc: ruc(index),
            email: email(index),
            email_key: email(index),
          })),
        )
        .execute();
      await tables
        .insertInto('issuers')
        .values(ids.map((id, index) => ({ ...issuer, id: id.issuer, tenant_id: id.tenant, ruc: ruc(index) })))
        .execute();
    });
    const outcomes = await Promise.all(
      ids.map((id, index) => {
        const job = { ...newJob('AUTHORIZE', later), running: false };
        const document = likeSample(sample, {
          sequential: 1,
          at,
          status: 'RECEIVED',
          job,
          issuer: id.issuer,
          code: start + index,
        });
        const { issuerId, environment, documentType } = document.document;
        return stored.storage.storeDocuments({
          counter: { issuerId, environment, documentType },
          firstSequential: 1,
          documents: [document],
        });
      }),
    );
    if (outcomes.some(({ kind }) => kind !== 'stored')) throw new Error('An account could not be added.');
  }
}
