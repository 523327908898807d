import type { Clock, Occupancy } from 'sri-core';
import type { ServerDatabase } from '../database/tables.js';
import { addUses, blockingUse, type Limit, type LimitVerdict } from './rows.js';

/** Limits on frequent uses, such as every request of a key. */
export interface FrequentLimits {
  /**
   * Counts a use of the bucket, unless it is used up.
   * @returns null for a new bucket when there are too many.
   * @throws StorageUnavailableError
   */
  use(bucket: string, limit: Limit): Promise<LimitVerdict | null>;
  /**
   * Reports new uses to the other processes, also the uses of buckets that are no longer used.
   * @throws StorageUnavailableError; the uses are kept for the next report.
   */
  share(): Promise<void>;
  /** Forgets buckets without effect. */
  sweep(): void;
  /** The buckets in memory. */
  occupancy(): Occupancy;
}

/** How often to call `share`, and the largest age of the others' data, in milliseconds. */
export const SHARE_MS = 500;

/**
 * Creates limits that are exact in this process and reported to the other processes every half second: counting a use
 * is no write. Each process reads the reports as often, so that a second after a use all know it. Several processes
 * together may exceed the limit within that second, each by its own limit at most. After it they allow no excess.
 */
export function createFrequentLimits(
  database: ServerDatabase,
  clock: Clock,
  mostBuckets = MOST_BUCKETS,
): FrequentLimits {
  const buckets = new Map<string, Bucket>();

  async function share(name: string, bucket: Bucket, windowMs: number): Promise<void> {
    const now = clock.now();
    const uses = bucket.unshared;
    bucket.unshared = [];
    try {
      bucket.shared = await addUses(database, name, { uses, windowMs, now });
      bucket.sharedAt = now.getTime();
    } catch (error) {
      bucket.unshared = [...uses, ...bucket.unshared];
      throw error;
    } finally {
      bucket.sharing = null;
    }
  }

  return {
    occupancy: () => ({ used: buckets.size, limit: mostBuckets }),
    async use(name, { limit, windowMs }) {
      const known = buckets.get(name);
      if (!known && buckets.size >= mostBuckets) return null;
      const bucket = known ?? createBucket(windowMs, clock.now().getTime());
      buckets.set(name, bucket);
      if (Math.abs(clock.now().getTime() - bucket.sharedAt) >= SHARE_MS) {
        bucket.sharing ??= share(name, bucket, windowMs);
        await bucket.sharing;
      }
      // From here on nothing is awaited, so that simultaneous uses are decided one after the other.
      const at = clock.now().getTime();
      const uses = [...bucket.shared, ...bucket.unshared].filter((use) => Math.abs(use - at) < windowMs);
      const allowed = uses.length < limit;
      if (allowed) bucket.unshared.push(at);
      bucket.until = at + windowMs;
      const remaining = Math.max(0, limit - uses.length - (allowed ? 1 : 0));
      return { allowed, limit, remaining, resetMs: (blockingUse(uses, limit) ?? at) + windowMs - at };
    },
    async share() {
      for (const [name, bucket] of buckets) {
        if (bucket.unshared.length === 0) continue;
        bucket.sharing ??= share(name, bucket, bucket.windowMs);
        await bucket.sharing;
      }
    },
    sweep() {
      const at = clock.now().getTime();
      for (const [name, { until, sharing }] of buckets) if (until <= at && !sharing) buckets.delete(name);
    },
  };
}

// --- internal ---

/** A bucket holds the times of all its uses, some 5 kB for 600 uses. */
const MOST_BUCKETS = 10_000;

interface Bucket {
  /** Uses that all processes know of, epoch milliseconds, in order. */
  shared: readonly number[];
  /** Later uses, which only this process knows of. */
  unshared: number[];
  sharedAt: number;
  sharing: Promise<void> | null;
  readonly windowMs: number;
  /** The bucket has no effect after this time. */
  until: number;
}

function createBucket(windowMs: number, now: number): Bucket {
  return {
    shared: [],
    unshared: [],
    sharedAt: Number.NEGATIVE_INFINITY,
    sharing: null,
    windowMs,
    until: now + windowMs,
  };
}
