import type { Task } from '../jobs/loop.js';

/** Which of the loops in the background still get round. */
export interface Pulses {
  /** The same task, whose rounds are watched from `start` on. */
  watch(task: Task): Task;
  /** Watches something that looks for work by itself. @returns what it calls each time. */
  expect(name: string, intervalMs: number): () => void;
  /** Loops run from now on. Before, none is stuck. */
  start(): void;
  /** Every loop, in the order in which they were added. */
  all(): readonly { readonly name: string; readonly isStuck: boolean }[];
}

/** How long a loop may be silent beyond the pause between its rounds, or a round of it may last. */
export const LONGEST_SILENCE_MS = 5 * 60_000;

/**
 * Makes the watch. A loop is stuck when one round lasts longer than `LONGEST_SILENCE_MS` (an hourly one: than an hour),
 * or when no round has begun for that long after the next one was due.
 *
 * @param now milliseconds of a clock that never jumps. Default: the machine's, since rehearsed time says nothing here.
 */
export function createPulses(now: () => number = () => performance.now()): Pulses {
  const pulses = new Map<string, { readonly intervalMs: number; seenAt: number; isRunning: boolean }>();
  let isStarted = false;

  function add(name: string, intervalMs: number) {
    const pulse = { intervalMs, seenAt: now(), isRunning: false };
    pulses.set(name, pulse);
    return pulse;
  }

  return {
    watch(task) {
      const pulse = add(task.name, task.intervalMs);
      return {
        ...task,
        async run(signal) {
          pulse.seenAt = now();
          pulse.isRunning = true;
          try {
            return await task.run(signal);
          } finally {
            pulse.seenAt = now();
            pulse.isRunning = false;
          }
        },
      };
    },
    expect(name, intervalMs) {
      const pulse = add(name, intervalMs);
      return () => {
        pulse.seenAt = now();
      };
    },
    start() {
      isStarted = true;
      for (const pulse of pulses.values()) pulse.seenAt = now();
    },
    all() {
      const at = now();
      return [...pulses].map(([name, { intervalMs, seenAt, isRunning }]) => {
        const silence = isRunning ? Math.max(LONGEST_SILENCE_MS, intervalMs) : intervalMs + LONGEST_SILENCE_MS;
        return { name, isStuck: isStarted && at - seenAt > silence };
      });
    },
  };
}
