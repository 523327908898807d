import { createTestClock } from 'sri-core/testing';
import { expect, it } from 'vitest';
import { describeStores } from '../../testing/test-store.js';
import { createLimits } from './limits.js';

await describeStores('used-up limits', (store) => {
  it('caches used-up limits up to a number, and reads further limits at each use', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    let reads = 0;
    const { database } = store;
    const counting: typeof database = {
      ...database,
      transaction: (work) => {
        reads += 1;
        return database.transaction(work);
      },
    };
    const limits = createLimits(counting, clock, 2);
    const once = { limit: 1, windowMs: 60_000 };
    for (const bucket of ['a', 'b', 'c']) {
      expect((await limits.use(bucket, once)).allowed).toBe(true);
      expect((await limits.use(bucket, once)).allowed).toBe(false);
    }
    expect(limits.occupancies.used_up_rates?.()).toEqual({ used: 2, limit: 2 });
    reads = 0;
    for (const bucket of ['a', 'b']) expect((await limits.use(bucket, once)).allowed).toBe(false);
    expect(reads).toBe(0);
    expect((await limits.use('c', once)).allowed).toBe(false);
    expect(reads).toBe(1);
    limits.sweep();
    expect(limits.occupancies.used_up_rates?.()?.used).toBe(2);
    // The clock is set back.
    await clock.advance(-3_600_000);
    expect((await limits.use('a', once)).allowed).toBe(true);
    await clock.advance(3_660_000);
    limits.sweep();
    expect(limits.occupancies.used_up_rates?.()?.used).toBe(0);
  });
});

await describeStores('limits without a database', (store) => {
  it('counts in this process while the database fails', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const gone = { ...store.database, transaction: () => Promise.reject(new Error('gone')) };
    const limits = createLimits(gone, clock);
    const once = { limit: 1, windowMs: 60_000 };
    for (const use of [limits.use, limits.useFrequently]) {
      expect((await use(use.name, once)).allowed).toBe(true);
      expect((await use(use.name, once)).allowed).toBe(false);
    }
    await clock.advance(120_000);
    limits.sweep();
    expect(limits.occupancies.local_rates?.().used).toBe(0);
    expect(limits.occupancies.shared_rates?.().used).toBe(0);
  });
});
