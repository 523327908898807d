import { systemClock } from 'sri-core';

/**
 * The result of a piece of work that may never end.
 * @param ms of the machine's time in which this process could take the result: time in which the process was blocked
 * does not count.
 * @throws Error if it takes longer; the work continues. Also the error of the work.
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = waitInParts(ms, done.signal).then(() => Promise.reject(new Error(`No answer within ${ms} ms.`)));
  // Once the work has ended, this timer has no effect.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

// --- internal ---

const PARTS = 15;

/** A block of any length counts as one part: after it, queued events are handled first. */
async function waitInParts(ms: number, signal: AbortSignal): Promise<void> {
  for (let part = 0; part < PARTS; part += 1) await systemClock.sleep(ms / PARTS, signal);
}
