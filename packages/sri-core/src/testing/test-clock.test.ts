import { describe, expect, it } from 'vitest';
import { createTestClock } from './test-clock.js';

const NOON = '2026-11-21T17:00:00.000Z';

describe('a test clock', () => {
  it('a test clock stands still, and returns dates that a caller may change without moving it', () => {
    const clock = createTestClock(NOON);
    clock.now().setFullYear(1999);
    expect(clock.now().toISOString()).toBe(NOON);
  });

  it('a test clock wakes sleepers in the order of their time, each at its own time', async () => {
    const clock = createTestClock(NOON);
    const woken: string[] = [];
    const nap = async (ms: number) => {
      await clock.sleep(ms);
      woken.push(`${ms} at ${clock.now().toISOString().slice(17, 23)}`);
    };
    void nap(300);
    void nap(100);
    void nap(900);
    await clock.advance(500);
    expect(woken).toEqual(['100 at 00.100', '300 at 00.300']);
    expect(clock.now().toISOString()).toBe('2026-11-21T17:00:00.500Z');
  });

  it('a test clock gives a loop that sleeps repeatedly all its turns', async () => {
    const clock = createTestClock(NOON);
    let turns = 0;
    void (async () => {
      for (;;) {
        await clock.sleep(1000);
        turns += 1;
      }
    })();
    await clock.advance(60_000);
    expect(turns).toBe(60);
  });

  it('a test clock does not wait for time that is already over', async () => {
    await createTestClock(NOON).sleep(0);
  });

  it('a test clock runs until a promise settles, through every sleep on the way and no further', async () => {
    const clock = createTestClock(NOON);
    const work = async () => {
      await clock.sleep(30_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.sleep(60_000);
      return 'done';
    };
    expect(await clock.runUntil(work())).toBe('done');
    expect(clock.now().toISOString()).toBe('2026-11-21T17:01:30.000Z');
    await expect(clock.runUntil(clock.sleep(5).then(() => Promise.reject(new Error('broken'))))).rejects.toThrow(
      'broken',
    );
  });

  it('a test clock stops running for a promise that never settles', async () => {
    const clock = createTestClock(NOON);
    void (async () => {
      for (;;) await clock.sleep(1000);
    })();
    await expect(clock.runUntil(new Promise(() => {}), 10_000)).rejects.toThrow(RangeError);
    expect(clock.now().toISOString()).toBe('2026-11-21T17:00:10.000Z');
  });

  it('a test clock rejects with the reason of an aborted signal, before and during the sleep', async () => {
    const clock = createTestClock(NOON);
    const reason = new Error('stop');
    await expect(clock.sleep(5, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stopping = new AbortController();
    const asleep = clock.sleep(5, stopping.signal);
    stopping.abort(reason);
    await expect(asleep).rejects.toBe(reason);
    await clock.advance(10);
  });

  it('a test clock jumps, back as well, and rejects an invalid date', async () => {
    const clock = createTestClock(NOON);
    const asleep = clock.sleep(1000);
    clock.set('2026-11-21T16:00:00Z');
    clock.set('2026-11-21T18:00:00Z');
    await asleep;
    expect(() => clock.set('soon')).toThrow(RangeError);
  });
});
