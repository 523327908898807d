import type { Occupancy } from 'sri-core';
import { createKeyedReads } from 'sri-storage-adapters';
import type { ServerDatabase } from '../platform/database/tables.js';
import { ExpiringCache } from '../platform/expiring-cache.js';
import { type ActiveKey, findActiveKeys } from './rows.js';

/** Finds keys by their tokens' digests. */
export interface KnownKeys {
  /** The active key with that digest, and its account; or null. @throws StorageUnavailableError */
  find(tokenHash: string): Promise<ActiveKey | null>;
  /** Drops all cached keys after a write that may have changed keys or accounts. Later calls read again. */
  forget(): void;
  /** The cached keys. */
  occupancy(): Occupancy;
}

/**
 * Caches keys for half a second; the reads of concurrent requests are one. A write in this process clears the
 * cache, so that a key revoked here is rejected from the next request on; other processes notice within half a second.
 */
export function createKnownKeys(database: ServerDatabase): KnownKeys {
  const found = new ExpiringCache<ActiveKey>({ ttlMs: KEPT_MS, maxEntries: MAX_KEYS });
  const running = new Map<string, Promise<void>>();
  let writes = 0;
  const reads = createKeyedReads(async (tokenHashes) => {
    const writesBefore = writes;
    const startedAt = performance.now();
    const keys = await database.read((tables) => findActiveKeys(tables, tokenHashes));
    // A result that a write has overtaken, or that took long, may be stale.
    const isFresh = writes === writesBefore && performance.now() - startedAt < KEPT_MS;
    // Unknown keys are not cached: their number is unlimited.
    if (isFresh) for (const [tokenHash, key] of keys) found.set(tokenHash, key);
    return keys;
  });

  return {
    async find(tokenHash) {
      // A request that waits for a running read finds the key in the cache.
      await running.get(tokenHash);
      const known = found.get(tokenHash);
      if (known) return known;
      const reading = reads.ask(tokenHash);
      const ended = () => void running.delete(tokenHash);
      running.set(tokenHash, reading.then(ended, ended));
      return reading;
    },
    forget() {
      writes += 1;
      found.clear();
    },
    occupancy: () => found.occupancy(),
  };
}

// --- internal ---

/** With the same time for the read itself, a key is at most a second old. */
const KEPT_MS = 500;
const MAX_KEYS = 1000;
