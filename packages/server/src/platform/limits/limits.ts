import type { Clock } from 'sri-core';
import type { ServerDatabase } from '../database/tables.js';
import { createFrequentLimits } from './frequent-limits.js';
import { createLocalLimits } from './local-limits.js';
import { countAgainstLimit, type Limit, type LimitVerdict } from './rows.js';

/**
 * Limits that all processes on one database share. While the database takes no writes, each process counts by itself: a
 * limit is no reason to refuse what needs no write.
 */
export interface Limits {
  /** Counts a use of the bucket, unless it is used up. */
  use(bucket: string, limit: Limit): Promise<LimitVerdict>;
  /**
   * The same for what every request uses: without a write for each, and therefore exact within this process, while
   * several together may let a little more through.
   */
  useFrequently(bucket: string, limit: Limit): Promise<LimitVerdict>;
  /** The same for what only a flood meets: in this process alone, without a word to the database. */
  useHere(bucket: string, limit: Limit): LimitVerdict;
  /** Tells other processes of what was used frequently; see `FrequentLimits`. @throws StorageUnavailableError */
  tell(): Promise<void>;
  /** Forgets what says nothing any more, of what this process remembers. */
  sweep(): void;
}

/**
 * Makes limits. A bucket that is used up stays so until its oldest use leaves the window, whatever other processes do;
 * so that is remembered here, and a flood of refused requests never reaches the database.
 */
export function createLimits(database: ServerDatabase, clock: Clock): Limits {
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
    if (!verdict.allowed) usedUpUntil.set(bucket, now.getTime() + verdict.resetMs);
    return verdict;
  }

  return {
    async use(bucket, limit) {
      // One after the other: each holds a connection while it waits for the row of its bucket.
      const before = lastUses.get(bucket);
      const use = before ? before.then(() => count(bucket, limit)) : count(bucket, limit);
      lastUses.set(bucket, use);
      try {
        return await use;
      } finally {
        if (lastUses.get(bucket) === use) lastUses.delete(bucket);
      }
    },
    useFrequently: (bucket, limit) => frequent.use(bucket, limit).catch(() => local.use(bucket, limit)),
    useHere: local.use,
    tell: frequent.tell,
    sweep() {
      frequent.sweep();
      local.sweep();
      const now = clock.now().getTime();
      for (const [bucket, until] of usedUpUntil) if (until <= now) usedUpUntil.delete(bucket);
    },
  };
}
