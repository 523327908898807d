// Starts quick-sri-process.mjs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./quick-sri-process.mjs', import.meta.url));

/**
 * @returns `{ url, pid, most(), firstBytes(), stop() }`: `most` is the highest number of concurrent calls since its
 * last call; `firstBytes`, with `keepsTimes`, the arrival of each submission by access key, in ms of the clock.
 */
export async function startQuickSri({ latencyMs = 0, keepsTimes = false }) {
  const child = fork(SCRIPT, [JSON.stringify({ latencyMs, keepsTimes })]);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    pid: child.pid,
    async most() {
      child.send('most');
      const [{ most }] = await once(child, 'message');
      return most;
    },
    async firstBytes() {
      child.send('firstBytes');
      const [times] = await once(child, 'message');
      return new Map(times);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
