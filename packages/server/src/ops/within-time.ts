import { systemClock } from 'sri-core';

/**
 * The result of a piece of work that may never end.
 *
 * @param ms of the machine's time.
 * @throws Error when it takes longer; the work goes on. What the work throws.
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = systemClock.sleep(ms, done.signal).then(() => Promise.reject(new Error(`No answer within ${ms} ms.`)));
  // Once the work has ended, nobody waits for this any more.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
