import { describe, expect, it } from 'vitest';
import { createSharedReads } from './shared-reads.js';

describe('shared reads', () => {
  it('are made once for all who asked before they began', async () => {
    const reads = createSharedReads<number>();
    let stored = 1;
    let made = 0;
    const read = async () => {
      made += 1;
      return stored;
    };
    const first = [reads.ask('a', read), reads.ask('a', read), reads.ask('b', read)];
    stored = 2;
    expect(await Promise.all(first)).toEqual([2, 2, 2]);
    expect(made).toBe(2);
    stored = 3;
    expect(await reads.ask('a', read)).toBe(3);
  });

  it('never answer who asked after they began', async () => {
    const reads = createSharedReads<string>();
    const begun: ((value: string) => void)[] = [];
    const read = () => new Promise<string>((resolve) => begun.push(resolve));
    const early = reads.ask('a', read);
    await new Promise((resolve) => setImmediate(resolve));
    const late = [reads.ask('a', read), reads.ask('a', read)];
    await new Promise((resolve) => setImmediate(resolve));
    // The one that is running is waited for, so that many who ask meanwhile have one read made for them.
    expect(begun).toHaveLength(1);
    begun[0]?.('old');
    expect(await early).toBe('old');
    await new Promise((resolve) => setImmediate(resolve));
    begun[1]?.('new');
    expect(await Promise.all(late)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(2);
  });

  it('tell everybody of a failure, and read again afterwards', async () => {
    const reads = createSharedReads<string>();
    const failing = () => Promise.reject(new Error('away'));
    const asked = await Promise.allSettled([reads.ask('a', failing), reads.ask('a', failing)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.ask('a', async () => 'back')).toBe('back');
  });
});
