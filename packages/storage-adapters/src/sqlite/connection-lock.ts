import { setImmediate } from 'node:timers';

/** A lock on the only connection of a database. Callers get it in their order. */
export interface ConnectionLock {
  /** Resolves when the caller holds the lock, until `release`. */
  take(): Promise<void>;
  /** Passes the lock to the caller that has waited longest. */
  release(): void;
}

/**
 * Creates the lock. Each release wakes one caller. Waking all waiting callers would take time and memory with the square of
 * their number. SQLite answers at once, so work on it runs without the event loop, in a queue as in the steps of one caller.
 * The lock pauses for the event loop after a few milliseconds. Otherwise sockets would wait for all that work.
 *
 * @param nowMs a monotonic clock.
 */
export function createConnectionLock(nowMs = () => performance.now()): ConnectionLock {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  /** When the first caller in this turn of the event loop began; null before it. */
  let runsSince: number | null = null;

  function begin(caller: () => void): void {
    if (runsSince === null) {
      runsSince = nowMs();
      setImmediate(() => {
        runsSince = null;
      });
    }
    if (nowMs() - runsSince < LONGEST_RUN_MS) caller();
    else setImmediate(() => begin(caller));
  }

  return {
    take() {
      return new Promise((resolve) => {
        if (isTaken) waiting.push(resolve);
        else {
          isTaken = true;
          begin(resolve);
        }
      });
    },
    release() {
      const next = waiting.shift();
      // Passed on instead of freed, so that no new caller overtakes.
      if (next) begin(next);
      else isTaken = false;
    },
  };
}

// --- internal ---

/** Far more than a pause costs. */
const LONGEST_RUN_MS = 5;
