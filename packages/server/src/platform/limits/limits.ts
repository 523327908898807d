import type { Clock, Occupancies } from 'sri-core';
import type { ServerDatabase } from '../database/tables.js';
import { createFrequentLimits } from './frequent-limits.js';
import { createLocalLimits } from './local-limits.js';
import { countAgainstLimit, type Limit, type LimitVerdict } from './rows.js';

/**
 * Limits that all processes on one database share. While the database rejects writes, each process counts by itself: a
 * limit does not reject a request that needs no write.
 */
export interface Limits {
  /** Counts a use of the bucket, unless it is used up. */
  use(bucket: string, limit: Limit): Promise<LimitVerdict>;
  /**
   * The same for uses of every request: without a write each. It is exact within this process; several processes
   * together may allow a few more.
   */
  useFrequently(bucket: string, limit: Limit): Promise<LimitVerdict>;
  /** The same for uses that only a flood reaches: in this process alone, without a query. */
  useHere(bucket: string, limit: Limit): LimitVerdict;
  /** Reports frequent uses to other processes; see `FrequentLimits`. @throws StorageUnavailableError */
  share(): Promise<void>;
  /** Forgets buckets of this process without effect. */
  sweep(): void;
  /** The buckets in memory: of frequent uses, of this process alone, and used-up ones. */
  readonly occupancies: Occupancies;
}

/**
 * Creates limits. A used-up bucket stays so until its oldest use leaves the window, whatever other processes do. That
 * is cached here, so that a flood of rejected requests never reaches the database.
 * @param mostUsedUp beyond this number a used-up bucket is read again for each use.
 */
export function createLimits(database: ServerDatabase, clock: Clock, mostUsedUp = MOST_USED_UP): Limits {
  const usedUpUntil = new Map<string, number>();
  const frequent = createFrequentLimits(database, clock);
  const local = createLocalLimits(clock);
  const lastUses = new Map<string, Promise<LimitVerdict>>();

  async function count(bucket: string, limit: Limit): Promise<LimitVerdict> {
    const now = clock.now();
    const resetMs = (usedUpUntil.get(bucket) ?? 0) - now.getTime();
    if (resetMs > 0 && resetMs <= limit.windowMs) return { allowed: false, limit: limit.limit, remaining: 0, resetMs };
    const verdict = await countAgainstLimit(database, bucket, limit, now).catch(() => null);
    if (!verdict) return local.use(bucket, limit);
    usedUpUntil.delete(bucket);
    if (!verdict.allowed && usedUpUntil.size < mostUsedUp) usedUpUntil.set(bucket, now.getTime() + verdict.resetMs);
    return verdict;
  }

  return {
    async use(bucket, limit) {
      // Sequential: each holds a connection while it waits for the row of its bucket.
      const before = lastUses.get(bucket);
      const use = before ? before.then(() => count(bucket, limit)) : count(bucket, limit);
      lastUses.set(bucket, use);
      try {
        return await use;
      } finally {
        if (lastUses.get(bucket) === use) lastUses.delete(bucket);
      }
    },
    async useFrequently(bucket, limit) {
      return (await frequent.use(bucket, limit).catch(() => null)) ?? local.use(bucket, limit);
    },
    useHere: local.use,
    share: frequent.share,
    occupancies: {
      shared_rates: frequent.occupancy,
      local_rates: local.occupancy,
      used_up_rates: () => ({ used: usedUpUntil.size, limit: mostUsedUp }),
    },
    sweep() {
      frequent.sweep();
      local.sweep();
      const now = clock.now().getTime();
      for (const [bucket, until] of usedUpUntil) if (until <= now) usedUpUntil.delete(bucket);
    },
  };
}

// --- internal ---

const MOST_USED_UP = 100_000;
