import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExpiringCache } from './expiring-cache.js';

it('keeps no more than its limit, and drops the oldest first', () => {
  const cache = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  expect(cache.occupancy()).toEqual({ used: 2, limit: 2 });
  cache.set('c', 4);
  expect(cache.occupancy()).toEqual({ used: 2, limit: 2 });
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([3, null, 4]);
  cache.clear();
  expect(['a', 'c'].map((key) => cache.get(key))).toEqual([null, null]);
});

describe('the expiry of values', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('returns a value until it expires, counted from its last change', () => {
    const cache = new ExpiringCache<number>({ ttlMs: 100, maxEntries: 2 });
    cache.set('a', 1);
    now = 99;
    expect(cache.get('a')).toBe(1);
    cache.set('a', 2);
    now = 198;
    expect(cache.get('a')).toBe(2);
    now = 199;
    expect(cache.get('a')).toBeNull();
  });

  it.each([
    { name: 'a read', drop: (cache: ExpiringCache<number>) => void cache.get('a') },
    { name: 'a sweep', drop: (cache: ExpiringCache<number>) => cache.sweep() },
  ])('removes an expired value after $name, and no other value', ({ drop }) => {
    const cache = new ExpiringCache<number>({ ttlMs: 100, maxEntries: 2 });
    cache.set('a', 1);
    now = 1;
    cache.set('b', 2);
    now = 100;
    drop(cache);
    // A hidden but kept value would reappear.
    now = 0;
    expect([cache.get('a'), cache.get('b')]).toEqual([null, 2]);
  });
});

it('drops the values whose keys start with a prefix, and no others', () => {
  const cache = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 10 });
  for (const [index, key] of ['a 1', 'a 2', 'ab 1', 'b 1'].entries()) cache.set(key, index);
  cache.drop('a ');
  expect(['a 1', 'a 2', 'ab 1', 'b 1'].map((key) => cache.get(key))).toEqual([null, null, 2, 3]);
});
