import { createTestClock } from 'sri-core/testing';
import { describe, expect, it } from 'vitest';
import { createLocalLimits } from './local-limits.js';

const TEN = { limit: 10, windowMs: 60_000 };
const NOW = '2026-11-21T15:00:00.000Z';

describe('limits of one process', () => {
  function open(mostBuckets?: number) {
    const clock = createTestClock(NOW);
    const limits = createLocalLimits(clock, mostBuckets);
    const allowed = (times: number, bucket = 'a') =>
      Array.from({ length: times }, () => limits.use(bucket, TEN)).filter((verdict) => verdict.allowed).length;
    return { clock, limits, allowed };
  }

  it('allows the uses of a limit, and reports the remaining uses and the time to retry', async () => {
    const { clock, limits, allowed } = open();
    expect(limits.use('a', TEN)).toEqual({ allowed: true, limit: 10, remaining: 9, resetMs: 60_000 });
    expect(allowed(20)).toBe(9);
    await clock.advance(45_000);
    expect(limits.use('a', TEN)).toEqual({ allowed: false, limit: 10, remaining: 0, resetMs: 21_000 });
    expect(allowed(1, 'b')).toBe(1);
  });

  it('slides: after half a window half of the uses are free again', async () => {
    const { clock, allowed } = open();
    allowed(10);
    await clock.advance(60_000);
    expect(allowed(10)).toBe(0);
    await clock.advance(30_000);
    expect(allowed(10)).toBe(5);
    await clock.advance(120_000);
    expect(allowed(20)).toBe(10);
  });

  it.each([1, 7, 10, 600])('a limit of %i allows the next use after the stated time, and not before', async (limit) => {
    const { clock, limits } = open();
    const use = () => limits.use('a', { limit, windowMs: 60_000 });
    for (let round = 0; round < 4 * limit; round += 1) {
      let verdict = use();
      while (verdict.allowed) verdict = use();
      await clock.advance(verdict.resetMs - 1);
      expect(use().allowed).toBe(false);
      await clock.advance(1);
      expect(use().allowed).toBe(true);
    }
  });

  it('starts over after the clock was set back', async () => {
    const { clock, allowed } = open();
    allowed(10);
    await clock.advance(-3_600_000);
    expect(allowed(20)).toBe(10);
  });

  it('forgets expired buckets, and the oldest bucket beyond the number', async () => {
    const { clock, limits, allowed } = open(2);
    for (const bucket of ['a', 'b']) allowed(10, bucket);
    expect(limits.occupancy()).toEqual({ used: 2, limit: 2 });
    allowed(10, 'c');
    expect(limits.occupancy()).toEqual({ used: 2, limit: 2 });
    expect([allowed(1, 'c'), allowed(1, 'b'), allowed(1, 'a')]).toEqual([0, 0, 1]);
    await clock.advance(60_000);
    limits.sweep();
    expect(allowed(1, 'a')).toBe(1);
    await clock.advance(120_000);
    limits.sweep();
    expect(allowed(20, 'a')).toBe(10);
  });
});
