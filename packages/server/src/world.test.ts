import { describe, expect, it } from 'vitest';
import { LIVES_A_WORLD, SERVERS_EVERY } from './testing/world/faults.js';
import { GUARDS } from './testing/world/guards.js';
import { playWorlds } from './testing/world/play-worlds.js';

describe('a simulated world', () => {
  it('has the same story again for the same seed, and breaks no promise', async () => {
    const worlds = { seed: SERVERS_EVERY, lives: 2 * LIVES_A_WORLD };
    const once = await playWorlds({ ...worlds, processes: 1 });
    const again = await playWorlds({ ...worlds, processes: 2 });
    expect(once.map(({ violations }) => violations)).toEqual([[], []]);
    expect(again).toEqual(once);
  });

  it.each(GUARDS)('finds that $name', async ({ name, seed }) => {
    const [world] = await playWorlds({ seed, lives: LIVES_A_WORLD, without: name, processes: 1 });
    expect(world?.violations).not.toEqual([]);
  });
});
