import { expect, it, vi } from 'vitest';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, type Bench, createBench, SCOPE } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

it.each(BENCH_TYPES)(
  'a job is claimed at once under low load, and together with others, at short intervals, under high load: $name',
  async ({ bodyTo }) => {
    const real = createMemoryStorage();
    const claims: number[] = [];
    const storage: Storage = {
      ...real,
      async claimJobs(terms) {
        const claimed = await real.claimJobs(terms);
        if (claimed.length > 0) claims.push(claimed.length);
        return claimed;
      },
    };
    const answered = Promise.withResolvers<void>();
    let underWay = 0;
    const bench: Bench = await createBench({
      storage,
      schedule: { concurrency: 100 },
      transport: async (request) => {
        underWay += 1;
        await answered.promise;
        return bench.simulator.handle(request);
      },
    });
    const { engine, clock } = bench;
    const keys: string[] = [];
    for (let index = 0; index < 34; index += 1) {
      keys.push((await engine.create(SCOPE, bodyTo())).document.accessKey);
    }
    const send = async (count: number) => {
      for (const key of keys.splice(0, count)) await engine.send(SCOPE, key);
    };

    await send(31);
    engine.start();
    await vi.waitFor(() => expect(underWay).toBe(31));
    await send(1);
    await vi.waitFor(() => expect(underWay).toBe(32));
    await send(2);
    await clock.advance(49);
    expect(claims).toEqual([31, 1]);
    await clock.advance(1);
    await vi.waitFor(() => expect(underWay).toBe(34));
    expect(claims).toEqual([31, 1, 2]);

    answered.resolve();
    await bench.during(engine.stop());
  },
);
