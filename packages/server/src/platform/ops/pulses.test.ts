import { describe, expect, it } from 'vitest';
import { createPulses, LONGEST_SILENCE_MS } from './pulses.js';

describe('loops in the background', () => {
  let now = 0;
  const later = (ms: number) => {
    now += ms;
  };
  const stuck = (pulses: ReturnType<typeof createPulses>) =>
    pulses.all().flatMap(({ name, isStuck }) => (isStuck ? [name] : []));

  it('a loop is stuck while no round starts, and recovers with its next round', async () => {
    const pulses = createPulses(() => now);
    const task = pulses.watch({ name: 'mail', intervalMs: 1000, run: async () => {} });
    later(10 * LONGEST_SILENCE_MS);
    expect(stuck(pulses)).toEqual([]);
    pulses.start();
    later(1000 + LONGEST_SILENCE_MS);
    expect(stuck(pulses)).toEqual([]);
    later(1);
    expect(stuck(pulses)).toEqual(['mail']);
    await task.run(new AbortController().signal);
    expect(stuck(pulses)).toEqual([]);
  });

  it('a loop is stuck while a round makes no progress', async () => {
    const pulses = createPulses(() => now);
    const { promise, resolve } = Promise.withResolvers<void>();
    let progress = () => {};
    const task = pulses.watch({
      name: 'mail',
      intervalMs: 1000,
      run(_signal, progressed = () => {}) {
        progress = progressed;
        return promise;
      },
    });
    pulses.start();
    const round = task.run(new AbortController().signal);
    later(LONGEST_SILENCE_MS);
    progress();
    later(LONGEST_SILENCE_MS);
    expect(stuck(pulses)).toEqual([]);
    later(1);
    expect(stuck(pulses)).toEqual(['mail']);
    resolve();
    await round;
    expect(stuck(pulses)).toEqual([]);
  });

  it('a failed round counts as a round', async () => {
    const pulses = createPulses(() => now);
    const run = () => Promise.reject(new Error('no disk'));
    const task = pulses.watch({ name: 'mail', intervalMs: 1000, run });
    pulses.start();
    later(LONGEST_SILENCE_MS * 2);
    await expect(task.run(new AbortController().signal)).rejects.toThrow('no disk');
    expect(stuck(pulses)).toEqual([]);
  });

  it('a worker with its own schedule reports each poll', () => {
    const pulses = createPulses(() => now);
    const look = pulses.expect('documents', 60_000);
    pulses.start();
    later(60_000 + LONGEST_SILENCE_MS + 1);
    expect(stuck(pulses)).toEqual(['documents']);
    look();
    expect(stuck(pulses)).toEqual([]);
  });
});
