import { expect, it, vi } from 'vitest';
import { InvalidTransitionError } from '../errors.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, type Bench, type BenchType, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const [ANY] = BENCH_TYPES as readonly [BenchType];

/** A storage, with the operations of each claim. */
function countingClaims() {
  const real = createMemoryStorage();
  const claims: string[][] = [];
  const idle = Promise.withResolvers<void>();
  const storage: Storage = {
    ...real,
    async nextDueAt() {
      idle.resolve();
      return real.nextDueAt();
    },
    async claimJobs(terms) {
      const claimed = await real.claimJobs(terms);
      if (claimed.length > 0) claims.push(claimed.map(({ job }) => job.operation));
      return claimed;
    },
  };
  /** Resolves when the worker finds nothing to do. */
  return { storage, claims, idle: idle.promise };
}

it.each(BENCH_TYPES)(
  'a job is claimed at once under low load, and together with others, at short intervals, under high load: $name',
  async ({ bodyTo }) => {
    const { storage, claims } = countingClaims();
    const answered = Promise.withResolvers<void>();
    let asking = 0;
    let received = 0;
    const bench: Bench = await createBench({
      storage,
      schedule: { concurrency: 100 },
      transport: async (request) => {
        if (request.url.includes('Recepcion')) received += 1;
        else {
          asking += 1;
          await answered.promise;
        }
        return bench.simulator.handle(request);
      },
    });
    const { engine, clock } = bench;
    engine.start();
    const send = async (count: number) => {
      const before = received;
      for (let index = 0; index < count; index += 1) {
        await sent({ engine }, bodyTo());
      }
      await vi.waitFor(async () => {
        expect(received).toBe(before + count);
        expect((await engine.list(SCOPE, { status: 'RECEIVED', page: 1, limit: 100 })).total).toBe(received);
      });
    };

    await send(31);
    await clock.advance(20);
    await send(1);
    await clock.advance(10);
    await send(1);
    await clock.advance(30);
    await send(1);
    claims.length = 0;
    const questions = () => claims.map((operations) => operations.length);
    await clock.advance(2_940);
    await vi.waitFor(() => expect(asking).toBe(31));
    await clock.advance(20);
    await vi.waitFor(() => expect(asking).toBe(32));
    await clock.advance(49);
    expect(questions()).toEqual([31, 1]);
    await clock.advance(1);
    await vi.waitFor(() => expect(asking).toBe(34));
    expect(questions()).toEqual([31, 1, 2]);

    answered.resolve();
    await bench.during(engine.stop());
  },
);

it('a document that is sent with a free slot leaves at once, claimed by the commit that queues it', async () => {
  const { storage, claims, idle } = countingClaims();
  const bench = await createBench({ storage });
  const { engine } = bench;
  const { document } = await engine.create(SCOPE, ANY.bodyTo());
  engine.start();
  await idle;
  const queued = await engine.send(SCOPE, document.accessKey);
  expect(queued).toMatchObject({ status: 'PENDING_SEND', job: { operation: 'SEND', running: true } });
  await vi.waitFor(async () => expect((await engine.get(SCOPE, document.accessKey)).status).toBe('RECEIVED'));
  expect(claims).toEqual([]);
  await bench.during(engine.stop());
});

it('a slot serves the round that wins, and is free again after a refusal', async () => {
  const { storage: real, idle } = countingClaims();
  let isLost = false;
  const storage: Storage = {
    ...real,
    async changeAndClaim(change, leaseMs) {
      if (isLost) return real.changeAndClaim(change, leaseMs);
      isLost = true;
      return 'stale';
    },
  };
  const bench = await createBench({ storage, schedule: { concurrency: 1 } });
  const { engine } = bench;
  const { document } = await engine.create(SCOPE, ANY.bodyTo());
  engine.start();
  await idle;
  await engine.send(SCOPE, document.accessKey);
  expect(isLost).toBe(true);
  await vi.waitFor(async () => expect((await engine.get(SCOPE, document.accessKey)).status).toBe('RECEIVED'));
  await expect(engine.send(SCOPE, document.accessKey)).rejects.toThrow(InvalidTransitionError);
  const { accessKey } = (await engine.create(SCOPE, ANY.bodyTo())).document;
  expect((await engine.send(SCOPE, accessKey)).job).toMatchObject({ running: true });
  await bench.during(engine.stop());
});

it('a document that is sent behind others waits for its turn', async () => {
  const { storage, claims, idle } = countingClaims();
  const hold = Promise.withResolvers<void>();
  const order: string[] = [];
  const bench: Bench = await createBench({
    storage,
    schedule: { concurrency: 1 },
    transport: async (request) => {
      if (request.url.includes('Recepcion')) order.push(request.url);
      await hold.promise;
      return bench.simulator.handle(request);
    },
  });
  const { engine } = bench;
  const keys: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    keys.push((await engine.create(SCOPE, ANY.bodyTo())).document.accessKey);
  }
  engine.start();
  await idle;
  for (const key of keys) await engine.send(SCOPE, key);
  const running = await Promise.all(keys.map(async (key) => (await engine.get(SCOPE, key)).job?.running));
  expect(running).toEqual([true, false, false]);
  hold.resolve();
  await bench.during(vi.waitFor(() => expect(order).toHaveLength(3)));
  expect(claims.flat().filter((operation) => operation === 'SEND')).toHaveLength(2);
  await bench.during(engine.stop());
});

it('a document that is sent while the worker stops is left to another worker', async () => {
  const { storage: real, idle } = countingClaims();
  const committing = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const storage: Storage = {
    ...real,
    async changeAndClaim(change, leaseMs) {
      began.resolve();
      await committing.promise;
      return real.changeAndClaim(change, leaseMs);
    },
  };
  const bench = await createBench({ storage });
  const { engine } = bench;
  const { document } = await engine.create(SCOPE, ANY.bodyTo());
  engine.start();
  await idle;
  const sent = engine.send(SCOPE, document.accessKey);
  await began.promise;
  const stopped = engine.stop();
  committing.resolve();
  await Promise.all([sent, stopped]);
  expect((await engine.get(SCOPE, document.accessKey)).job).toMatchObject({ running: false, unconfirmed: false });
  expect(bench.simulator.journal).toEqual([]);
});
