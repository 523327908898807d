import { type Clock, ecuadorDate, type Logger } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';
import { addKeyUse, type KeyUse } from './rows.js';

/**
 * Counts the requests of keys. Counts collect in memory and are written together, so that authentication costs no
 * write. A crash loses the last second, and so may a lost answer to a commit: no request is counted twice.
 */
export class KeyUsage {
  #pending = new Map<string, KeyUse>();
  #writing: Promise<void> = Promise.resolve();

  readonly #database: ServerDatabase;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(database: ServerDatabase, clock: Clock, logger: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Counts one request. */
  count(keyId: string): void {
    const now = this.#clock.now();
    const day = ecuadorDate(now);
    this.#add({ keyId, day, count: 1, lastUsedAt: now });
  }

  /** Writes the collected counts. Resolves when they are stored; a failure keeps them for the next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = [...this.#pending.values()];
    this.#pending = new Map();
    let mayBeStored = false;
    try {
      await this.#database.transaction(async (tables) => {
        mayBeStored = false;
        await addKeyUse(tables, uses);
        mayBeStored = true;
      });
    } catch (error) {
      if (!mayBeStored) for (const use of uses) this.#add(use);
      this.#logger.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'key usage not stored yet');
    }
  }

  #add(use: KeyUse): void {
    const name = `${use.keyId} ${use.day}`;
    const known = this.#pending.get(name);
    this.#pending.set(name, {
      ...use,
      count: use.count + (known?.count ?? 0),
      lastUsedAt: known && known.lastUsedAt > use.lastUsedAt ? known.lastUsedAt : use.lastUsedAt,
    });
  }
}
