import { describe, expect, it } from 'vitest';
import { createPlaces, SLOW_AFTER_MS } from './slots.js';

const limits = { concurrency: 4, concurrencyWithSlow: 6, concurrencyPerEndpoint: 2 };

describe('places', () => {
  it('are given back once', () => {
    const places = createPlaces(limits, () => 0);
    const leave = [places.take('a'), places.take('a'), places.take('b')];
    expect([places.free(), places.freeAt('a'), places.freeAt('b'), places.freeAt('c')]).toEqual([1, 0, 1, 2]);
    leave[0]?.();
    leave[0]?.();
    expect([places.free(), places.freeAt('a')]).toEqual([2, 1]);
  });

  it('are freed by slow attempts, up to a separate limit', () => {
    let now = 0;
    const places = createPlaces(limits, () => now);
    for (const endpoint of ['a', 'a', 'b', 'b']) places.take(endpoint);
    expect(places.free()).toBe(0);
    now = SLOW_AFTER_MS;
    expect([places.free(), places.freeAt('a')]).toEqual([2, 0]);
    for (const endpoint of ['c', 'c']) places.take(endpoint);
    now = 2 * SLOW_AFTER_MS;
    expect(places.free()).toBe(0);
  });
});
