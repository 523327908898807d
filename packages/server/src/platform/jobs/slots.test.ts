import { describe, expect, it } from 'vitest';
import { createSlots, SLOW_AFTER_MS } from './slots.js';

const limits = { concurrency: 4, concurrencyWithSlow: 6, concurrencyPerLane: 2 };

describe('slots', () => {
  it('a slot is freed once, even if its holder leaves twice', () => {
    const slots = createSlots(limits, () => 0);
    const leave = [slots.take('a'), slots.take('a'), slots.take('b')];
    expect([slots.free(), slots.freeIn('a'), slots.freeIn('b'), slots.freeIn('c')]).toEqual([1, 0, 1, 2]);
    leave[0]?.();
    leave[0]?.();
    expect([slots.free(), slots.freeIn('a')]).toEqual([2, 1]);
  });

  it('a slow attempt frees its slot, up to a separate limit', () => {
    let now = 0;
    const slots = createSlots(limits, () => now);
    for (const lane of ['a', 'a', 'b', 'b']) slots.take(lane);
    expect(slots.free()).toBe(0);
    now = SLOW_AFTER_MS;
    expect([slots.free(), slots.freeIn('a')]).toEqual([2, 0]);
    for (const lane of ['c', 'c']) slots.take(lane);
    now = 2 * SLOW_AFTER_MS;
    expect(slots.free()).toBe(0);
  });
});
