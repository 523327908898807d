import { describe, expect, it } from 'vitest';
import { StorageUnavailableError } from '../errors.js';
import type { Transport } from '../sri/transport.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, type Bench, type BenchType, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

/** An engine in its loop, during a call to an SRI that does not answer. */
async function inTheMiddle(
  { bodyTo }: BenchType,
  operation: 'Recepcion' | 'Autorizacion',
  options: Parameters<typeof createBench>[0] = {},
) {
  const calls = Promise.withResolvers<void>();
  let handle: Transport = () => Promise.reject(new Error('not yet'));
  const bench = await createBench({
    ...options,
    transport: (request) => {
      if (!request.url.includes(operation)) return handle(request);
      calls.resolve();
      return new Promise(() => {});
    },
  });
  handle = bench.simulator.handle;
  const document = await sent(bench, bodyTo());
  bench.engine.start();
  if (operation === 'Autorizacion') await bench.during(calls.promise);
  else await calls.promise;
  const job = async () => (await bench.engine.get(SCOPE, document.accessKey)).job;
  return { bench, job };
}

describe.each(BENCH_TYPES)('an engine that stops while the SRI is silent: $name', (type) => {
  it('an engine that stops releases a submission at the end of its patience: due at once, query first', async () => {
    const { bench, job } = await inTheMiddle(type, 'Recepcion');
    const patience = new AbortController();
    const stopped = bench.engine.stop(patience.signal);
    expect(await job()).toMatchObject({ running: true });
    await bench.clock.advance(1_000);
    patience.abort();
    await stopped;
    expect(await job()).toMatchObject({
      operation: 'SEND',
      status: 'PENDING',
      dueAt: bench.clock.now(),
      attemptCount: 0,
      unconfirmed: true,
      running: false,
    });
    const claimed = await bench.storage.claimJobs({ now: bench.clock.now(), limit: 9, leaseMs: 1000 });
    expect(claimed).toHaveLength(1);
  });

  it('an engine that stops releases an authorization query unchanged', async () => {
    const { bench, job } = await inTheMiddle(type, 'Autorizacion');
    const patience = new AbortController();
    patience.abort();
    await bench.engine.stop(patience.signal);
    expect(await job()).toMatchObject({ operation: 'AUTHORIZE', attemptCount: 0, unconfirmed: false, running: false });
  });

  it('an engine that stops leaves a job to its lease when the release fails', async () => {
    const real = createMemoryStorage();
    const storage: Storage = { ...real, releaseJob: () => Promise.reject(new StorageUnavailableError('gone')) };
    const lines: string[] = [];
    const logger = { info: () => {}, warn: () => {}, error: (_: unknown, text: string) => lines.push(text) };
    const { bench, job } = await inTheMiddle(type, 'Recepcion', { storage, logger });
    await bench.engine.stop(AbortSignal.abort());
    expect(lines).toEqual(['a job was not given back']);
    expect(await job()).toMatchObject({ running: true });
    await bench.clock.advance(60_000);
    expect(await real.claimJobs({ now: bench.clock.now(), limit: 9, leaseMs: 1000 })).toHaveLength(1);
  });

  it('an engine works again when a start follows a stop that is not awaited', async () => {
    const bench = await createBench();
    bench.engine.start();
    const stopped = bench.engine.stop();
    bench.engine.start();
    await bench.during(stopped);
    const document = await sent(bench, type.bodyTo());
    await bench.during(bench.clock.sleep(10_000));
    await bench.during(bench.engine.stop());
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('AUTHORIZED');
  });

  it('an engine restarts with its full patience', async () => {
    const { bench, job } = await inTheMiddle(type, 'Recepcion');
    await bench.engine.stop(AbortSignal.abort());
    bench.engine.start();
    // It queries first, learns that the SRI has nothing, and sends again to an SRI that is still silent.
    await bench.during(bench.clock.sleep(5_000));
    expect(await job()).toMatchObject({ running: true });
    await bench.engine.stop(AbortSignal.abort());
    expect(await job()).toMatchObject({ running: false });
  });
});

describe.each(BENCH_TYPES)('an engine that stops during a tick: $name', ({ bodyTo }) => {
  async function send({ engine }: Bench): Promise<string> {
    const { accessKey } = await sent({ engine }, bodyTo());
    return accessKey;
  }

  it('an engine that stops during a tick takes no further job', async () => {
    const [called, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const bench: Bench = await createBench({
      schedule: { concurrency: 1 },
      async transport(request) {
        called.resolve();
        await answer.promise;
        return bench.simulator.handle(request);
      },
    });
    await send(bench);
    await send(bench);
    const ticking = bench.engine.tick();
    await called.promise;
    const stopped = bench.engine.stop();
    answer.resolve();
    await stopped;
    expect(await ticking).toBe(1);
    expect(bench.simulator.journal).toHaveLength(1);
  });

  it('an engine that stops during a tick waits for the jobs of a claim under way', async () => {
    const real = createMemoryStorage();
    const [asked, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storage: Storage = {
      ...real,
      async claimJobs(terms) {
        asked.resolve();
        await given.promise;
        return real.claimJobs(terms);
      },
    };
    const bench = await createBench({ storage });
    const accessKey = await send(bench);
    const ticking = bench.engine.tick();
    await asked.promise;
    const stopped = bench.engine.stop();
    given.resolve();
    await stopped;
    expect((await bench.engine.get(SCOPE, accessKey)).status).toBe('RECEIVED');
    expect(await ticking).toBe(1);
  });
});

describe.each(BENCH_TYPES)('a job that `issue` claims: $name', ({ bodyTo }) => {
  /** An `issue` of a queued document, whose claim waits for `goOn`. */
  async function duringClaim() {
    const real = createMemoryStorage();
    const [asked, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storage: Storage = {
      ...real,
      async claimJobOf(document, terms) {
        asked.resolve();
        await given.promise;
        return real.claimJobOf(document, terms);
      },
    };
    const bench = await createBench({ storage });
    const options = { idempotencyKey: 'order-1' };
    const { document } = await bench.engine.create(SCOPE, bodyTo(), options);
    await bench.engine.send(SCOPE, document.accessKey);
    const issued = bench.engine.issue(SCOPE, bodyTo(), options);
    await asked.promise;
    return { bench, storage: real, issued, goOn: () => given.resolve() };
  }

  it('an engine that stops releases a job that `issue` claims', async () => {
    const { bench, issued, goOn } = await duringClaim();
    let isStopped = false;
    const stopped = bench.engine.stop().then(() => {
      isStopped = true;
    });
    await bench.clock.advance(0);
    expect(isStopped).toBe(false);
    goOn();
    await stopped;
    const { document } = await bench.during(issued);
    expect(document.job).toMatchObject({ attemptCount: 0, unconfirmed: false, running: false });
    expect(bench.simulator.journal).toEqual([]);
  });

  it('`issue` releases the job it claims when another worker ran it in between', async () => {
    const { bench, storage, issued, goOn } = await duringClaim();
    const other = await createBench({ storage, transport: async () => new Response('', { status: 503 }) });
    await other.engine.tick();
    goOn();
    const { document } = await bench.during(issued);
    expect(document.job).toMatchObject({ attemptCount: 1, running: false });
    expect(bench.simulator.journal).toEqual([]);
  });
});
