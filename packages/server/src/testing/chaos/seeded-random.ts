/** Random values that a seed repeats. */
export interface SeededRandom {
  /** From 0 up to, but not, `below`. */
  below(below: number): number;
  /** True with that probability, from 0 to 1. */
  chance(probability: number): boolean;
  /** One of them. */
  pick<T>(of: readonly T[]): T;
}

/** Creates a random source. The same seeds give the same sequence (mulberry32). */
export function createSeededRandom(...seeds: readonly number[]): SeededRandom {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1) | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    below: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick(of) {
      if (of.length === 0) throw new RangeError('There is nothing to pick from.');
      return of[Math.floor(next() * of.length)] as (typeof of)[number];
    },
  };
}
