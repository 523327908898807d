import type { Clock } from '../../clock.js';

/** Turns to call the SRI: one at a time at a steady rate, and slower while it fails. */
export interface Pace {
  /** Waits for the next turn; rejects with the signal's reason when it aborts first. */
  turn(signal: AbortSignal): Promise<void>;
  /** The SRI failed: all turns wait, twice as long after each failure in a row. */
  failed(): void;
  answered(): void;
  /** Failures since the last answer. */
  readonly failuresInRow: number;
}

/** @param perSecond calls in a second at most. */
export function createPace(clock: Clock, perSecond: number): Pace {
  const intervalMs = 1000 / perSecond;
  let nextAt = 0;
  let failures = 0;

  return {
    async turn(signal) {
      signal.throwIfAborted();
      for (;;) {
        const now = clock.now().getTime();
        if (nextAt <= now) {
          nextAt = now + intervalMs;
          return;
        }
        // A failure during the wait moves the turn further away.
        await clock.sleep(nextAt - now, signal);
      }
    },
    failed() {
      failures += 1;
      nextAt = Math.max(nextAt, clock.now().getTime() + FIRST_HOLD_MS * 2 ** (failures - 1));
    },
    answered() {
      failures = 0;
    },
    get failuresInRow() {
      return failures;
    },
  };
}

// --- internal ---

const FIRST_HOLD_MS = 2_000;
