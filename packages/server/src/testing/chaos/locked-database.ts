import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { startChildServer } from '../child-server.js';
import { createDocument, postJson, type ShownDocument, SIMPLE_INVOICE } from '../test-tenant.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';

/** Another program locks the SQLite file for ten seconds. */
export const lockedDatabase: Fault = {
  name: 'locked-database',
  about: 'another writer holds the SQLite file for 10 s: 503 with Retry-After after 5 s, and no number lost',
  databases: ['sqlite'],
  shortRuns: 1,
  longRuns: 5,
  run,
};

// --- internal ---

const HELD_MS = 10_000;

/** The promised time, with a margin for a busy machine. */
const WAITS_MS = { least: 4_500, most: 9_000 } as const;

async function run(context: FaultContext): Promise<FaultCount> {
  const server = await startChildServer({ settings: settingsOf(context) });
  let [lost, duplicated, stuck] = [0, 0, 0];
  try {
    const tenant = await activeTenant(server, context);
    let number = Number((await createDocument(server, tenant)).sequential);
    for (let index = 0; index < context.runs; index += 1) {
      const other = new BetterSqlite(context.databaseUrl.slice('file:'.length));
      other.exec('begin exclusive');
      const lockedAt = performance.now();
      const refused = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
      const waitedMs = performance.now() - lockedAt;
      const isAnnounced = refused.status === 503 && Number(refused.headers.get('retry-after')) > 0;
      if (!isAnnounced || waitedMs < WAITS_MS.least || waitedMs > WAITS_MS.most) {
        context.say(`it answered ${refused.status} after ${waitedMs.toFixed(0)} ms`);
        stuck += 1;
      }
      const read = await server.request('/v1/documents?limit=1', { headers: tenant.headers });
      const { pagination } = (await read.json()) as { pagination?: { total: number } };
      if (read.status !== 200 || pagination?.total !== number) lost += 1;
      await sleep(Math.max(0, HELD_MS - (performance.now() - lockedAt)));
      other.exec('commit');
      other.close();
      const next: ShownDocument = await createDocument(server, tenant);
      if (Number(next.sequential) !== number + 1) duplicated += 1;
      number = Number(next.sequential);
      await expectInvariants(context);
    }
    return { runs: context.runs, lost, duplicated, stuck };
  } finally {
    await server.kill();
  }
}
