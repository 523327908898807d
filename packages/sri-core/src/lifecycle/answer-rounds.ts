import type { Clock } from '../clock.js';
import type { SriClient } from '../sri/soap-client.js';

/**
 * Lets the answers of the SRI through together, at short intervals, while many are asked for at a time: what becomes of
 * them shares commits then, where each by itself would wait for the disk. Nobody stands waiting for these answers. With
 * few under way each comes through at once.
 *
 * @param underWay how many calls are.
 */
export function inRounds(sri: SriClient, clock: Clock, underWay: () => number): SriClient {
  let round: Promise<void> | null = null;

  async function nextRound(): Promise<void> {
    if (underWay() < MANY_UNDER_WAY) return;
    round ??= clock.sleep(ROUND_MS).finally(() => {
      round = null;
    });
    await round;
  }

  // Not async themselves: they would keep what was asked, a signed document, for as long as the SRI takes.
  return {
    submit: (...asked) => sri.submit(...asked).finally(nextRound),
    authorization: (...asked) => sri.authorization(...asked).finally(nextRound),
  };
}

/** So many calls under way are worth keeping together. */
export const MANY_UNDER_WAY = 32;

// --- internal ---

/** Short beside an answer's own time, and long enough for some to come together. */
const ROUND_MS = 40;
