import { createEngine } from '../engine.js';
import { createSimulator } from '../simulator.js';
import type { Scope, Storage } from '../storage.js';
import { invoiceBody, START, testSigner } from './engine-bench.js';
import { createTestClock } from './test-clock.js';

/** The inputs of an outage drill. */
export interface OutageDrill {
  /** Storages on the same data, one per process. */
  readonly storages: readonly Storage[];
  readonly issuers: number;
  readonly documents: number;
  readonly outageMs: number;
  readonly concurrency: number;
}

/** The result of the drill. */
export interface OutageOutcome {
  /** Documents by status and job state, such as `AUTHORIZED`. */
  readonly ends: Readonly<Record<string, number>>;
  /** The most attempts that a document had used when the SRI returned. */
  readonly mostSpent: number;
  /** Documents given up during the outage. */
  readonly failed: number;
  /** Calls during the outage, after the first round in which every document was tried. */
  readonly probes: number;
  /** The most concurrent calls of all processes after the SRI's return. */
  readonly mostAtOnce: number;
  /** The most authorizations of one document at the SRI. */
  readonly mostAuthorizations: number;
  /** From the SRI's return to the last authorization. */
  readonly drainedMs: number;
  /** The shared state of the processes: during the outage, and at the end. */
  readonly heldMeanwhile: readonly string[];
  readonly limitInTheEnd: number | null;
}

/** Runs several processes on one storage through an outage of the SRI, on a simulated clock. */
export async function drillOutage(drill: OutageDrill): Promise<OutageOutcome> {
  const { storages, concurrency, outageMs } = drill;
  const clock = createTestClock(START);
  const simulator = createSimulator({ clock, capacity: 100_000 });
  const calls = { underWay: 0, most: 0, made: 0 };
  let isAway = true;
  const signer = await testSigner();
  const issuers = Array.from({ length: drill.issuers }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    ruc: '1760013210001',
    businessName: 'Café & Cultura Ñandú Cía. Ltda.',
    mainAddress: 'Quito',
    branchCode: '001',
    issuePointCode: String(index + 1).padStart(3, '0'),
    requiredAccounting: true,
    signer,
  }));
  const engines = storages.map((storage) =>
    createEngine({
      storage,
      issuers,
      clock,
      schedule: { concurrency },
      async transport(request) {
        calls.underWay += 1;
        calls.made += 1;
        calls.most = Math.max(calls.most, calls.underWay);
        try {
          // Other processes get their turn during a call.
          await new Promise((resolve) => setImmediate(resolve));
          return isAway ? new Response('away', { status: 503 }) : await simulator.handle(request);
        } finally {
          calls.underWay -= 1;
        }
      },
    }),
  );
  const [first] = engines;
  const [storage] = storages;
  if (!first || !storage) throw new Error('A drill needs a process.');
  const scopes = issuers.map(({ id }): Scope => ({ issuerId: id, environment: 'sandbox' }));
  const keys: { readonly scope: Scope; readonly accessKey: string }[] = [];
  for (let index = 0; index < drill.documents; index += scopes.length) {
    const created = await Promise.all(
      scopes.slice(0, drill.documents - index).map(async (scope) => {
        const { document } = await first.create(scope, invoiceBody());
        await first.send(scope, document.accessKey);
        return { scope, accessKey: document.accessKey };
      }),
    );
    keys.push(...created);
  }
  const tick = () => Promise.all(engines.map((engine) => engine.tick()));
  const standings = () => Promise.all(keys.map(({ scope, accessKey }) => first.get(scope, accessKey)));

  await tick();
  const tried = calls.made;
  for (let passed = 0; passed < outageMs; passed += STEP_MS) {
    await clock.advance(STEP_MS);
    await tick();
  }
  const probes = calls.made - tried;
  const held = (await first.sriStanding()).flatMap((host) => host.held.map(({ operation }) => operation));
  const waiting = await standings();
  calls.most = 0;
  isAway = false;
  const back = clock.now().getTime();
  while ((await storage.nextDueAt()) && clock.now().getTime() - back < 24 * 3_600_000) {
    await clock.advance(RETURN_STEP_MS);
    await tick();
  }
  const drainedMs = clock.now().getTime() - back;
  const documents = await standings();
  await clock.advance(SETTLED_AFTER_MS);
  await tick();
  const judged = simulator.journal.filter(({ outcome }) => outcome === 'AUTORIZADO').map(({ accessKey }) => accessKey);
  const times = Map.groupBy(judged, (accessKey) => accessKey);
  const ends = Object.groupBy(documents, ({ status, job }) => (job ? `${status} ${job.status}` : status));
  return {
    ends: Object.fromEntries(Object.entries(ends).map(([end, those]) => [end, those?.length ?? 0])),
    mostSpent: Math.max(...waiting.map(({ job }) => job?.attemptCount ?? 0)),
    failed: waiting.filter(({ job }) => job?.status === 'FAILED').length,
    probes,
    mostAtOnce: calls.most,
    mostAuthorizations: Math.max(...Array.from(times.values(), (those) => those.length)),
    drainedMs,
    heldMeanwhile: held,
    limitInTheEnd: (await first.sriStanding()).find(({ environment }) => environment === 'sandbox')?.limit ?? null,
  };
}

// --- internal ---

const STEP_MS = 60_000;
const RETURN_STEP_MS = 2_000;
/** Deferred work returns within this time, and then the state is normal again. */
const SETTLED_AFTER_MS = 10 * 60_000;
