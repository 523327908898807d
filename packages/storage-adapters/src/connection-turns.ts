/** A lock on the only connection of a database. Callers get it in their order. */
export interface ConnectionTurns {
  /** Resolves when the caller holds the lock, until `release`. */
  take(): Promise<void>;
  /** Passes the lock to the caller that has waited longest. */
  release(): void;
}

/**
 * Creates the lock. Each release wakes one caller. Waking all waiting callers would take time and memory with the square of
 * their number.
 */
export function createConnectionTurns(): ConnectionTurns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async take() {
      if (isTaken) return new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    release() {
      const next = waiting.shift();
      // Passed on instead of freed, so that no new caller overtakes.
      if (next) next();
      else isTaken = false;
    },
  };
}
