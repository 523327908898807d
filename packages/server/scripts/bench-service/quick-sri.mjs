// Starts quick-sri-process.mjs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./quick-sri-process.mjs', import.meta.url));

/**
 * @returns `{ url, pid, most(), firstBytes(), stop() }`: `most` is how many calls were under way at a time since it was last
 * asked; `firstBytes`, with `keepsTimes`, is when each submission came, in milliseconds of the machine's clock by access key.
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
