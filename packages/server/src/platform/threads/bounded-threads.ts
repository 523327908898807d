import { availableParallelism } from 'node:os';

/**
 * Limits signing threads to the number of processors instead of four on a machine of two: more would take time from the
 * thread that answers. Call it before anything uses them. Keeps a number that is already configured.
 */
export function boundThreads(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(MOST, Math.max(LEAST, availableParallelism())));
}

// --- internal ---

/** Node's default; one thread that answers does not create more signatures than these can make. */
const MOST = 4;

/** Half of the threads may wait for a name server that does not answer. */
const LEAST = 2;
