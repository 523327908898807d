import { createSimulator } from 'sri-core/simulator';
import { createTestClock } from 'sri-core/testing';
import type { WrittenMail } from '../../mail/mail-transport.js';
import type { WebhookAttempt } from '../../webhooks/webhook-sender.js';
import { TEST_BANK } from '../billing-suite.js';
import { TEST_NOW } from '../test-server.js';
import { openChaosAccount } from './chaos-account.js';
import { addEndpoint, takeAllForVerified } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import { type FailingStatements, type FaultMoment, failStatements } from './failing-statements.js';
import { type Fault, type FaultContext, type FaultCount, unharmed } from './fault.js';
import { openInProcessServer } from './in-process-server.js';
import { post, STATEMENT_FLOWS, type StatementFlow, SWEEP_SECRET, type SweptWorld, settle } from './statement-flows.js';

/** The connection to the database fails at each statement of each flow in turn. A run is one such failure. */
export const statements: Fault = {
  name: 'statements',
  about: 'the connection fails at each statement of each flow, before and after it, and the flow is repeated',
  databases: ['sqlite', 'postgres'],
  // The run discovers the statements of a flow, and fails each of them or every third one.
  shortRuns: 1,
  longRuns: 2,
  run,
};

// --- internal ---

const MOMENTS: readonly FaultMoment[] = ['before', 'after'];
/** The short form takes every third statement. */
const SHORT_STEP = 3;
/** A client retries at once, the scheduler after a lease. */
const MOST_ATTEMPTS = 8;

async function run(context: FaultContext): Promise<FaultCount> {
  const faults = failStatements();
  const outside = openOutside();
  const clock = createTestClock(TEST_NOW);
  const settings = {
    INTERNAL_SERVICE_SECRET: SWEEP_SECRET,
    QUOTA_ENFORCEMENT: 'off',
    SANDBOX_MAILS_PER_DAY: '1000000',
    ONBOARDING_RATE: '100000/1h',
    BANK_TRANSFER: JSON.stringify(TEST_BANK),
  };
  const { handle: transport } = createSimulator({ clock, capacity: 1_000_000 });
  const server = await openInProcessServer(context, { ...outside.parts, clock, transport, settings });
  try {
    let number = 1;
    const world: SweptWorld = {
      server,
      account: await openChaosAccount(server),
      outside: outside.mood,
      acknowledged: new Map(),
      next: () => {
        number += 1;
        return number;
      },
    };
    await server.services.database.transaction(takeAllForVerified);
    await addEndpoint(server, world.account, 'https://receptor.example.com/');
    const count = { ...unharmed(0) };
    let found = 0;
    for (const flow of STATEMENT_FLOWS) {
      if (!context.hasTime()) break;
      const swept = await sweep(flow, world, faults, context);
      found += swept.statements;
      const harm = await judge(world, outside.seen, context);
      context.say(`${flow.name}: ${swept.statements} statements, ${swept.cases} cases`);
      Object.assign(count, {
        runs: count.runs + swept.cases,
        lost: count.lost + harm.lost,
        duplicated: count.duplicated + harm.duplicated,
        stuck: count.stuck + swept.stuck + harm.stuck,
      });
    }
    return { ...count, detail: `${STATEMENT_FLOWS.length} flows, ${found} statements, ${count.runs} cases` };
  } finally {
    faults.remove();
    await server.close();
  }
}

/** Fails a flow at every one of its statements. */
async function sweep(flow: StatementFlow, world: SweptWorld, faults: FailingStatements, context: FaultContext) {
  const step = context.isLong ? 1 : SHORT_STEP;
  let [cases, stuck, statements] = [0, 0, 0];
  for (const moment of MOMENTS) {
    // The seed selects the first of every three statements.
    for (let number = 1 + (context.seed % step); ; number += step) {
      const { act, isDone } = await flow.prepare(world);
      faults.arm(number, moment);
      await act().catch(() => {});
      const wasMet = faults.disarm();
      let done = await isDone();
      for (let attempt = 0; !done && attempt < MOST_ATTEMPTS; attempt += 1) {
        if (attempt > 1) await world.server.clock.advance(61_000);
        await act().catch(() => {});
        done = await isDone();
      }
      if (!done) {
        stuck += 1;
        context.say(`${flow.name}, ${moment} statement ${number}: not done`);
      }
      // The flow has no such statement.
      if (!wasMet) break;
      statements = Math.max(statements, number);
      cases += 1;
    }
  }
  return { cases, stuck, statements };
}

/** Finishes the running work, and compares the acknowledged documents with the stored ones and with all arrivals. */
async function judge(world: SweptWorld, seen: Seen, context: FaultContext): Promise<Omit<FaultCount, 'runs'>> {
  const read = () =>
    world.server.services.database.read((tables) =>
      tables
        .selectFrom('sri_documents')
        .select(['id', 'idempotency_key', 'access_key', 'document_type', 'sequential', 'status', 'issuer_id'])
        .execute(),
    );
  for (const { access_key, status } of await read()) {
    if (status === 'SIGNED') await post(world, `/v1/documents/${access_key}/send`);
  }
  const isSettled = await settle(world);
  const rows = await read();
  const orders = new Map(rows.map((row) => [row.idempotency_key, row]));
  const numbersOf = Map.groupBy(rows, ({ document_type }) => document_type);
  const done = await world.server.services.database.read((tables) =>
    tables
      .selectFrom('jobs')
      .select(['id', 'lane', 'subject', 'status'])
      .where('status', 'not in', ['PENDING', 'FAILED'])
      .where('kind', 'in', ['MAIL', 'WEBHOOK'])
      .execute(),
  );
  // A newer verification link ends the earlier one, whose mail is skipped.
  const links = Map.groupBy(
    done.filter(({ subject }) => subject === 'VERIFICATION'),
    ({ lane }) => lane,
  );
  const isReplaced = ({ id, lane, status }: (typeof done)[number]) =>
    status === 'SKIPPED' && links.get(lane)?.some((newer) => newer.id > id);
  const failed = await world.server.services.database.read((tables) =>
    tables.selectFrom('jobs').select(['id', 'kind']).where('status', '=', 'FAILED').execute(),
  );
  const skipped = [...numbersOf.values()].filter((each) => {
    const numbers = each.map(({ sequential }) => sequential).toSorted((a, b) => a - b);
    return numbers.some((number, index) => number !== index + 1);
  });
  const wrong = {
    'acknowledged and not there': [...world.acknowledged].filter(
      ([order, { sequential }]) => orders.get(order)?.sequential !== sequential,
    ).length,
    'counters with a gap or a number twice': skipped.length,
    'done and never sent': done.filter((each) => !seen.ids.has(each.id) && !isReplaced(each)).length,
    'orders made twice': rows.length - orders.size,
    'delivered under two ids': [...seen.deliveries.values()].filter((ids) => ids.size > 1).length,
    'mailed under two ids': [...seen.mails.values()].filter((ids) => ids.size > 1).length,
    'not settled': (isSettled ? 0 : 1) + rows.filter(({ status }) => !ENDS.has(status)).length + failed.length,
  };
  for (const [what, number] of Object.entries(wrong)) if (number > 0) context.say(`${what}: ${number}`);
  await expectInvariants(context);
  return {
    lost:
      wrong['acknowledged and not there'] +
      wrong['counters with a gap or a number twice'] +
      wrong['done and never sent'],
    duplicated: wrong['orders made twice'] + wrong['delivered under two ids'] + wrong['mailed under two ids'],
    stuck: wrong['not settled'],
  };
}

const ENDS: ReadonlySet<string> = new Set(['AUTHORIZED', 'VOIDED']);

/** The mails and deliveries that arrived, each with its ids. */
interface Seen {
  /** Ids by notification and count. */
  readonly deliveries: Map<string, Set<string>>;
  /** Ids by recipient, subject and files. */
  readonly mails: Map<string, Set<string>>;
  /** The ids of both. */
  readonly ids: Set<string>;
}

/** A mail server and a receiver of webhooks, both of which can refuse. */
function openOutside() {
  const mood = { takesMails: true, takesDeliveries: true };
  const seen: Seen = { deliveries: new Map(), mails: new Map(), ids: new Set() };
  const note = (map: Map<string, Set<string>>, what: string, id: string) =>
    map.set(what, (map.get(what) ?? new Set()).add(id));
  return {
    mood,
    seen,
    parts: {
      mail: {
        async send({ id, to, subject, attachments = [] }: WrittenMail) {
          if (!mood.takesMails) throw new Error('The mail server refuses.');
          seen.ids.add(id);
          const files = attachments.map(({ filename }) => filename).join();
          if (files) note(seen.mails, `${to} ${subject} ${files}`, id);
        },
        close() {},
      },
      webhookSender: {
        async send({ body }: WebhookAttempt) {
          if (!mood.takesDeliveries) return { acknowledged: false, status: 503, fault: null } as const;
          const { deliveryId, data } = JSON.parse(body) as {
            deliveryId: string;
            data: { id: string; metadata: { count?: number } | null };
          };
          seen.ids.add(deliveryId);
          note(seen.deliveries, `${data.id} ${data.metadata?.count ?? 1}`, deliveryId);
          return { acknowledged: true, status: 200, fault: null } as const;
        },
      },
    },
  };
}
