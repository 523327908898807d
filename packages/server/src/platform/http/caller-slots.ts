import { setImmediate as turn } from 'node:timers/promises';
import type { Occupancy } from 'sri-core';
import { Refusal } from '../errors/refusal.js';

/**
 * The kinds of a caller's requests that run concurrently: usual requests, those that issue documents and share commits,
 * those that wait for a mail server, uploads, and the batches of streamed lists.
 */
export type RequestKind = 'usual' | 'issuing' | 'mailing' | 'uploading' | 'listing';

/**
 * Places for the requests of each caller, so that many requests of one caller do not block the event loop for the
 * others.
 */
export interface CallerSlots {
  /**
   * Runs a request once its caller has a slot.
   * @throws Refusal TOO_MANY_REQUESTS if too many requests of the caller wait; otherwise the error of the work.
   */
  take<T>(caller: string, kind: RequestKind, work: () => Promise<T>): Promise<T>;
  /** The waiting requests of the caller with the most of that kind. */
  occupancy(kind: RequestKind): Occupancy;
}

/** How many requests of one caller run at once. Each kind has its own count. */
export const PLACES_PER_CALLER: Readonly<Record<RequestKind, number>> = {
  usual: 8,
  issuing: 32,
  mailing: 8,
  uploading: 4,
  listing: 2,
};

/** Creates the slots. Requests of one caller and kind run in order of arrival. */
export function createCallerSlots(): CallerSlots {
  const callers = new Map<string, Line>();
  return {
    async take(caller, kind, work) {
      const name = `${kind} ${caller}`;
      const line = callers.get(name) ?? { busy: 0, waiting: [] };
      callers.set(name, line);
      if (line.busy < PLACES_PER_CALLER[kind]) line.busy += 1;
      else if (line.waiting.length < MOST_WAITING[kind])
        await new Promise<void>((resolve) => line.waiting.push(resolve));
      else throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
      try {
        return await work();
      } finally {
        void handOver(name, line);
      }
    },
    occupancy(kind) {
      let used = 0;
      for (const [name, { waiting }] of callers) if (name.startsWith(`${kind} `)) used = Math.max(used, waiting.length);
      return { used, limit: MOST_WAITING[kind] };
    },
  };

  /** With a database that answers at once, a whole queue would run within one turn of the event loop. */
  async function handOver(name: string, line: Line): Promise<void> {
    if (line.waiting.length > 0) await turn();
    const next = line.waiting.shift();
    if (next) next();
    else line.busy -= 1;
    if (line.busy === 0) callers.delete(name);
  }
}

// --- internal ---

interface Line {
  busy: number;
  /** Waiting requests. When a request ends, its slot goes to the first one. */
  readonly waiting: (() => void)[];
}

/** An uploaded body may be larger than a megabyte, and takes seconds. */
const MOST_WAITING: Readonly<Record<RequestKind, number>> = {
  usual: 1_000,
  issuing: 1_000,
  mailing: 1_000,
  uploading: 12,
  listing: 1_000,
};
