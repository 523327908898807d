import { expect, it } from 'vitest';
import { systemClock } from './clock.js';

it.each([2 ** 31, Number.POSITIVE_INFINITY])(
  'the machine’s clock also waits %d ms, until its signal aborts',
  async (ms) => {
    const stop = new AbortController();
    let isOver = false;
    const waiting = systemClock.sleep(ms, stop.signal).finally(() => {
      isOver = true;
    });
    await systemClock.sleep(20);
    expect(isOver).toBe(false);
    stop.abort('stopped');
    await expect(waiting).rejects.toBe('stopped');
  },
);
