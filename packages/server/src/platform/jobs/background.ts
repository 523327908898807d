import type { Clock, Logger } from 'sri-core';

/** Work that goes on after its request was answered. A stop waits for it. */
export interface Background {
  /** Starts a piece of work. The promise gives its result; a failure that nobody waits for is logged. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The result of a piece of work, or null when it takes longer than `ms`; the work goes on. */
  within<T>(ms: number, work: Promise<T>): Promise<T | null>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

/** Keeps count of work in the background. */
export function createBackground(clock: Clock, logger: Logger): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(name, work) {
      const promise = work();
      const watched = promise
        .catch((error: unknown) => {
          logger.warn(
            { work: name, error: error instanceof Error ? error.message : 'unknown' },
            'background work failed',
          );
        })
        .finally(() => running.delete(watched));
      running.add(watched);
      return promise;
    },
    async within(ms, work) {
      const done = new AbortController();
      const late = clock.sleep(ms, done.signal).then(
        () => null,
        () => null,
      );
      try {
        return await Promise.race([work, late]);
      } finally {
        done.abort();
      }
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
