import type { Task } from '../jobs/loop.js';

/** Whether the background loops still make rounds. */
export interface Watchdog {
  /** The same task, with its rounds watched from `start` on. */
  watch(task: Task): Task;
  /** Watches a worker with its own schedule. @returns the function to call on each poll. */
  expect(name: string, intervalMs: number): () => void;
  /** Loops run from now on. Before this call no loop is stuck. */
  start(): void;
  /** Every loop, in the order in which they were added. */
  all(): readonly { readonly name: string; readonly isStuck: boolean }[];
}

/** How long a loop may be silent beyond the pause between its rounds, or a round may make no progress. */
export const LONGEST_SILENCE_MS = 5 * 60_000;

/**
 * Creates the watch. A loop is stuck if one round makes no progress for `LONGEST_SILENCE_MS`, or if no round has
 * started for that long after the next one was due.
 * @param now milliseconds of a monotonic clock. Default: the machine's, not the rehearsal clock.
 */
export function createWatchdog(now: () => number = () => performance.now()): Watchdog {
  const watchdog = new Map<string, { readonly intervalMs: number; seenAt: number; isRunning: boolean }>();
  let isStarted = false;

  function add(name: string, intervalMs: number) {
    const pulse = { intervalMs, seenAt: now(), isRunning: false };
    watchdog.set(name, pulse);
    return pulse;
  }

  return {
    watch(task) {
      const pulse = add(task.name, task.intervalMs);
      return {
        ...task,
        async run(signal) {
          const progressed = () => {
            pulse.seenAt = now();
          };
          progressed();
          pulse.isRunning = true;
          try {
            return await task.run(signal, progressed);
          } finally {
            progressed();
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
      for (const pulse of watchdog.values()) pulse.seenAt = now();
    },
    all() {
      const at = now();
      return [...watchdog].map(([name, { intervalMs, seenAt, isRunning }]) => {
        const silence = isRunning ? LONGEST_SILENCE_MS : intervalMs + LONGEST_SILENCE_MS;
        return { name, isStuck: isStarted && at - seenAt > silence };
      });
    },
  };
}
