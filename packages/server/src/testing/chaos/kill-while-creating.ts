import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ChildServer, startChildServer } from '../child-server.js';
import type { TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf, withDatabase } from './chaos-tenant.js';
import { startMover } from './counter-mover.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultCount, FaultPlace } from './fault.js';
import { createSeededRandom } from './seeded-random.js';
import { type AcknowledgedDocument, createStubbornly, startCreators } from './stubborn-creators.js';

const CLIENTS = 50;

/** The only server is killed again and again, at any moment, while many clients create. */
export const killWhileCreating: Fault = killServers(1);

/** One of two servers is, while the other goes on. */
export const killOneOfTwoWhileCreating: Fault = killServers(2);

// --- internal ---

/** Documents between two kills: of a long run so many that two hundred kills make a hundred thousand documents. */
const DOCUMENTS_A_KILL = { short: 60, long: 500 } as const;
const LONG_FROM_RUNS = 100;

function killServers(servers: 1 | 2): Fault {
  return {
    name: servers === 1 ? 'kill-while-creating' : 'kill-one-of-two-while-creating',
    about: `kill -9 of ${servers === 1 ? 'the server' : 'one of two servers'} at any moment, while ${CLIENTS} clients create`,
    databases: ['sqlite', 'postgres'],
    shortRuns: 4,
    longRuns: 200,
    run: (place) => run(place, servers),
  };
}

async function run(place: FaultPlace, servers: number): Promise<FaultCount> {
  const chance = createSeededRandom(place.seed);
  const settings = { ...settingsOf(place), QUOTA_ENFORCEMENT: 'off' };
  const children = await Promise.all(Array.from({ length: servers }, () => startChildServer({ settings })));
  const anyServer = (): ChildServer => chance.pick(children);
  const most = place.runs < LONG_FROM_RUNS ? DOCUMENTS_A_KILL.short : DOCUMENTS_A_KILL.long;
  try {
    const tenant = await activeTenant(anyServer(), place);
    const creators = startCreators(CLIENTS, tenant, anyServer);
    const { acknowledged } = creators;
    const mover = startMover(tenant, anyServer, () => acknowledged.at(-1)?.sequential ?? 0);
    try {
      for (let kill = 0; kill < place.runs; kill += 1) {
        const enough = acknowledged.length + most / 2 + chance.below(most);
        await creators.until(() => acknowledged.length >= enough);
        await sleep(chance.below(15));
        const slot = chance.below(servers);
        await children[slot]?.kill();
        if (servers === 1) await expectIntegrity(place);
        children[slot] = await startChildServer({ settings });
        if (kill % 20 === 19)
          place.say(`${kill + 1} kills, ${acknowledged.length} answers, ${creators.lost} lost on the way`);
      }
      const enough = acknowledged.length + CLIENTS;
      await creators.until(() => acknowledged.length >= enough && mover.done > 0);
    } finally {
      await Promise.allSettled([creators.stop(), mover.stop()]);
    }
    await creators.stop();
    await expectSameAgain(acknowledged.slice(-100), tenant, anyServer);
    await Promise.all(children.map((child) => child.kill()));
    const count = await compare(place, acknowledged);
    const moves = `${mover.done} moves of the counter`;
    place.say(
      `${acknowledged.length} answers of ${count.documents} documents, ${creators.lost} answers lost, ${moves}`,
    );
    await expectIntegrity(place);
    return { runs: place.runs, lost: count.lost, duplicated: count.duplicated, stuck: 0 };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
}

/** What clients were told, against what is stored. Gaps and the like are for the invariants. */
function compare(
  place: FaultPlace,
  acknowledged: readonly AcknowledgedDocument[],
): Promise<Pick<FaultCount, 'lost' | 'duplicated'> & { readonly documents: number }> {
  return withDatabase(place, async ({ database }) => {
    const rows = await database.read((tables) =>
      tables.selectFrom('sri_documents').select(['idempotency_key', 'access_key', 'sequential']).execute(),
    );
    const stored = new Map(rows.map((row) => [row.idempotency_key, row]));
    const orders = new Map(acknowledged.map((each) => [each.idempotencyKey, each]));
    const isThere = ({ idempotencyKey, accessKey, sequential }: AcknowledgedDocument) => {
      const row = stored.get(idempotencyKey);
      return row?.access_key === accessKey && row.sequential === sequential;
    };
    const numbers = new Set(rows.map(({ sequential }) => sequential));
    return {
      documents: rows.length,
      lost: acknowledged.filter((each) => !isThere(each)).length,
      // Every creator has been told of all it asked for by now, so that what is more was made twice.
      duplicated: rows.length - orders.size + (rows.length - numbers.size),
    };
  });
}

/** An answer that was lost is told again, and nothing is made by that. */
async function expectSameAgain(
  acknowledged: readonly AcknowledgedDocument[],
  tenant: TestTenant,
  pick: () => ChildServer,
): Promise<void> {
  for (const { idempotencyKey, accessKey } of acknowledged) {
    const again = await createStubbornly(idempotencyKey, tenant, pick);
    if (again.status !== 200 || again.accessKey !== accessKey)
      throw new Error(`${idempotencyKey} gave another document.`);
  }
}

/** SQLite's own check of the file. PostgreSQL has none that a client may ask for. */
async function expectIntegrity(place: FaultPlace): Promise<void> {
  if (place.database !== 'sqlite') return;
  const rows = await withDatabase(place, ({ database }) =>
    database.read(async (tables) => (await sql`pragma integrity_check`.execute(tables)).rows),
  );
  if (JSON.stringify(rows) !== '[{"integrity_check":"ok"}]') throw new Error('The file is damaged.');
  if (place.runs < LONG_FROM_RUNS) await expectInvariants(place);
}
