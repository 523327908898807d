import type { Clock, Logger } from 'sri-core';

/** Work that outlives its request. A stop waits for it. */
export interface Background {
  /** Starts a piece of work. The promise gives its result; a failure without a waiting caller is logged. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The result of a piece of work, or null if it takes longer than `ms`; the work continues. */
  within<T>(ms: number, work: Promise<T>): Promise<T | null>;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
}

/** Tracks work in the background. */
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
