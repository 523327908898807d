import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKeyedReads } from './keyed-reads.js';

/** Reads that record their queries and return values with a version. */
function countedReads() {
  const asked: (readonly string[])[] = [];
  let version = 1;
  const reads = createKeyedReads(async (keys) => {
    asked.push(keys);
    const values = new Map(keys.filter((key) => key !== 'nothing').map((key) => [key, `${key}${version}`]));
    await turn();
    return values;
  });
  const change = () => {
    version += 1;
  };
  return { reads, asked, change };
}

describe('reads by keys', () => {
  it('concurrent reads by keys are made as one, each key once', async () => {
    const { reads, asked } = countedReads();
    const found = await Promise.all(['a', 'b', 'nothing', 'a'].map((key) => reads.ask(key)));
    expect(found).toEqual(['a1', 'b1', null, 'a1']);
    expect(asked).toEqual([['a', 'b', 'nothing']]);
  });

  it('a read returns no value older than the call', async () => {
    const { reads, asked, change } = countedReads();
    const first = reads.ask('a');
    while (asked.length === 0) await turn();
    change();
    expect(await Promise.all([first, reads.ask('a')])).toEqual(['a1', 'a2']);
  });

  it('reads of many keys are made in parts', async () => {
    const { reads, asked } = countedReads();
    const keys = Array.from({ length: 150 }, (_, index) => `key ${index} of version `);
    expect(await Promise.all(keys.map((key) => reads.ask(key)))).toEqual(keys.map((key) => `${key}1`));
    expect(asked.map(({ length }) => length)).toEqual([64, 64, 22]);
  });

  it('a failed read fails for all its callers, and for no later caller', async () => {
    let broken = true;
    const reads = createKeyedReads(async (keys) => {
      if (broken) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    });
    const results = await Promise.allSettled([reads.ask('a'), reads.ask('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await reads.ask('a')).toBe('a');
  });
});
