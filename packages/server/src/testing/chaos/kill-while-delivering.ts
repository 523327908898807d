import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, startChildServer } from '../child-server.js';
import { type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { openReceiver } from '../webhook-receiver.js';
import { activeTenant, addEndpoint, settingsOf, withDatabase } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { expectedDeliveries, receivedDeliveries } from './received-deliveries.js';
import { createSeededRandom } from './seeded-random.js';

/** Kills the server repeatedly while documents are authorized and endpoints are notified. */
export const killWhileDelivering: Fault = {
  name: 'kill-while-delivering',
  about: 'kill -9 at any moment, while documents are authorized and three endpoints are notified of each',
  databases: ['sqlite', 'postgres'],
  shortRuns: 3,
  longRuns: 100,
  run,
};

// --- internal ---

const ENDPOINTS = 3;
const CLIENTS = 8;

/** A long run with a hundred kills makes ten thousand notifications. */
const DOCUMENTS_A_KILL = { short: 30, long: 100 } as const;
const LONG_FROM_RUNS = 100;
const SETTLE_MS = 180_000;

async function run(context: FaultContext): Promise<FaultCount> {
  const chance = createSeededRandom(context.seed);
  const settings = {
    ...settingsOf(context),
    LEASE_SECONDS: '1',
    QUOTA_ENFORCEMENT: 'off',
    SRI_AUTH_FIRST_DELAY: '10ms',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_TIMEOUT: '1s',
    WEBHOOK_DELAYS: '200ms,500ms,1s,2s',
  };
  const perKill = context.runs < LONG_FROM_RUNS ? DOCUMENTS_A_KILL.short : DOCUMENTS_A_KILL.long;
  const most = perKill * (context.runs + 1);
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => openReceiver()));
  let server = await startChildServer({ settings });
  try {
    const tenant = await activeTenant(server, context);
    const secrets: string[] = [];
    for (const { url } of receivers) secrets.push(await addEndpoint(server, tenant, url));
    let [wanted, sent, kills] = [0, 0, 0];
    const client = async () => {
      while (wanted < most && context.hasTime()) {
        wanted += 1;
        await submit(() => server, tenant, `order ${wanted}`);
        sent += 1;
      }
    };
    const killer = async () => {
      for (; kills < context.runs && context.hasTime(); kills += 1) {
        while (sent < perKill * (kills + 1) && context.hasTime()) await sleep(2);
        await sleep(chance.below(200));
        await server.kill();
        server = await startChildServer({ settings });
        if (kills % 20 === 19) context.say(`${kills + 1} kills, ${sent} documents sent`);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
    const stuck = await settle(context, wanted);
    const notifications = await withDatabase(context, ({ database }) =>
      database.read((tables) => tables.selectFrom('notifications').select(['id', 'metadata']).execute()),
    );
    const expected = new Set(expectedDeliveries(notifications));
    let [lost, duplicated] = [wanted - expected.size, 0];
    for (const [index, receiver] of receivers.entries()) {
      const delivered = receivedDeliveries(receiver, secrets[index] ?? '');
      lost += [...expected].filter((what) => !delivered.has(what)).length;
      duplicated += [...delivered].filter(([what, ids]) => ids.size > 1 || !expected.has(what)).length;
    }
    const attempts = receivers.reduce((sum, { seen }) => sum + seen.length, 0);
    context.say(
      `${wanted} documents, ${expected.size} rises notified to ${ENDPOINTS} endpoints in ${attempts} attempts`,
    );
    await expectInvariants(context);
    return { runs: kills, lost: Math.max(0, lost), duplicated: duplicated + Math.max(0, -lost), stuck };
  } finally {
    await server.kill();
    for (const receiver of receivers) receiver.close();
  }
}

/** Creates a document and sends it, however often the server dies. */
async function submit(current: () => ChildServer, tenant: TestTenant, order: string): Promise<void> {
  const headers = { ...tenant.headers, 'content-type': 'application/json' };
  const post = async (path: string, extra: Readonly<Record<string, string>>, body: unknown) => {
    const init = { method: 'POST', headers: { ...headers, ...extra }, body: JSON.stringify(body) };
    const response = await current().request(path, { ...init, signal: AbortSignal.timeout(20_000) });
    return { status: response.status, text: await response.text() };
  };
  let accessKey: string | null = null;
  for (;;) {
    try {
      if (accessKey === null) {
        const { status, text } = await post('/v1/documents', { 'idempotency-key': order }, SIMPLE_INVOICE);
        if (status >= 500) throw new Error(text);
        accessKey = (JSON.parse(text) as { document: ShownDocument }).document.accessKey;
      }
      // A 4xx means that an earlier request, whose answer was lost, was accepted.
      if ((await post(`/v1/documents/${accessKey}/send`, {}, {})).status < 500) return;
    } catch {
      await sleep(50);
    }
  }
}

/** Waits until everything is done. @returns the number of unfinished items after a long time. */
async function settle(context: FaultContext, wanted: number): Promise<number> {
  const giveUpAt = performance.now() + SETTLE_MS + wanted * 20;
  return withDatabase(context, async ({ database }) => {
    for (;;) {
      const left = await database.read(async (tables) => {
        const documents = tables.selectFrom('sri_documents').select('id').where('status', '!=', 'AUTHORIZED');
        const deliveries = tables
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', 'WEBHOOK')
          .where('status', '!=', 'DELIVERED');
        return [...(await documents.execute()), ...(await deliveries.execute())].length;
      });
      if (left === 0 || performance.now() > giveUpAt) return left;
      await sleep(100);
    }
  });
}
