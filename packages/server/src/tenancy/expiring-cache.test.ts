import { expect, it } from 'vitest';
import { ExpiringCache } from './expiring-cache.js';

it('drops the values whose keys begin so, and no others', () => {
  const cache = new ExpiringCache<number>({ ttlMs: 60_000, maxEntries: 10 });
  for (const [index, key] of ['a 1', 'a 2', 'ab 1', 'b 1'].entries()) cache.set(key, index);
  cache.drop('a ');
  expect(['a 1', 'a 2', 'ab 1', 'b 1'].map((key) => cache.get(key))).toEqual([null, null, 2, 3]);
});
