import type { Clock } from '../clock.js';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Moves time forward. Sleepers wake in the order of their time, each at its own time, and what they start then (other
   * sleeps within the span included) is given its turn before the clock goes on.
   */
  advance(ms: number): Promise<void>;
  /** Jumps to a moment, also back. Whoever should have woken by then wakes now. */
  set(date: Date | string): void;
}

/** Makes a clock that stands at that moment. */
export function createTestClock(start: Date | string): TestClock {
  let now = toTime(start);
  const sleepers = new Set<Sleeper>();

  function wakeUntil(time: number): void {
    for (const sleeper of [...sleepers].toSorted((a, b) => a.wakesAt - b.wakesAt)) {
      if (sleeper.wakesAt > time) return;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  return {
    now: () => new Date(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (ms <= 0) return resolve();
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          wakesAt: now + ms,
          wake: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = Math.min(...[...sleepers].map((sleeper) => sleeper.wakesAt));
        if (next > end) break;
        now = Math.max(now, next);
        wakeUntil(now);
        await settle();
      }
      now = end;
    },
    set(date) {
      now = toTime(date);
      wakeUntil(now);
    },
  };
}

// --- internal ---

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

function toTime(date: Date | string): number {
  const time = new Date(date).getTime();
  if (Number.isNaN(time)) throw new RangeError('A test clock needs a date.');
  return time;
}

/** Lets promises that are ready run on, including those that go through the event loop a few times. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
