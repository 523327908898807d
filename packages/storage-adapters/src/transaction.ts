import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { StorageUnavailableError } from 'sri-core';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';

/** How long a write waits for other writers. */
export const BUSY_WAIT_MS = 5000;

/** Runs reads and transactions, and tells faults of the database from faults of ours. */
export interface Session {
  /** A query outside transactions. Repeated when the connection turns out to be dead. */
  read<T>(work: (db: Kysely<CoreTables>) => Promise<T>): Promise<T>;

  /**
   * One transaction. `work` may run more than once, so it does nothing outside the database; it ends early, with nothing
   * done, through `undo`.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `work` threw.
   */
  write<T>(
    work: (transaction: Transaction<CoreTables>, undo: (outcome: T) => never) => Promise<T>,
    options?: WriteOptions<T>,
  ): Promise<T>;
}

/** What a transaction may be told beside its work. */
export interface WriteOptions<T> {
  /** Finds out, after the connection broke in the middle of a commit, whether it took place; null when it did not. */
  readonly confirm?: () => Promise<T | null>;
  /** How long to wait for other writers; `BUSY_WAIT_MS` unless told. */
  readonly waitMs?: number;
}

export function createSession(kysely: Kysely<CoreTables>, traits: DialectTraits): Session {
  // On a database with one connection a query from inside a transaction would wait for itself.
  const insideTransaction = new AsyncLocalStorage<true>();

  function requireOutside(): void {
    if (insideTransaction.getStore()) {
      throw new Error('Inside a transaction, use the handle it was given instead of the storage.');
    }
  }

  return {
    async read(work) {
      requireOutside();
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(kysely);
        } catch (error) {
          if (traits.classify(error) !== 'disconnected' || attempt === ATTEMPTS) throw translate(error, traits);
          await sleep(pauseMs(attempt));
        }
      }
    },

    async write<T>(
      work: (transaction: Transaction<CoreTables>, undo: (outcome: T) => never) => Promise<T>,
      { confirm, waitMs = BUSY_WAIT_MS }: WriteOptions<T> = {},
    ): Promise<T> {
      requireOutside();
      const giveUpAt = performance.now() + waitMs;
      for (let attempt = 1; ; ) {
        let committing = false;
        const undone: { outcome?: T } = {};
        try {
          return await kysely.transaction().execute((transaction) =>
            insideTransaction.run(true, async () => {
              const result = await work(transaction, (outcome) => {
                undone.outcome = outcome;
                throw new Undone();
              });
              committing = true;
              return result;
            }),
          );
        } catch (error) {
          if (error instanceof Undone && 'outcome' in undone) return undone.outcome as T;
          const failure = traits.classify(error);
          if (failure === 'busy' && performance.now() < giveUpAt) {
            await sleep(BUSY_PAUSE_MS * Math.random());
            continue;
          }
          if (committing && failure === 'disconnected') {
            const outcome = confirm ? await persistently(confirm) : null;
            if (outcome !== null) return outcome;
            throw translate(error, traits);
          }
          if ((failure !== 'conflict' && failure !== 'disconnected') || attempt === ATTEMPTS) {
            throw translate(error, traits);
          }
          await sleep(pauseMs(attempt));
          attempt += 1;
        }
      }
    },
  };
}

// --- internal ---

const ATTEMPTS = 3;
/** A writer seldom holds the file for longer than one commit takes. */
const BUSY_PAUSE_MS = 10;

/** A database that restarts is back within seconds, and only it can tell what became of the commit. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === CONFIRM_ATTEMPTS) throw error;
      await sleep(CONFIRM_PAUSE_MS);
    }
  }
}

const CONFIRM_ATTEMPTS = 10;
const CONFIRM_PAUSE_MS = 500;

/** Makes the transaction roll back, with nothing wrong. */
class Undone extends Error {}

function pauseMs(attempt: number): number {
  return 20 * 4 ** attempt * (0.5 + Math.random());
}

function translate(error: unknown, traits: DialectTraits): unknown {
  switch (traits.classify(error)) {
    case 'duplicate':
    case 'other':
      return error;
    case 'busy':
      return new StorageUnavailableError('The database is busy with other writers.', { cause: error });
    case 'conflict':
      return new StorageUnavailableError('Other transactions kept getting in the way.', { cause: error });
    default:
      return new StorageUnavailableError('The database cannot be used at the moment.', { cause: error });
  }
}
