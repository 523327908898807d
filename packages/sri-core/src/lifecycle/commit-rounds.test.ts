import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCommitRounds, type Signing } from './commit-rounds.js';

describe('batches of several counters', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Counters that sign a document each, on command; `gone` lists those whose batch goes to the storage. */
  function open() {
    const rounds = createCommitRounds();
    const gone: string[] = [];
    const counter = (name: string) => {
      const signing: Signing = { count: 0 };
      const sign = () => {
        const signature = Promise.withResolvers<void>();
        rounds.count(signing, signature.promise);
        return signature;
      };
      const join = (size = 1) => void rounds.join(signing, size).then(() => gone.push(name));
      return { sign, join };
    };
    return { counter, gone };
  }
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('a batch commits at once when no other counter signs', async () => {
    const { counter, gone } = open();
    const a = counter('a');
    a.sign();
    a.join();
    await settle();
    expect(gone).toEqual(['a']);
  });

  it('batches of several counters commit together once the last signature is there, or cannot be made', async () => {
    const { counter, gone } = open();
    const [a, b, c] = [counter('a'), counter('b'), counter('c')];
    const [ofB, ofC] = [b.sign(), c.sign()];
    a.join();
    ofB.resolve();
    b.join();
    await settle();
    expect(gone).toEqual([]);
    ofC.reject(new Error('The token is gone.'));
    await settle();
    expect(gone).toEqual(['a', 'b']);
  });

  it('batches of several counters commit together once they are worth a commit', async () => {
    const { counter, gone } = open();
    counter('slow').sign();
    for (let n = 1; n < 16; n += 1) counter(`${n}`).join();
    await settle();
    expect(gone).toEqual([]);
    counter('16').join();
    await settle();
    expect(gone).toHaveLength(16);
    // The next round waits its own time.
    await vi.advanceTimersByTimeAsync(5);
    counter('17').join();
    await vi.advanceTimersByTimeAsync(5);
    expect(gone).not.toContain('17');
  });

  it('a batch waits ten milliseconds for a slow signer, and a later batch as long again', async () => {
    const { counter, gone } = open();
    counter('slow').sign();
    for (const name of ['a', 'b']) {
      counter(name).join();
      await vi.advanceTimersByTimeAsync(9);
      expect(gone).not.toContain(name);
      await vi.advanceTimersByTimeAsync(1);
      expect(gone).toContain(name);
    }
  });
});
