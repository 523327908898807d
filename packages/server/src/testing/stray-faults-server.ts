// A server, started as by `startChildServer`, in whose process other code fails all the time: promises reject without a
// handler, and SIGHUP raises an uncaught exception.
import { setTimeout as sleep } from 'node:timers/promises';

// The import is not awaited: the faults below run next to the server until it ends.
void import('../main.js');
while (process.listenerCount('uncaughtException') === 0) await sleep(10);

setInterval(() => void Promise.reject(new Error('stray')), 20);
setInterval(() => void Promise.reject(undefined), 50);
process.on('SIGHUP', () => {
  setTimeout(() => {
    throw new Error('out of nowhere');
  }, 1);
});
