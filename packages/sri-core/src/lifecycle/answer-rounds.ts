import type { Clock } from '../clock.js';
import type { IssuingCalls } from '../sri/soap-client.js';

/**
 * Releases the SRI's answers together, at short intervals, while many calls are under way. Their changes then share commits;
 * alone, each would wait for the disk. No caller waits for these answers. With few calls under way, each answer passes at
 * once.
 *
 * @param underWay the number of calls under way.
 */
export function inRounds(sri: IssuingCalls, clock: Clock, underWay: () => number): IssuingCalls {
  let round: Promise<void> | null = null;

  async function nextRound(): Promise<void> {
    if (underWay() < MANY_UNDER_WAY) return;
    round ??= clock.sleep(ROUND_MS).finally(() => {
      round = null;
    });
    await round;
  }

  // These functions are not async: an async frame would keep the signed document until the SRI answers.
  return {
    submit: (...asked) => sri.submit(...asked).finally(nextRound),
    authorization: (...asked) => sri.authorization(...asked).finally(nextRound),
  };
}

/** The number of calls from which answers are grouped. */
export const MANY_UNDER_WAY = 32;

// --- internal ---

/** Short compared with an answer's own time, and long enough to group some answers. */
const ROUND_MS = 40;
