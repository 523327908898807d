import { availableParallelism } from 'node:os';

/**
 * Lets as many threads sign as there are processors, and not four on a machine of two: those would take the time of the
 * one that answers. To be called before anything uses them. Whoever has set a number keeps it.
 */
export function boundThreads(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(MOST, Math.max(LEAST, availableParallelism())));
}

// --- internal ---

/** What Node takes; one thread that answers does not make more signatures than these have time for. */
const MOST = 4;

/** Half of them may wait for a name server that does not answer. */
const LEAST = 2;
