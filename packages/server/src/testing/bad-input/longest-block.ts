import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The longest block of the event loop while `work` ran, in milliseconds. Other programs can also delay the loop. So it
 * takes the smaller of the loop's delay and this thread's processor time, from the best of a few tries.
 */
export async function longestBlock(work: () => Promise<unknown>, goodEnoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > goodEnoughMs; attempt += 1) {
    const delay = monitorEventLoopDelay({ resolution: TURN_MS });
    // Earlier work has ended, and the first interval has started.
    await sleep(2 * TURN_MS);
    let busiest = 0;
    let last = process.threadCpuUsage();
    const turns = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      last = process.threadCpuUsage();
      busiest = Math.max(busiest, (user + system) / 1000);
    }, TURN_MS);
    delay.enable();
    await work();
    await sleep(2 * TURN_MS);
    delay.disable();
    clearInterval(turns);
    least = Math.min(least, delay.max / 1e6, busiest);
  }
  return least;
}

// --- internal ---

const TRIES = 3;
const TURN_MS = 5;
