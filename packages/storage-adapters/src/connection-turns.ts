/** A lock on the one connection of a database: whoever asks gets it in turn. */
export interface ConnectionTurns {
  /** Resolves once it is the caller's turn, which lasts until `release`. */
  take(): Promise<void>;
  /** Hands the connection to whoever has waited longest. */
  release(): void;
}

/**
 * Makes a lock that nobody holds. Each release wakes the next caller and no other: waking all of them, for all but one to
 * wait again, takes time and memory with the square of how many wait.
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
      // Handed over rather than freed, so that nobody who comes now slips in between.
      if (next) next();
      else isTaken = false;
    },
  };
}
