// Starts quick-sri-process.mjs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./quick-sri-process.mjs', import.meta.url));

/** @returns `{ url, pid, most(), stop() }`: `most` is how many calls were under way at a time since it was last asked. */
export async function startQuickSri({ latencyMs }) {
  const child = fork(SCRIPT, [JSON.stringify({ latencyMs })]);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    pid: child.pid,
    async most() {
      child.send('most');
      const [{ most }] = await once(child, 'message');
      return most;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
