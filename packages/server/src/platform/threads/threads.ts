import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { ImageInvalidError, type RideInput, type TaxFigures } from 'sri-core';
import type * as work from './worker-thread.js';

/** CPU work of more than a few milliseconds, outside the event loop. */
export interface Threads {
  /** Prints a RIDE. @throws Error if its thread ends, or takes too much memory or time. */
  printRide(input: RideInput): Promise<Uint8Array>;
  /** Reads the amounts of comprobantes; null for one that cannot be read. @throws Error as `printRide`. */
  readFigures(xmls: readonly string[]): Promise<readonly (TaxFigures | null)[]>;
  /** Checks and re-encodes a logo. @throws ImageInvalidError; Error as `printRide`. */
  checkLogo(bytes: Uint8Array): Promise<Uint8Array>;
  /** Ends the threads. Running work fails. */
  close(): Promise<void>;
}

/** How many pieces of work run at once. At least one core is left for everything else. */
export const WORK_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** The limits of work in a thread. */
export interface ThreadLimits {
  /** The longest time from the start of a piece, or of its thread, in milliseconds. */
  readonly longestMs: number;
  readonly heapMb: number;
}

/**
 * Creates threads. The first one starts with the first piece of work, and ends ten seconds after the last one. A piece
 * that breaks its thread fails alone: the next one gets a new thread.
 * @param onError called when a thread ends without work.
 */
export function createThreads(onError: (error: Error) => void, limits: ThreadLimits = LIMITS): Threads {
  let pool: Promise<Piscina> | null = null;

  async function run<Name extends keyof typeof work>(
    name: Name,
    input: Parameters<(typeof work)[Name]>[0],
  ): Promise<Awaited<ReturnType<(typeof work)[Name]>>> {
    pool ??= openPool(onError, limits);
    const threads = await pool;
    return threads.run(input, { name, signal: AbortSignal.timeout(limits.longestMs) });
  }

  return {
    printRide: (input) => run('printRide', input),
    readFigures: (xmls) => run('readAllFigures', xmls),
    async checkLogo(bytes) {
      const outcome = await run('checkLogo', bytes);
      if ('invalid' in outcome) throw new ImageInvalidError(outcome.invalid);
      return outcome.bytes;
    },
    async close() {
      const opened = await pool;
      pool = null;
      await opened?.destroy();
    },
  };
}

// --- internal ---

/** The largest RIDE takes a second and 100 MB, the largest logo as much. */
const LIMITS: ThreadLimits = { longestMs: 20_000, heapMb: 192 };
const IDLE_MS = 10_000;

async function openPool(onError: (error: Error) => void, { heapMb }: ThreadLimits): Promise<Piscina> {
  // Loaded with the first piece of work: a server that prints nothing does not load it.
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    ...whereWorkIs(),
    minThreads: 0,
    maxThreads: WORK_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    // The threads do not need the environment's variables.
    env: {},
    recordTiming: false,
    // Else a busy thread waits without turning its event loop, and what pdfkit leaves for the next tick stays in memory.
    atomics: 'disabled',
  });
  pool.on('error', onError);
  return pool;
}

/** Tests run on the sources; Node finds them with the same hooks. */
function whereWorkIs(): { readonly filename: string; readonly execArgv: string[] } {
  if (!import.meta.url.endsWith('.ts')) {
    return { filename: new URL('./worker-thread.js', import.meta.url).href, execArgv: [] };
  }
  const hooks = new URL('../../testing/typescript-hooks.ts', import.meta.url).href;
  return { filename: new URL('./worker-thread.ts', import.meta.url).href, execArgv: ['--import', hooks] };
}
