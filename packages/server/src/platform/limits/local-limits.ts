import type { Clock, Occupancy } from 'sri-core';
import type { Limit, LimitVerdict } from './rows.js';

/** Limits that this process counts by itself, in memory. */
export interface LocalLimits {
  /** Counts a use of the bucket, unless it is used up. */
  use(bucket: string, limit: Limit): LimitVerdict;
  /** Forgets buckets without effect. */
  sweep(): void;
  /** The buckets in memory. */
  occupancy(): Occupancy;
}

/**
 * Creates limits with two numbers per bucket, whatever the limit. The window slides: the uses of the previous one count
 * in proportion to its part within the window.
 * @param mostBuckets beyond this number the bucket with the oldest start is forgotten.
 */
export function createLocalLimits(clock: Clock, mostBuckets = MOST_BUCKETS): LocalLimits {
  const buckets = new Map<string, Bucket>();

  function current(name: string, windowMs: number, at: number): Bucket {
    const known = buckets.get(name);
    const age = known ? at - known.startedAt : Number.POSITIVE_INFINITY;
    if (known && age >= 0 && age < windowMs) return known;
    const isNext = age >= windowMs && age < 2 * windowMs;
    const startedAt = known && isNext ? known.startedAt + windowMs : at;
    const begun = { startedAt, windowMs, uses: 0, usesBefore: known && isNext ? known.uses : 0 };
    buckets.delete(name);
    buckets.set(name, begun);
    for (const oldest of buckets.keys()) {
      if (buckets.size <= mostBuckets) break;
      buckets.delete(oldest);
    }
    return begun;
  }

  return {
    occupancy: () => ({ used: buckets.size, limit: mostBuckets }),
    use(name, { limit, windowMs }) {
      const at = clock.now().getTime();
      const bucket = current(name, windowMs, at);
      const left = bucket.startedAt + windowMs - at;
      const used = Math.ceil((bucket.usesBefore * left) / windowMs) + bucket.uses;
      const allowed = used < limit;
      if (allowed) bucket.uses += 1;
      const remaining = Math.max(0, limit - used - (allowed ? 1 : 0));
      return { allowed, limit, remaining, resetMs: allowed ? left : untilAllowed(bucket, left, limit) };
    },
    sweep() {
      const at = clock.now().getTime();
      for (const [name, { startedAt, windowMs }] of buckets) {
        if (Math.abs(at - startedAt) >= 2 * windowMs) buckets.delete(name);
      }
    },
  };
}

// --- internal ---

const MOST_BUCKETS = 100_000;

/** Until the earlier uses count for less than the limit. @param left milliseconds of the window of `bucket`. */
function untilAllowed({ windowMs, uses, usesBefore }: Bucket, left: number, limit: number): number {
  const restOf = (before: number, most: number) => Math.floor((windowMs * most) / before);
  const ms = uses < limit ? left - restOf(usesBefore, limit - 1 - uses) : left + windowMs - restOf(uses, limit - 1);
  return Math.max(1, ms);
}

interface Bucket {
  readonly startedAt: number;
  readonly windowMs: number;
  uses: number;
  readonly usesBefore: number;
}
