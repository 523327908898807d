import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.js';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Moves time forward. Sleepers wake in order of time, each at its own time. Work that they start, including shorter
   * sleeps, gets its turn before the clock continues.
   */
  advance(ms: number): Promise<void>;
  /**
   * Moves time forward, from one sleeper to the next, until a promise settles, and returns its result. For work that sleeps,
   * such as `engine.tick()`, or `engine.issue()` during a lost answer. Without a sleeper, time stands still.
   *
   * @param withinMs how much time may pass on the clock. Default two days. @throws RangeError after that.
   */
  runUntil<T>(promise: Promise<T>, withinMs?: number): Promise<T>;
  /** Jumps to a moment, also back. Overdue sleepers wake now. */
  set(date: Date | string): void;
}

/** Creates a clock that stands at that moment. */
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

  const nextWaking = () => Math.min(...[...sleepers].map((sleeper) => sleeper.wakesAt));

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
        const next = nextWaking();
        if (next > end) break;
        now = Math.max(now, next);
        wakeUntil(now);
        await settle();
      }
      now = end;
    },
    async runUntil(promise, withinMs = TWO_DAYS_MS) {
      const end = now + withinMs;
      let isSettled = false;
      const onSettled = () => {
        isSettled = true;
      };
      promise.then(onSettled, onSettled);
      for (;;) {
        await settle();
        if (isSettled) return promise;
        const next = nextWaking();
        // No sleeper: the awaited work runs in a thread or on a disk.
        if (next === Number.POSITIVE_INFINITY) continue;
        if (next > end) throw new RangeError(`It did not settle within ${withinMs} ms of the test clock.`);
        now = Math.max(now, next);
        wakeUntil(now);
      }
    },
    set(date) {
      now = toTime(date);
      wakeUntil(now);
    },
  };
}

// --- internal ---

const TWO_DAYS_MS = 48 * 60 * 60_000;

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

function toTime(date: Date | string): number {
  const time = new Date(date).getTime();
  if (Number.isNaN(time)) throw new RangeError('A test clock needs a date.');
  return time;
}

/** Lets ready promises continue, including those that need a few turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}
