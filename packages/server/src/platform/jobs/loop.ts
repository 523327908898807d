import type { Clock, Logger } from 'sri-core';

/** Work that repeats while the server runs. */
export interface Task {
  readonly name: string;
  /** The longest pause between two rounds; a wake ends it early. */
  readonly intervalMs: number;
  /**
   * One round. It stops between two pieces of work if the signal is aborted.
   * @param progressed a long round calls it as it goes on, so that it does not count as stuck.
   */
  run(signal: AbortSignal, progressed?: () => void): Promise<unknown>;
}

/** A task in its loop. */
export interface Loop {
  start(): void;
  /** There is work: do not wait for the interval. */
  wake(): void;
  /** Ends the loop after the running round. */
  stop(): Promise<void>;
}

/** Creates the loop of a task. A failed round is logged, and the next one runs all the same. */
export function createLoop(task: Task, clock: Clock, logger: Logger): Loop {
  const stopping = new AbortController();
  let pause = new AbortController();
  let woken = false;
  let loop: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await task.run(stopping.signal);
      } catch (error) {
        logger.error({ task: task.name, error: error instanceof Error ? error.message : 'unknown' }, 'a task failed');
      }
      if (woken || stopping.signal.aborted) continue;
      pause = new AbortController();
      await clock.sleep(task.intervalMs, pause.signal).catch(() => {});
    }
  }

  return {
    start() {
      loop ??= run();
    },
    wake() {
      woken = true;
      pause.abort();
    },
    async stop() {
      stopping.abort();
      pause.abort();
      await loop;
    },
  };
}
