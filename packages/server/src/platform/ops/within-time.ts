import { systemClock } from 'sri-core';

/**
 * The result of a piece of work that may never end.
 *
 * @param ms of the machine's time, in which this process could take the result: time in which something else held it up
 * says nothing of the work.
 * @throws Error when it takes longer; the work goes on. What the work throws.
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = waitInParts(ms, done.signal).then(() => Promise.reject(new Error(`No answer within ${ms} ms.`)));
  // Once the work has ended, nobody waits for this any more.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

// --- internal ---

const PARTS = 15;

/** However long a hold-up, it counts as one part: after it, whatever has come meanwhile is looked at first. */
async function waitInParts(ms: number, signal: AbortSignal): Promise<void> {
  for (let part = 0; part < PARTS; part += 1) await systemClock.sleep(ms / PARTS, signal);
}
