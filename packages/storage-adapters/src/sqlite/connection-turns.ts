import { setImmediate } from 'node:timers';

/** A lock on the only connection of a database. Callers get it in their order. */
export interface ConnectionTurns {
  /** Resolves when the caller holds the lock, until `release`. */
  take(): Promise<void>;
  /** Passes the lock to the caller that has waited longest. */
  release(): void;
}

/**
 * Creates the lock. Each release wakes one caller. Waking all waiting callers would take time and memory with the square of
 * their number. SQLite answers at once, so a queue runs without the event loop: it pauses for the event loop after a few
 * milliseconds. Otherwise sockets would wait for the whole queue.
 *
 * @param nowMs a monotonic clock.
 */
export function createConnectionTurns(nowMs = () => performance.now()): ConnectionTurns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  /** When the queue began to run. */
  let runsSince = 0;
  return {
    async take() {
      if (isTaken) return new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      runsSince = nowMs();
    },
    release() {
      const next = waiting.shift();
      // Passed on instead of freed, so that no new caller overtakes.
      if (!next) isTaken = false;
      else if (nowMs() - runsSince < LONGEST_RUN_MS) next();
      else
        setImmediate(() => {
          runsSince = nowMs();
          next();
        });
    },
  };
}

// --- internal ---

/** Far more than a pause costs. */
const LONGEST_RUN_MS = 5;
