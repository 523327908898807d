import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, startChildServer } from '../child-server.js';
import type { TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf, withDatabase } from './chaos-tenant.js';
import { startMover } from './counter-mover.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultCount, FaultPlace } from './fault.js';
import { expectIntactFiles } from './intact-files.js';
import { createSeededRandom } from './seeded-random.js';
import { type AcknowledgedDocument, createStubbornly, startCreators } from './stubborn-creators.js';

const CLIENTS = 50;

/** Kills the only server repeatedly, at random moments, while many clients create. */
export const killWhileCreating: Fault = killServers(1);

/** Kills one of two servers while the other continues. */
export const killOneOfTwoWhileCreating: Fault = killServers(2);

// --- internal ---

/** Documents between two kills in a short run. */
const DOCUMENTS_A_KILL = 60;

/** In a long one there are so many in all, however often it is killed. */
const DOCUMENTS_OF_A_LONG_RUN = 100_000;
const LONG_FROM_RUNS = 100;

/** After so many kills PostgreSQL looks at its files, which a kill of its clients is not near. */
const KILLS_BETWEEN_LOOKS = 20;

function killServers(servers: 1 | 2): Fault {
  return {
    name: servers === 1 ? 'kill-while-creating' : 'kill-one-of-two-while-creating',
    about: `kill -9 of ${servers === 1 ? 'the server' : 'one of two servers'} at any moment, while ${CLIENTS} clients create`,
    databases: ['sqlite', 'postgres'],
    shortRuns: 4,
    longRuns: 250,
    run: (place) => run(place, servers),
  };
}

async function run(place: FaultPlace, servers: number): Promise<FaultCount> {
  const chance = createSeededRandom(place.seed);
  const settings = { ...settingsOf(place), QUOTA_ENFORCEMENT: 'off' };
  const children = await Promise.all(Array.from({ length: servers }, () => startChildServer({ settings })));
  const anyServer = (): ChildServer => chance.pick(children);
  const most = place.runs < LONG_FROM_RUNS ? DOCUMENTS_A_KILL : DOCUMENTS_OF_A_LONG_RUN / place.runs;
  let kills = 0;
  let looks = 0;
  const look = async () => {
    if (await expectIntactFiles(place)) looks += 1;
  };
  try {
    const tenant = await activeTenant(anyServer(), place);
    const creators = startCreators(CLIENTS, tenant, anyServer);
    const { acknowledged } = creators;
    const mover = startMover(tenant, anyServer, () => acknowledged.at(-1)?.sequential ?? 0);
    try {
      for (; kills < place.runs && place.hasTime(); kills += 1) {
        const enough = creators.documents + most / 2 + chance.below(most);
        await creators.until(() => creators.documents >= enough);
        await sleep(chance.below(15));
        const slot = chance.below(servers);
        await children[slot]?.kill();
        const isTimeToLook = kills % KILLS_BETWEEN_LOOKS === KILLS_BETWEEN_LOOKS - 1;
        if (place.database === 'sqlite' || isTimeToLook) await look();
        if (servers === 1 && place.runs < LONG_FROM_RUNS) await expectInvariants(place);
        children[slot] = await startChildServer({ settings });
        if (isTimeToLook)
          place.say(`${kills + 1} kills, ${creators.documents} documents, ${creators.lost} answers lost on the way`);
      }
      const isWhole = place.runs >= LONG_FROM_RUNS && kills === place.runs;
      const enough = Math.max(creators.documents + CLIENTS, isWhole ? DOCUMENTS_OF_A_LONG_RUN : 0);
      await creators.until(() => creators.documents >= enough && mover.done > 0);
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
    await look();
    const detail = `${count.documents} documents, files intact ${looks} times`;
    return { runs: kills, lost: count.lost, duplicated: count.duplicated, stuck: 0, detail };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
}

/** Compares the clients' answers with the stored documents. The invariants check gaps and the like. */
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
      // Every creator has all its answers by now, so each extra document is a duplicate.
      duplicated: rows.length - orders.size + (rows.length - numbers.size),
    };
  });
}

/** A lost answer is returned again, and creates no document. */
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
