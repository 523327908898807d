import { setImmediate as turn } from 'node:timers/promises';
import { silentLogger } from 'sri-core';
import { createTestClock } from 'sri-core/testing';
import { describe, expect, it } from 'vitest';
import { createBackground } from './background.js';
import { createLoop } from './loop.js';

describe('a loop', () => {
  it('a loop runs at once, then at its interval and at each wake', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    let rounds = 0;
    const task = {
      name: 'x',
      intervalMs: 1000,
      run: async () => {
        rounds += 1;
      },
    };
    const loop = createLoop(task, clock, silentLogger);
    loop.start();
    loop.start();
    await clock.advance(999);
    expect(rounds).toBe(1);
    await clock.advance(1);
    expect(rounds).toBe(2);
    loop.wake();
    await clock.advance(0);
    expect(rounds).toBe(3);
    await loop.stop();
    await clock.advance(5000);
    expect(rounds).toBe(3);
  });

  it('a loop continues after a failed round', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const errors: unknown[] = [];
    let rounds = 0;
    const run = async () => {
      rounds += 1;
      throw new Error('no disk');
    };
    const logger = { ...silentLogger, error: (fields: unknown) => void errors.push(fields) };
    const loop = createLoop({ name: 'x', intervalMs: 10, run }, clock, logger);
    loop.start();
    await clock.advance(25);
    await loop.stop();
    expect(rounds).toBe(3);
    expect(errors[0]).toEqual({ task: 'x', error: 'no disk' });
  });

  it('a loop signals its running round to stop, and waits for it', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    let reported = false;
    const run = (signal: AbortSignal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          setImmediate(() => {
            reported = true;
            resolve();
          });
        }),
      );
    const loop = createLoop({ name: 'x', intervalMs: 10, run }, clock, silentLogger);
    loop.start();
    await turn();
    await loop.stop();
    expect(reported).toBe(true);
    await createLoop({ name: 'y', intervalMs: 10, run }, clock, silentLogger).stop();
  });

  it('a wake during a round causes another round', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    let rounds = 0;
    const loop = createLoop(
      {
        name: 'x',
        intervalMs: 1000,
        run: async () => {
          rounds += 1;
          if (rounds === 1) loop.wake();
        },
      },
      clock,
      silentLogger,
    );
    loop.start();
    await clock.advance(0);
    expect(rounds).toBe(2);
    await loop.stop();
  });
});

describe('work in the background', () => {
  it('work in the background is awaited, and its failures are logged', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const warnings: unknown[] = [];
    const background = createBackground(clock, { ...silentLogger, warn: (fields) => void warnings.push(fields) });
    let done = false;
    background.run('good', async () => {
      await turn();
      done = true;
    });
    background.run('bad', () => Promise.reject(new Error('late'))).catch(() => {});
    await background.idle();
    expect(done).toBe(true);
    expect(warnings).toEqual([{ work: 'bad', error: 'late' }]);
  });

  it('work in the background returns its result in time, or null', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const background = createBackground(clock, silentLogger);
    expect(await background.within(10, Promise.resolve('quick'))).toBe('quick');
    const slow = background.within(10, new Promise<string>(() => {}));
    await clock.advance(10);
    expect(await slow).toBeNull();
    await expect(background.within(10, Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  });
});
