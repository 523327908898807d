import { describe, expect, it } from 'vitest';
import { createWatchdog, LONGEST_SILENCE_MS } from './watchdog.js';

describe('loops in the background', () => {
  let now = 0;
  const later = (ms: number) => {
    now += ms;
  };
  const stuck = (watchdog: ReturnType<typeof createWatchdog>) =>
    watchdog.all().flatMap(({ name, isStuck }) => (isStuck ? [name] : []));

  it('a loop is stuck while no round starts, and recovers with its next round', async () => {
    const watchdog = createWatchdog(() => now);
    const task = watchdog.watch({ name: 'mail', intervalMs: 1000, run: async () => {} });
    later(10 * LONGEST_SILENCE_MS);
    expect(stuck(watchdog)).toEqual([]);
    watchdog.start();
    later(1000 + LONGEST_SILENCE_MS);
    expect(stuck(watchdog)).toEqual([]);
    later(1);
    expect(stuck(watchdog)).toEqual(['mail']);
    await task.run(new AbortController().signal);
    expect(stuck(watchdog)).toEqual([]);
  });

  it('a loop is stuck while a round makes no progress', async () => {
    const watchdog = createWatchdog(() => now);
    const { promise, resolve } = Promise.withResolvers<void>();
    let progress = () => {};
    const task = watchdog.watch({
      name: 'mail',
      intervalMs: 1000,
      run(_signal, progressed = () => {}) {
        progress = progressed;
        return promise;
      },
    });
    watchdog.start();
    const round = task.run(new AbortController().signal);
    later(LONGEST_SILENCE_MS);
    progress();
    later(LONGEST_SILENCE_MS);
    expect(stuck(watchdog)).toEqual([]);
    later(1);
    expect(stuck(watchdog)).toEqual(['mail']);
    resolve();
    await round;
    expect(stuck(watchdog)).toEqual([]);
  });

  it('a failed round counts as a round', async () => {
    const watchdog = createWatchdog(() => now);
    const run = () => Promise.reject(new Error('no disk'));
    const task = watchdog.watch({ name: 'mail', intervalMs: 1000, run });
    watchdog.start();
    later(LONGEST_SILENCE_MS * 2);
    await expect(task.run(new AbortController().signal)).rejects.toThrow('no disk');
    expect(stuck(watchdog)).toEqual([]);
  });

  it('a worker with its own schedule reports each poll', () => {
    const watchdog = createWatchdog(() => now);
    const look = watchdog.expect('documents', 60_000);
    watchdog.start();
    later(60_000 + LONGEST_SILENCE_MS + 1);
    expect(stuck(watchdog)).toEqual(['documents']);
    look();
    expect(stuck(watchdog)).toEqual([]);
  });
});
