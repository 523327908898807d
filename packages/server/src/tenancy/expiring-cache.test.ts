import { expect, it } from 'vitest';
import { ExpiringCache } from './expiring-cache.js';

it('keeps no more than it may, and lets the longest kept go first', () => {
  const cache = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([3, null, 4]);
  cache.clear();
  expect(['a', 'c'].map((key) => cache.get(key))).toEqual([null, null]);
});

it('gives nothing whose time is over, and sweeps that and nothing else', () => {
  const over = new ExpiringCache<number>({ ttlMs: 0, maxEntries: 2 });
  over.set('a', 1);
  over.sweep();
  expect(over.get('a')).toBeNull();
  over.set('a', 1);
  expect(over.get('a')).toBeNull();
  const kept = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 2 });
  kept.set('a', 1);
  kept.sweep();
  expect(kept.get('a')).toBe(1);
});

it('drops the values whose keys begin so, and no others', () => {
  const cache = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 10 });
  for (const [index, key] of ['a 1', 'a 2', 'ab 1', 'b 1'].entries()) cache.set(key, index);
  cache.drop('a ');
  expect(['a 1', 'a 2', 'ab 1', 'b 1'].map((key) => cache.get(key))).toEqual([null, null, 2, 3]);
});
