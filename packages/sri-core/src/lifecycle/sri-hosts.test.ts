import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import { SriUnavailableError, StorageUnavailableError } from '../errors.js';
import { silentLogger } from '../logger.js';
import type { Storage } from '../storage.js';
import { type Bench, createBench, invoiceBody, SCOPE, START, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { drillOutage } from '../testing/outage-drill.js';
import { createTestClock, type TestClock } from '../testing/test-clock.js';
import { DEFAULT_SCHEDULE } from './schedule.js';
import { createSriHosts, type SriHosts } from './sri-hosts.js';

const MINUTE = 60_000;

/** Six documents sent to an SRI that is down, a second apart. */
async function heldBench(options: Parameters<typeof createBench>[0] = {}) {
  const sri = { isAway: true };
  const bench: Bench = await createBench({
    transport: async (request) => (sri.isAway ? new Response('', { status: 503 }) : bench.simulator.handle(request)),
    ...options,
  });
  const { engine, clock } = bench;
  const keys: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const { accessKey } = await sent({ engine }, invoiceBody());
    keys.push(accessKey);
    await engine.tick();
    await clock.advance(1_000);
  }
  return { ...bench, sri, keys };
}

describe('an SRI that fails for every document', () => {
  it('an SRI that fails for every document is one fault: calls are held and resumed, with one event each', async () => {
    const reported: unknown[] = [];
    const { engine, clock, sri, keys } = await heldBench();
    engine.on('sriRecovered', (event) => reported.push(event));
    const jobs = await Promise.all(keys.map(async (key) => (await engine.get(SCOPE, key)).job));
    expect(jobs.map((job) => job?.attemptCount)).toEqual([1, 1, 1, 1, 0, 0]);
    expect(jobs.every((job, index) => index === 5 || job?.lastError?.includes('503'))).toBe(true);
    const [standing] = await engine.sriStanding();
    expect(standing).toMatchObject({
      environment: 'sandbox',
      held: [{ operation: 'SEND', reason: expect.stringContaining('503'), since: expect.any(Date) }],
      limit: 8,
    });
    sri.isAway = false;
    for (
      let step = 0;
      step < 60 && (await engine.list(SCOPE, { status: 'AUTHORIZED', page: 1, limit: 1 })).total < 6;
      step += 1
    ) {
      await clock.advance(15_000);
      await engine.tick();
    }
    expect((await engine.list(SCOPE, { status: 'AUTHORIZED', page: 1, limit: 1 })).total).toBe(6);
    expect(reported).toEqual(
      expect.arrayContaining([expect.objectContaining({ environment: 'sandbox', operation: 'SEND' })]),
    );
    await clock.advance(10 * MINUTE);
    await engine.tick();
    expect(await engine.sriStanding()).toEqual([
      { environment: 'sandbox', held: [], limit: null },
      { environment: 'production', held: [], limit: null },
    ]);
  });

  it('the engine emits its event when it detects the failure', async () => {
    const reported: unknown[] = [];
    const bench = await createBench({ transport: async () => new Response('', { status: 503 }) });
    bench.engine.on('sriHeld', (event) => event.operation === 'SEND' && reported.push(event));
    for (let index = 0; index < 9; index += 1) {
      await sent(bench, invoiceBody());
      await bench.engine.tick();
      await bench.clock.advance(1_000);
    }
    // A failed probe changes the hold.
    await bench.clock.advance(20_000);
    await bench.engine.tick();
    expect(reported).toEqual([{ environment: 'sandbox', operation: 'SEND', reason: expect.stringContaining('503') }]);
  });

  it('a document keeps its five attempts when only that document fails', async () => {
    const { engine, clock } = await createBench({ transport: async () => new Response('', { status: 503 }) });
    const { accessKey } = await sent({ engine }, invoiceBody());
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await engine.tick();
      await clock.advance(5 * MINUTE);
    }
    expect((await engine.get(SCOPE, accessKey)).job).toMatchObject({ status: 'FAILED', attemptCount: 5 });
  });

  it('the engine holds queries on demand like scheduled ones, and lets one pass from time to time', async () => {
    const sri = { isAway: false, calls: 0 };
    const bench: Bench = await createBench({
      transport: async (request) => {
        sri.calls += 1;
        return sri.isAway ? new Response('', { status: 503 }) : bench.simulator.handle(request);
      },
    });
    const { engine, clock } = bench;
    const keys: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const { accessKey } = await sent({ engine }, invoiceBody());
      keys.push(accessKey);
    }
    await engine.tick();
    sri.isAway = true;
    for (const key of keys.slice(0, 5)) {
      expect((await engine.authorize(SCOPE, key)).response?.status).toBe('HTTP_503');
      await clock.advance(500);
    }
    sri.calls = 0;
    const [sixth = '', seventh = ''] = keys.slice(5);
    expect(await engine.authorize(SCOPE, sixth)).toMatchObject({ document: { status: 'RECEIVED' }, response: null });
    expect(sri.calls).toBe(0);
    await clock.advance(15_000);
    const asked = await Promise.all([engine.authorize(SCOPE, sixth), engine.authorize(SCOPE, seventh)]);
    expect([sri.calls, asked.map(({ response }) => response?.status)]).toEqual([1, ['HTTP_503', undefined]]);
    sri.isAway = false;
    await clock.advance(30_000);
    // Each query on demand gives its slot back: the limit after an outage is one.
    for (const key of keys) expect((await engine.authorize(SCOPE, key)).document.status).toBe('AUTHORIZED');
  });

  it('the engine probes with the next document when the first is not sent', async () => {
    let maySend = true;
    const { engine, clock, sri } = await heldBench({ maySend: async () => maySend });
    sri.isAway = false;
    maySend = false;
    await clock.advance(20_000);
    await engine.tick();
    maySend = true;
    const { accessKey } = await sent({ engine }, invoiceBody());
    await engine.tick();
    expect((await engine.get(SCOPE, accessKey)).status).toBe('RECEIVED');
  });

  it('the engine holds nothing while its state cannot be stored', async () => {
    const real = createMemoryStorage();
    const storage: Storage = { ...real, readHostState: () => Promise.reject(new StorageUnavailableError('gone')) };
    const lines: string[] = [];
    const logger = { info: () => {}, warn: (_: unknown, text: string) => lines.push(text), error: () => {} };
    const { engine, keys } = await heldBench({ storage, logger });
    const jobs = await Promise.all(keys.map(async (key) => (await engine.get(SCOPE, key)).job?.attemptCount));
    expect(jobs).toEqual([1, 1, 1, 1, 1, 1]);
    expect(new Set(lines)).toEqual(new Set(['how the SRI stands could not be noted']));
  });

  it('the engine renews the slot of a long call while it lasts', async () => {
    const { engine, clock, sri, storage, issuer } = await heldBench();
    sri.isAway = false;
    await clock.advance(20_000);
    const answer = Promise.withResolvers<void>();
    const slow = await createBench({
      storage,
      clock,
      issuers: [issuer],
      transport: async () => {
        await answer.promise;
        return new Response('', { status: 503 });
      },
      schedule: { timeoutMs: 10 * MINUTE },
    });
    const working = slow.engine.tick();
    await clock.advance(2 * MINUTE);
    const { state } = (await storage.readHostState('sandbox')) ?? { state: '{}' };
    const places: { readonly count: number; readonly until: number }[] = Object.values(JSON.parse(state).places);
    expect(places).toHaveLength(1);
    expect(places[0]?.until).toBeGreaterThan(clock.now().getTime());
    answer.resolve();
    await clock.runUntil(working);
    await engine.tick();
  });
});

describe('a process with some of the slots', () => {
  it('a process with some of the slots uses them all the time while other work is deferred', async () => {
    const bench: Bench = await createBench({
      transport: async (request) => {
        await bench.clock.sleep(100);
        return bench.simulator.handle(request);
      },
    });
    const { engine, clock, storage } = bench;
    for (let index = 0; index < 40; index += 1) {
      await sent({ engine }, invoiceBody());
    }
    const now = clock.now().getTime();
    const places = { another: { count: 4, until: now + MINUTE } };
    const state = JSON.stringify({ failing: {}, held: {}, limit: 8, answered: 0, recoveredAt: now, places });
    await storage.changeHostState('sandbox', { state, revision: 0 });
    engine.start();
    await clock.advance(10_000);
    expect((await engine.list(SCOPE, { status: 'AUTHORIZED', page: 1, limit: 1 })).total).toBeGreaterThan(25);
    await bench.during(engine.stop());
  });
});

describe('a process without a free slot', () => {
  it('a process without a free slot looks for work from time to time, and uses up no attempt', async () => {
    const real = createMemoryStorage();
    let claims = 0;
    const storage: Storage = {
      ...real,
      claimJobs: (terms) => {
        claims += 1;
        return real.claimJobs(terms);
      },
    };
    const { engine, clock } = await createBench({ storage });
    const { accessKey } = await sent({ engine }, invoiceBody());
    const now = clock.now().getTime();
    const places = { another: { count: 1, until: now + MINUTE } };
    const state = JSON.stringify({ failing: {}, held: {}, limit: 1, answered: 0, recoveredAt: now, places });
    await real.changeHostState('sandbox', { state, revision: 0 });
    engine.start();
    await clock.advance(20_000);
    expect(claims).toBeLessThanOrEqual(40);
    expect((await engine.get(SCOPE, accessKey)).job).toMatchObject({ attemptCount: 0, status: 'PENDING' });
    await clock.advance(MINUTE);
    expect((await engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
    await engine.stop();
  });
});

describe('a process without a free slot whose clock was set back', () => {
  it('a process whose clock was set back without a free slot still lifts the limit after its work', async () => {
    const { engine, clock, storage } = await createBench();
    const send = async () => engine.send(SCOPE, (await engine.create(SCOPE, invoiceBody())).document.accessKey);
    const now = clock.now().getTime();
    const places = { another: { count: 1, until: now + MINUTE } };
    const state = JSON.stringify({ failing: {}, held: {}, limit: 1, answered: 0, recoveredAt: 0, places });
    await storage.changeHostState('sandbox', { state, revision: 0 });
    await send();
    await engine.tick();
    expect(await engine.sriStanding()).toMatchObject([{ limit: 1 }, {}]);
    clock.set(new Date(now - 10 * MINUTE));
    await send();
    await engine.tick();
    expect(await engine.sriStanding()).toMatchObject([{ limit: null }, {}]);
  });
});

describe('the hosts of a process', () => {
  const SEND = { operation: 'SEND', unconfirmed: false } as const;
  const noAnswer = new SriUnavailableError('gone', { httpStatus: 'HTTP_503', mayHaveArrived: false, network: true });

  /** Two processes on one storage, whose delays are in the middle of their spread. */
  function twoProcesses() {
    const storage = createMemoryStorage();
    const clock = createTestClock(START);
    const [hosts, others] = ['one', 'two'].map((holder) =>
      createSriHosts({
        storage,
        clock,
        random: { bytes: (count) => new Uint8Array(count).fill(128, 0, 1) },
        logger: silentLogger,
        schedule: DEFAULT_SCHEDULE,
        holder,
        onChange: () => {},
      }),
    ) as [SriHosts, SriHosts];
    return { storage, clock, hosts, others, nowMs: () => clock.now().getTime() };
  }

  /** Five calls that fail, a second apart. */
  async function fail(hosts: SriHosts, clock: TestClock, error: Error = noAnswer) {
    const call = () => Promise.reject(error);
    const sri = hosts.watch({ submit: call, authorization: call });
    for (let index = 0; index < 5; index += 1) {
      await clock.advance(1_000);
      await expect(sri.submit('sandbox', `${index}` as AccessKey, '')).rejects.toBe(error);
    }
  }

  /** The state in which all processes share so many slots. */
  function limitTo(storage: Storage, limit: number, recoveredAt: number) {
    const state = JSON.stringify({ failing: {}, held: {}, limit, answered: 0, recoveredAt, places: {} });
    return storage.changeHostState('sandbox', { state, revision: 0 });
  }

  it('the hosts count no failure of their own process, such as a cancelled call', async () => {
    const { clock, hosts } = twoProcesses();
    await fail(hosts, clock, new Error('cancelled'));
    expect(await hosts.admit('sandbox', SEND)).toMatchObject({ kind: 'go' });
  });

  it.each([
    ['a second later', 0],
    ['after the clock is set back', -10 * MINUTE],
  ])('the hosts see a record of another process, %s', async (_, shiftMs) => {
    const { clock, hosts, others, nowMs } = twoProcesses();
    expect(await hosts.admit('sandbox', SEND)).toMatchObject({ kind: 'go' });
    clock.set(new Date(nowMs() + shiftMs));
    await fail(others, clock);
    expect(await hosts.admit('sandbox', SEND)).toMatchObject({ kind: 'wait' });
  });

  it('the hosts spread the calls that wait for the end of a hold', async () => {
    const { clock, hosts, nowMs } = twoProcesses();
    await fail(hosts, clock);
    const until = new Date(nowMs() + 15_000 + DEFAULT_SCHEDULE.retryIntervalMs / 2);
    expect(await hosts.admit('sandbox', SEND)).toEqual({ kind: 'wait', until });
  });

  it('the hosts wait for a probe as long as its calls may last, and ask again much earlier', async () => {
    const { clock, hosts, nowMs } = twoProcesses();
    await fail(hosts, clock);
    await clock.advance(15_000);
    expect(await hosts.admit('sandbox', SEND)).toMatchObject({ kind: 'go' });
    const [standing] = await hosts.standing();
    expect(standing?.held[0]?.probeAt).toEqual(new Date(nowMs() + 10 * DEFAULT_SCHEDULE.timeoutMs));
    expect(hosts.heldUntil('sandbox', 'SEND')).toEqual(new Date(nowMs() + 15_000));
  });

  it('the hosts admit simultaneous calls within the limit, and defer the others for a while', async () => {
    const { storage, hosts, nowMs } = twoProcesses();
    await limitTo(storage, 3, nowMs());
    const passes = await Promise.all(Array.from({ length: 4 }, () => hosts.admit('sandbox', SEND)));
    expect(passes.map(({ kind }) => kind)).toEqual(['go', 'go', 'go', 'wait']);
    expect(passes[3]).toEqual({ kind: 'wait', until: new Date(nowMs() + 3_000) });
    expect([hosts.isCrowded(), hosts.room()]).toEqual([true, 0]);
    for (const pass of passes.slice(0, 2)) if (pass.kind === 'go') await pass.leave();
    expect(hosts.room()).toBe(2);
  });

  it('the hosts keep the limit of a recovery until every deferred call has returned', async () => {
    const { storage, clock, hosts, nowMs } = twoProcesses();
    await limitTo(storage, 1, nowMs());
    await hosts.standing();
    await clock.advance(DEFAULT_SCHEDULE.retryIntervalMs + 2 * MINUTE - 1);
    await hosts.drained();
    expect((await hosts.standing())[0]?.limit).toBe(1);
  });
});

describe('an outage of three hours', () => {
  it('an outage of three hours uses one attempt at most, gives up no document, and drains under one limit', async () => {
    const storage = createMemoryStorage();
    const outcome = await drillOutage({
      storages: [storage, storage, storage],
      issuers: 16,
      documents: 160,
      outageMs: 3 * 3_600_000,
      concurrency: 8,
    });
    expect(outcome).toMatchObject({ ends: { AUTHORIZED: 160 }, failed: 0, mostAuthorizations: 1, limitInTheEnd: null });
    expect(outcome.heldMeanwhile).not.toEqual([]);
    expect(outcome.mostSpent).toBeLessThanOrEqual(1);
    expect(outcome.mostAtOnce).toBeLessThanOrEqual(8);
    // One every two minutes, and the earlier ones.
    expect(outcome.probes).toBeLessThanOrEqual(130);
    expect(outcome.drainedMs).toBeLessThanOrEqual(15 * MINUTE);
  }, 120_000);
});
