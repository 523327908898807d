import { createSharedReads } from '../platform/database/shared-reads.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { ExpiringCache } from '../platform/expiring-cache.js';
import { type ActiveKey, findActiveKey } from './rows.js';

/** Finds keys by their tokens' digests. */
export interface KnownKeys {
  /** The active key with that digest, and its account; null when there is none. @throws StorageUnavailableError */
  find(tokenHash: string): Promise<ActiveKey | null>;
  /** Something was written that may have changed keys or accounts: what is asked from now on is read anew. */
  forget(): void;
}

/**
 * Keeps what was found for half a second, and reads once for all who ask meanwhile, so that a burst of requests reads its
 * key once. Whoever writes in this process makes it forget, so that a key that was revoked here is refused from the next
 * request on; another process notices within the half second.
 */
export function createKnownKeys(database: ServerDatabase): KnownKeys {
  const found = new ExpiringCache<ActiveKey>({ ttlMs: KEPT_MS, maxEntries: MAX_KEYS });
  const reads = createSharedReads<ActiveKey | null>();
  let writes = 0;

  async function read(tokenHash: string): Promise<ActiveKey | null> {
    const writesBefore = writes;
    const startedAt = performance.now();
    const key = await database.read((tables) => findActiveKey(tables, tokenHash));
    // What a write has overtaken, or what took long to come, may be out of date already.
    const isFresh = writes === writesBefore && performance.now() - startedAt < KEPT_MS;
    // Keys that do not exist are not kept: there is no end of them.
    if (key && isFresh) found.set(tokenHash, key);
    return key;
  }

  return {
    async find(tokenHash) {
      const known = found.get(tokenHash);
      // Who came while the key was being read finds it kept, once that is over.
      return known ?? reads.ask(tokenHash, async () => found.get(tokenHash) ?? read(tokenHash));
    },
    forget() {
      writes += 1;
      found.clear();
    },
  };
}

// --- internal ---

/** With as much for the read itself this is a second at most. */
const KEPT_MS = 500;
const MAX_KEYS = 1000;
