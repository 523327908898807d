import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, type DocumentType } from 'sri-core';
import { type ChildServer, startChildServer } from '../child-server.js';
import { bodiesByOrder, secondType } from '../type-bodies.js';
import { activeTenant, settingsOf, withDatabase } from './chaos-tenant.js';
import { startMover } from './counter-mover.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { expectIntactFiles } from './intact-files.js';
import { createSeededRandom } from './seeded-random.js';
import { type AcknowledgedDocument, createStubbornly, startCreators } from './stubborn-creators.js';

/** The clients of each type. */
const CLIENTS = 25;
const CLIENTS_OF_EVERY_TYPE = 20;

/** Kills the only server repeatedly, at random moments, while many clients create. */
export const killWhileCreating: Fault = killServers(1, twoTypes);

/** Kills one of two servers while the other continues. */
export const killOneOfTwoWhileCreating: Fault = killServers(2, twoTypes);

/** Kills the only server while an account issues every type at once. */
export const killWhileCreatingEveryType: Fault = {
  ...killServers(1, () => ({ types: DOCUMENT_TYPES, clients: CLIENTS_OF_EVERY_TYPE })),
  name: 'kill-while-creating-every-type',
  about: `kill -9 of the server at any moment, while ${CLIENTS_OF_EVERY_TYPE} clients of each document type create`,
  shortRuns: 2,
  longRuns: 50,
};

// --- internal ---

/** Documents between two kills in a short run. */
const DOCUMENTS_A_KILL = 60;

/** All documents of a long run, whatever the number of kills. */
const DOCUMENTS_OF_A_LONG_RUN = 100_000;
const LONG_FROM_RUNS = 100;

/** PostgreSQL checks its files only after this many kills: killed clients hardly endanger them. */
const KILLS_BETWEEN_LOOKS = 20;

/** The types to create, and the clients of each type. */
interface Load {
  readonly types: readonly DocumentType[];
  readonly clients: number;
}

/** Invoices and a second type. */
function twoTypes({ seed }: FaultContext): Load {
  return { types: [DEFAULT_DOCUMENT_TYPE, secondType(createSeededRandom(seed))], clients: CLIENTS };
}

function killServers(servers: 1 | 2, loadOf: (context: FaultContext) => Load): Fault {
  return {
    name: servers === 1 ? 'kill-while-creating' : 'kill-one-of-two-while-creating',
    about: `kill -9 of ${servers === 1 ? 'the server' : 'one of two servers'} at any moment, while ${CLIENTS} clients of each of two types create`,
    databases: ['sqlite', 'postgres'],
    shortRuns: 4,
    longRuns: 250,
    run: (context) => run(context, servers, loadOf(context)),
  };
}

async function run(context: FaultContext, servers: number, { types, clients }: Load): Promise<FaultCount> {
  const chance = createSeededRandom(context.seed);
  const settings = { ...settingsOf(context), QUOTA_ENFORCEMENT: 'off' };
  const children = await Promise.all(Array.from({ length: servers }, () => startChildServer({ settings })));
  const anyServer = (): ChildServer => chance.pick(children);
  const most = context.runs < LONG_FROM_RUNS ? DOCUMENTS_A_KILL : DOCUMENTS_OF_A_LONG_RUN / context.runs;
  let kills = 0;
  let looks = 0;
  const look = async () => {
    if (await expectIntactFiles(context)) looks += 1;
  };
  try {
    const tenant = await activeTenant(anyServer(), context);
    const bodyFor = bodiesByOrder(types);
    const creators = startCreators(clients * types.length, { tenant, pick: anyServer, bodyFor });
    const { acknowledged } = creators;
    const lastInvoice = () => acknowledged.findLast(({ documentType }) => documentType === DEFAULT_DOCUMENT_TYPE);
    const mover = startMover(tenant, anyServer, () => lastInvoice()?.sequential ?? 0);
    try {
      for (; kills < context.runs && context.hasTime(); kills += 1) {
        const enough = creators.documents + most / 2 + chance.below(most);
        await creators.until(() => creators.documents >= enough);
        await sleep(chance.below(15));
        const slot = chance.below(servers);
        await children[slot]?.kill();
        const isTimeToLook = kills % KILLS_BETWEEN_LOOKS === KILLS_BETWEEN_LOOKS - 1;
        if (context.database === 'sqlite' || isTimeToLook) await look();
        if (servers === 1 && context.runs < LONG_FROM_RUNS) await expectInvariants(context);
        children[slot] = await startChildServer({ settings });
        if (isTimeToLook)
          context.say(`${kills + 1} kills, ${creators.documents} documents, ${creators.lost} answers lost on the way`);
      }
      const isWhole = context.runs >= LONG_FROM_RUNS && kills === context.runs;
      const enough = Math.max(creators.documents + clients, isWhole ? DOCUMENTS_OF_A_LONG_RUN : 0);
      await creators.until(() => creators.documents >= enough && mover.done > 0);
    } finally {
      await Promise.allSettled([creators.stop(), mover.stop()]);
    }
    await creators.stop();
    // A repeated request returns the first document, and creates none.
    for (const { idempotencyKey, accessKey } of acknowledged.slice(-100)) {
      const again = await createStubbornly(idempotencyKey, bodyFor(0, idempotencyKey), { tenant, pick: anyServer });
      if (again.status !== 200 || again.accessKey !== accessKey) {
        throw new Error(`${idempotencyKey} gave another document.`);
      }
    }
    await Promise.all(children.map((child) => child.kill()));
    const count = await compare(context, acknowledged);
    const moves = `${mover.done} moves of the counter`;
    context.say(
      `${types.join(' ')}: ${acknowledged.length} answers of ${count.documents} documents, ${creators.lost} answers lost, ${moves}`,
    );
    await look();
    const issued = new Set(acknowledged.map(({ documentType }) => documentType));
    if (issued.size < types.length)
      throw new Error(`Of ${types.join(', ')}, only ${[...issued].join(', ')} were made.`);
    const detail = `${count.documents} documents, files intact ${looks} times`;
    return { runs: kills, lost: count.lost, duplicated: count.duplicated, stuck: 0, detail };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
}

/** Compares the clients' answers with the stored documents. The invariants check gaps and the like. */
function compare(
  context: FaultContext,
  acknowledged: readonly AcknowledgedDocument[],
): Promise<Pick<FaultCount, 'lost' | 'duplicated'> & { readonly documents: number }> {
  return withDatabase(context, async ({ database }) => {
    const rows = await database.read((tables) =>
      tables
        .selectFrom('sri_documents')
        .select(['idempotency_key', 'access_key', 'document_type', 'sequential'])
        .execute(),
    );
    const stored = new Map(rows.map((row) => [row.idempotency_key, row]));
    const orders = new Map(acknowledged.map((each) => [each.idempotencyKey, each]));
    const isThere = ({ idempotencyKey, accessKey, sequential }: AcknowledgedDocument) => {
      const row = stored.get(idempotencyKey);
      return row?.access_key === accessKey && row.sequential === sequential;
    };
    const numbers = new Set(rows.map(({ document_type, sequential }) => `${document_type} ${sequential}`));
    return {
      documents: rows.length,
      lost: acknowledged.filter((each) => !isThere(each)).length,
      // Every creator has all its answers by now, so each extra document is a duplicate.
      duplicated: rows.length - orders.size + (rows.length - numbers.size),
    };
  });
}
