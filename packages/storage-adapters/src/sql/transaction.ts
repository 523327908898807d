import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { StorageUnavailableError } from 'sri-core';
import { StorageNotMigratedError } from '../errors.js';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';

/** The default wait of a write for other writers. */
export const BUSY_WAIT_MS = 5000;

/** The longest pause between retries. A writer rarely takes longer than one commit. */
export const BUSY_PAUSE_MS = 10;

/** Runs reads and transactions, and separates failures of the database from faults of this software. */
export interface Session {
  /** For work that others do later. @throws inside a transaction, like `read` and `write`. */
  requireOutside(): void;

  /** A query outside transactions. On a dead connection it is retried. */
  read<T>(work: (db: Kysely<CoreTables>) => Promise<T>): Promise<T>;

  /**
   * One transaction. `work` may run more than once, so it has no effect outside the database. `undo` ends it early, with
   * nothing done.
   *
   * @throws StorageUnavailableError for a failure of the database, with nothing done unless a commit stayed in doubt;
   * otherwise the error of `work`.
   */
  write<T>(
    work: (transaction: Transaction<CoreTables>, undo: (outcome: T) => never) => Promise<T>,
    options?: WriteOptions<T>,
  ): Promise<T>;
}

/** Options of a transaction. */
export interface WriteOptions<T> {
  /**
   * Determines the outcome of an attempt whose connection broke during its commit, from the outcome of the next attempt. The
   * next attempt waits for the locks of the first, and writes nothing if the first succeeded. Without it the commit stays in
   * doubt, and nothing is retried.
   */
  readonly confirm?: (outcome: T) => Promise<T>;
  /** A migration: it does not count the steps, because it waits for all transactions that have. */
  readonly migrates?: boolean;
}

/** @param busyWaitMs how long to wait for other writers. */
export function createSession(kysely: Kysely<CoreTables>, traits: DialectTraits, busyWaitMs = BUSY_WAIT_MS): Session {
  const transactions = new AsyncLocalStorage<{ open: boolean }>();

  /** With one connection, a query from inside a transaction would wait forever. */
  function requireOutside(): void {
    if (transactions.getStore()?.open) {
      throw new Error('Inside a transaction, use the handle it was given instead of the storage.');
    }
  }

  /** Runs `work` so that `requireOutside` fails within it, but not in work that it left running. */
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
      // Set once the answer to a commit was lost, which may have succeeded: until then its outcome is looked up.
      let doubtUntil: number | null = null;
      for (let attempt = 1; ; ) {
        let committing = false;
        const undone: { outcome?: T } = {};
        try {
          // A step of another process must be visible after the wait for its lock.
          const begun = migrates ? kysely.transaction().setIsolationLevel('read committed') : kysely.transaction();
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
          return doubtUntil !== null && confirm ? confirm(outcome) : outcome;
        } catch (error) {
          if (error instanceof Undone && 'outcome' in undone) {
            const outcome = undone.outcome as T;
            return doubtUntil !== null && confirm ? confirm(outcome) : outcome;
          }
          const failure = traits.classify(error);
          if (failure === 'busy' && performance.now() < giveUpAt) {
            await sleep(BUSY_PAUSE_MS * Math.random());
            continue;
          }
          if (failure === 'disconnected' && committing) {
            if (!confirm) throw translateFailure(error, traits);
            doubtUntil ??= performance.now() + DOUBT_MS;
          }
          const translated = translateFailure(error, traits);
          const isRetried =
            doubtUntil === null
              ? attempt < ATTEMPTS && (failure === 'conflict' || failure === 'disconnected')
              : performance.now() < doubtUntil && translated instanceof StorageUnavailableError;
          if (!isRetried) throw translated;
          await sleep(doubtUntil === null ? pauseMs(attempt) : DOUBT_PAUSE_MS);
          attempt += 1;
        }
      }
    },
  };
}

/** A driver's failure as an error of the storage. */
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
      return new StorageUnavailableError(`The database cannot be used at the moment: ${reasonOf(error)}`, {
        cause: error,
      });
  }
}

// --- internal ---

/** The driver's message; that of the first address for a host with several. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : 'unknown';
}

const ATTEMPTS = 3;

/** A restarting or promoted server is back within seconds, and only the server knows the outcome of a commit. */
const DOUBT_MS = 20_000;
const DOUBT_PAUSE_MS = 400;

/** Rolls back the transaction without an error. */
class Undone extends Error {}

function pauseMs(attempt: number): number {
  return 20 * 4 ** attempt * (0.5 + Math.random());
}
