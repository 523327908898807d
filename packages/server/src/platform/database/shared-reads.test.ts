import { describe, expect, it } from 'vitest';
import { createSharedReads } from './shared-reads.js';

describe('shared reads', () => {
  it('run once for all callers that asked before they started', async () => {
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

  it('never answer a caller that asked after they started', async () => {
    const reads = createSharedReads<string>();
    const begun: ((value: string) => void)[] = [];
    const read = () => new Promise<string>((resolve) => begun.push(resolve));
    const early = reads.ask('a', read);
    await new Promise((resolve) => setImmediate(resolve));
    const late = [reads.ask('a', read), reads.ask('a', read)];
    await new Promise((resolve) => setImmediate(resolve));
    // The running read is awaited, so that many callers that ask during it share the next one.
    expect(begun).toHaveLength(1);
    begun[0]?.('old');
    expect(await early).toBe('old');
    await new Promise((resolve) => setImmediate(resolve));
    begun[1]?.('new');
    expect(await Promise.all(late)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(2);
  });

  it('report a failure to every caller, and read again afterwards', async () => {
    const reads = createSharedReads<string>();
    const failing = () => Promise.reject(new Error('away'));
    const asked = await Promise.allSettled([reads.ask('a', failing), reads.ask('a', failing)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.ask('a', async () => 'back')).toBe('back');
  });
});
