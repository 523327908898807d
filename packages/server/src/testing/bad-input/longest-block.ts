import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long the event loop was held at a stretch while `work` ran, in milliseconds. Where other programs take the
 * processor away the loop stands still too; then the processor time of this thread between two turns counts, and of a
 * few tries the best one: what the code does it does every time.
 */
export async function longestBlock(work: () => Promise<unknown>, goodEnoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > goodEnoughMs; attempt += 1) {
    const delay = monitorEventLoopDelay({ resolution: TURN_MS });
    // What was begun before is over, and the first interval has begun.
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
