/** Choices that a seed decides: the same seed makes the same choices in the same order. */
export interface SeededChoice {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  /** One of several, each as often as its weight says. */
  weighed<T>(list: readonly (readonly [weight: number, value: T])[]): T;
}

/** Creates choices from a seed. They are no secret: use them for examples only. */
export function createSeededChoice(seed: number): SeededChoice {
  let state = seed >>> 0;
  /** Mulberry32, by Tommy Ettinger, public domain. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    one: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    weighed(list) {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) {
        left -= weight;
        if (left < 0) return value;
      }
      throw new RangeError('Nothing to choose from.');
    },
  };
}
