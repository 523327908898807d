import { describe, expect, it } from 'vitest';
import { LIVES_A_WORLD, SERVERS_EVERY } from './testing/world/faults.js';
import { GUARDS } from './testing/world/guards.js';
import { playWorlds } from './testing/world/play-worlds.js';

/** The documents within which a missing guard is found. */
const MOST_LIVES = 50_000;

const LONGEST_MS = 300_000;

describe('a simulated world', () => {
  it(
    'a world has the same story for the same seed, and breaks no promise',
    async () => {
      const worlds = { seed: SERVERS_EVERY, lives: 2 * LIVES_A_WORLD };
      const once = await playWorlds({ ...worlds, processes: 1 });
      const again = await playWorlds({ ...worlds, processes: 2 });
      expect(once.map(({ violations }) => violations)).toEqual([[], []]);
      expect(again).toEqual(once);
    },
    LONGEST_MS,
  );

  it.concurrent.each(GUARDS)(
    'a world finds a missing guard: $name',
    async ({ name, seed }) => {
      // A change of the code gives a seed another story; then a later seed finds the missing guard.
      const stride = seed % SERVERS_EVERY === 0 ? SERVERS_EVERY : 1;
      const worlds = await playWorlds({ seed, stride, lives: MOST_LIVES, without: name, processes: 1 });
      expect(worlds.at(-1)?.violations.length).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});
