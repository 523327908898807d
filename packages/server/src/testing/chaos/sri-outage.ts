import type { Transport } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createTestClock, type TestClock } from 'sri-core/testing';
import { TEST_NOW, type TestServer } from '../test-server.js';
import { createDocument } from '../test-tenant.js';
import { type ChaosAccount, chaosInvoice, openChaosAccount } from './chaos-account.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { openInProcessServer, whileTimeMoves } from './in-process-server.js';

/** The SRI is down for two hours and returns. A run is one document. */
export const sriOutage: Fault = {
  name: 'sri-outage',
  about: 'two hours without the SRI: one attempt spent at most, nothing given up, drained in good order by itself',
  databases: ['sqlite', 'postgres'],
  shortRuns: 40,
  longRuns: 1_000,
  run,
};

// --- internal ---

const CONCURRENCY = 8;
const OUTAGE_MS = 2 * 3_600_000;
const STEP_MS = 60_000;
/** Postponed work runs within seven minutes. */
const BACK_STEP_MS = 5_000;
const BACK_STEPS = 180;

/** An SRI that can be down. It counts its concurrent calls. */
interface AwaySri {
  readonly transport: Transport;
  isAway: boolean;
  readonly mostAtOnce: number;
  /** Calls without an answer. */
  readonly inVain: number;
}

async function run(context: FaultContext): Promise<FaultCount> {
  const clock = createTestClock(TEST_NOW);
  const simulator = createSimulator({ clock, capacity: 1_000_000 });
  const sri = createAwaySri(simulator.handle, clock);
  const settings = { SRI_CONCURRENCY: String(CONCURRENCY), MAIL_TO_BUYERS: 'off' };
  const server = await openInProcessServer(context, { clock, transport: sri.transport, settings });
  try {
    const account = await openChaosAccount(server);
    const accessKeys: string[] = [];
    for (let number = 0; number < context.runs; number += 1) accessKeys.push(await createAndSend(server, account));

    sri.isAway = true;
    const until = clock.now().getTime() + OUTAGE_MS;
    while (clock.now().getTime() < until) {
      await whileTimeMoves(clock, server.services.engine.tick());
      await clock.advance(STEP_MS);
    }
    const afterOutage = await standing(server, account, accessKeys);
    const wronged = afterOutage.filter(({ job }) => job?.status === 'FAILED' || (job?.attemptCount ?? 0) > 1);
    const inVain = sri.inVain;

    sri.isAway = false;
    for (let step = 0; step < BACK_STEPS; step += 1) {
      await whileTimeMoves(clock, server.services.engine.tick());
      await clock.advance(BACK_STEP_MS);
    }
    const authorized = (await standing(server, account, accessKeys)).filter(({ status }) => status === 'AUTHORIZED');
    const received = simulator.journal.filter(({ operation }) => operation === 'reception');
    const keysOnce = new Set(received.map(({ accessKey }) => accessKey));
    context.say(
      `${wronged.length} given up or with more than one attempt spent, ${inVain} calls without an answer, ` +
        `${authorized.length} authorized, at most ${sri.mostAtOnce} calls at a time`,
    );
    const isHerd = sri.mostAtOnce > CONCURRENCY;
    return {
      runs: context.runs,
      lost: wronged.length,
      duplicated: received.length - keysOnce.size + (isHerd ? 1 : 0),
      stuck: context.runs - authorized.length,
    };
  } finally {
    await server.close();
  }
}

function createAwaySri(sri: Transport, clock: TestClock): AwaySri {
  let atOnce = 0;
  let mostAtOnce = 0;
  let inVain = 0;
  const away: AwaySri = {
    isAway: false,
    get mostAtOnce() {
      return mostAtOnce;
    },
    get inVain() {
      return inVain;
    },
    async transport(request) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      try {
        await clock.sleep(200, request.signal);
        if (!away.isAway) return await sri(request);
        inVain += 1;
        throw Object.assign(new Error('made up'), { code: 'ECONNREFUSED' });
      } finally {
        atOnce -= 1;
      }
    },
  };
  return away;
}

async function createAndSend(server: TestServer, account: ChaosAccount): Promise<string> {
  const { headers } = account;
  const { accessKey } = await createDocument(server, account, chaosInvoice());
  await server.request(`/v1/documents/${accessKey}/send`, { method: 'POST', headers, body: '{}' });
  return accessKey;
}

function standing({ services }: TestServer, { issuerId }: ChaosAccount, accessKeys: readonly string[]) {
  return Promise.all(accessKeys.map((key) => services.engine.get({ issuerId, environment: 'sandbox' }, key)));
}
