import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { StorageUnavailableError } from 'sri-core';
import { StorageNotMigratedError } from './errors.js';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';

/** How long a write waits for other writers, unless told. */
export const BUSY_WAIT_MS = 5000;

/** The longest pause before it looks again: a writer seldom takes longer than one commit. */
export const BUSY_PAUSE_MS = 10;

/** Runs reads and transactions, and tells faults of the database from faults of ours. */
export interface Session {
  /** For what is left to be done later by others. @throws inside a transaction, where `read` and `write` do as well. */
  requireOutside(): void;

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
  /**
   * Finds out what became of an earlier attempt whose connection broke in the middle of the commit, given the outcome of
   * the one after it: that one waited for the locks of the earlier, if it was still under way, and came to nothing if
   * that succeeded. Without it the caller is left in doubt, and nothing is repeated.
   */
  readonly confirm?: (outcome: T) => Promise<T>;
  /** It migrates: the steps of the schema are not counted at its beginning, since it waits for all that have counted them. */
  readonly migrates?: boolean;
}

/** @param busyWaitMs how long to wait for other writers. */
export function createSession(kysely: Kysely<CoreTables>, traits: DialectTraits, busyWaitMs = BUSY_WAIT_MS): Session {
  const transactions = new AsyncLocalStorage<{ open: boolean }>();

  /** On a database with one connection, a query from inside a transaction would wait for the transaction for ever. */
  function requireOutside(): void {
    if (transactions.getStore()?.open) {
      throw new Error('Inside a transaction, use the handle it was given instead of the storage.');
    }
  }

  /** Runs `work` so that `requireOutside` fails within it, but not in what it started and left to itself. */
  async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
    const state = { open: true };
    try {
      return await transactions.run(state, work);
    } finally {
      state.open = false;
    }
  }

  return {
    requireOutside,

    async read(work) {
      requireOutside();
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(kysely);
        } catch (error) {
          if (traits.classify(error) !== 'disconnected' || attempt === ATTEMPTS) throw translateFailure(error, traits);
          await sleep(pauseMs(attempt));
        }
      }
    },

    async write<T>(
      work: (transaction: Transaction<CoreTables>, undo: (outcome: T) => never) => Promise<T>,
      { confirm, migrates = false }: WriteOptions<T> = {},
    ): Promise<T> {
      requireOutside();
      const giveUpAt = performance.now() + busyWaitMs;
      // True once a commit was asked for and the answer was lost, so that it may have taken place.
      let doubtful = false;
      for (let attempt = 1; ; ) {
        let committing = false;
        const undone: { outcome?: T } = {};
        try {
          const begun = migrates ? kysely.transaction().setAccessMode('read write') : kysely.transaction();
          const outcome = await begun.execute((transaction) =>
            asTransaction(async () => {
              const result = await work(transaction, (outcome) => {
                undone.outcome = outcome;
                throw new Undone();
              });
              committing = true;
              return result;
            }),
          );
          return doubtful && confirm ? confirm(outcome) : outcome;
        } catch (error) {
          if (error instanceof Undone && 'outcome' in undone) {
            const outcome = undone.outcome as T;
            return doubtful && confirm ? confirm(outcome) : outcome;
          }
          const failure = traits.classify(error);
          if (failure === 'busy' && performance.now() < giveUpAt) {
            await sleep(BUSY_PAUSE_MS * Math.random());
            continue;
          }
          if (failure !== 'conflict' && failure !== 'disconnected') throw translateFailure(error, traits);
          if (failure === 'disconnected' && committing) {
            if (!confirm) throw translateFailure(error, traits);
            doubtful = true;
          }
          if (attempt === (doubtful ? DOUBTFUL_ATTEMPTS : ATTEMPTS)) throw translateFailure(error, traits);
          await sleep(doubtful ? DOUBTFUL_PAUSE_MS : pauseMs(attempt));
          attempt += 1;
        }
      }
    },
  };
}

/** A failure of the driver as the storage tells it. */
export function translateFailure(error: unknown, traits: DialectTraits): unknown {
  switch (traits.classify(error)) {
    case 'duplicate':
    case 'other':
      return error;
    case 'unmigrated':
      return new StorageNotMigratedError({ cause: error });
    case 'busy':
      return new StorageUnavailableError('The database is busy with other writers.', { cause: error });
    case 'conflict':
      return new StorageUnavailableError('Other transactions kept getting in the way.', { cause: error });
    default:
      return new StorageUnavailableError('The database cannot be used at the moment.', { cause: error });
  }
}

// --- internal ---

const ATTEMPTS = 3;

/** A server that restarts is back within seconds, and only it can tell what became of a commit. */
const DOUBTFUL_ATTEMPTS = 12;
const DOUBTFUL_PAUSE_MS = 400;

/** Makes the transaction roll back, with nothing wrong. */
class Undone extends Error {}

function pauseMs(attempt: number): number {
  return 20 * 4 ** attempt * (0.5 + Math.random());
}
