import { createSharedReads } from '../platform/database/shared-reads.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { ExpiringCache } from '../platform/expiring-cache.js';
import { type ActiveKey, findActiveKey } from './rows.js';

/** Finds keys by their tokens' digests. */
export interface KnownKeys {
  /** The active key with that digest, and its account; or null. @throws StorageUnavailableError */
  find(tokenHash: string): Promise<ActiveKey | null>;
  /** Drops all cached keys after a write that may have changed keys or accounts. Later calls read again. */
  forget(): void;
}

/**
 * Caches keys for half a second, and shares one read among concurrent requests. A write in this process clears the
 * cache, so that a key revoked here is rejected from the next request on; other processes notice within half a second.
 */
export function createKnownKeys(database: ServerDatabase): KnownKeys {
  const found = new ExpiringCache<ActiveKey>({ ttlMs: KEPT_MS, maxEntries: MAX_KEYS });
  const reads = createSharedReads<ActiveKey | null>();
  let writes = 0;

  async function read(tokenHash: string): Promise<ActiveKey | null> {
    const writesBefore = writes;
    const startedAt = performance.now();
    const key = await database.read((tables) => findActiveKey(tables, tokenHash));
    // A result that a write has overtaken, or that took long, may be stale.
    const isFresh = writes === writesBefore && performance.now() - startedAt < KEPT_MS;
    // Unknown keys are not cached: their number is unlimited.
    if (key && isFresh) found.set(tokenHash, key);
    return key;
  }

  return {
    async find(tokenHash) {
      const known = found.get(tokenHash);
      // A request that waited for the read finds the key in the cache.
      return known ?? reads.ask(tokenHash, async () => found.get(tokenHash) ?? read(tokenHash));
    },
    forget() {
      writes += 1;
      found.clear();
    },
  };
}

// --- internal ---

/** With the same time for the read itself, a key is at most a second old. */
const KEPT_MS = 500;
const MAX_KEYS = 1000;
