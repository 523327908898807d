import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChildServer } from '../child-server.js';
import { openSharedSri } from '../shared-sri.js';
import { openChaosAccount } from './chaos-account.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultContext, type FaultCount, unharmed } from './fault.js';
import { openPgbouncer } from './pgbouncer.js';
import { judgeMade, replicaSettings, startReplicaClients } from './replica-clients.js';
import { createSeededRandom } from './seeded-random.js';
import { type StandbyPair, startStandbyPair, type WayToPair } from './standby-pair.js';

/** The machine of PostgreSQL is lost under load, and its synchronous standby takes over. A run is one loss. */
export const failover: Fault = {
  name: 'failover',
  about: 'PostgreSQL is killed while three servers create, and its synchronous standby is promoted',
  databases: ['postgres'],
  shortRuns: 1,
  longRuns: 20,
  run: (context) => run(context, openHosts),
};

/** The same through PgBouncer, in which each transaction has another session. */
export const failoverBehindPgbouncer: Fault = {
  ...failover,
  name: 'failover-behind-pgbouncer',
  about: 'the same behind PgBouncer in transaction mode, which is then led to the promoted standby',
  run: (context) => run(context, openPgbouncer),
};

// --- internal ---

const SERVERS = 3;
const LEASE_MS = 2_000;
/** The delay before the operator, or a program, promotes the standby. */
const UNNOTICED_MS = 1_000;
const CREATES_WITHIN_MS = 10_000;

async function run(context: FaultContext, openWay: (pair: StandbyPair) => Promise<WayToPair>): Promise<FaultCount> {
  const random = createSeededRandom(context.seed);
  const count = { ...unharmed(0) };
  const waits: number[] = [];
  let documents = 0;
  for (let runs = 0; runs < context.runs && context.hasTime(); runs += 1) {
    const once = await loseOne({ ...context, dataDirectory: join(context.dataDirectory, `${runs}`) }, openWay, {
      documentsBefore: 20 + random.below(60),
      pauseMs: random.below(30),
    });
    documents += once.documents;
    waits.push(once.waitMs);
    context.say(
      `${once.documents} documents, ${once.repeated} requests repeated, creates again after ${once.waitMs} ms`,
    );
    Object.assign(count, {
      runs: runs + 1,
      lost: count.lost + once.lost,
      duplicated: count.duplicated + once.duplicated,
      stuck: count.stuck + once.stuck + (once.waitMs > CREATES_WITHIN_MS ? 1 : 0),
    });
  }
  const longest = `${(Math.max(...waits) / 1000).toFixed(1)} s`;
  return { ...count, detail: `${documents} documents, creates again at most ${longest} after the promotion` };
}

/** One pair, one load, one loss. */
async function loseOne(
  context: FaultContext,
  openWay: (pair: StandbyPair) => Promise<WayToPair>,
  { documentsBefore, pauseMs }: { readonly documentsBefore: number; readonly pauseMs: number },
) {
  const pair = await startStandbyPair();
  const sri = await openSharedSri(SERVERS);
  const closing: (() => Promise<void>)[] = [pair.remove, async () => sri.close()];
  try {
    const way = await openWay(pair);
    closing.unshift(way.remove);
    const here = { ...context, databaseUrl: way.address };
    const settings = replicaSettings(here, LEASE_MS);
    const start = (number: number) => startChildServer({ settings: { ...settings, ...sri.settings(number) } });
    const servers = await Promise.all(Array.from({ length: SERVERS }, (_, number) => start(number)));
    closing.unshift(...servers.map((server) => () => server.kill()));
    const [first] = servers;
    if (!first) throw new Error('No server was started.');
    const clients = startReplicaClients(servers, await openChaosAccount(first));
    await clients.until(documentsBefore);
    await sleep(pauseMs);
    pair.losePrimary();
    const made = clients.made.length;
    await sleep(UNNOTICED_MS);
    await pair.promote();
    await way.follow();
    const promotedAt = performance.now();
    // More than one per client, so that some documents were surely requested after the loss.
    await clients.until(made + 30);
    const answered = await clients.stop();
    const firstAfter = Math.min(...answered.map(({ madeAt }) => madeAt).filter((at) => at > promotedAt));
    const harm = await judgeMade({ settings, sri, made: answered, say: context.say });
    await Promise.all(servers.map((server) => server.kill()));
    await expectInvariants(here);
    const waitMs = Math.round(firstAfter - promotedAt);
    return { ...harm, documents: answered.length, repeated: clients.repeated, waitMs };
  } finally {
    for (const close of closing) await close();
  }
}

/** The address names both hosts, so the servers switch by themselves. */
async function openHosts({ hosts }: StandbyPair): Promise<WayToPair> {
  return { address: `postgres://postgres@${hosts.join()}/postgres`, async follow() {}, async remove() {} };
}
