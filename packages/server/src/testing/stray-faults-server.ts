// A server, started as `startChildServer` does, in whose process something else goes wrong all the time: promises are
// rejected that nobody waits for, and when it is told to by SIGHUP an exception comes out of nowhere.
import { setTimeout as sleep } from 'node:timers/promises';

// It goes on until the server has ended.
void import('../main.js');
while (process.listenerCount('uncaughtException') === 0) await sleep(10);

setInterval(() => void Promise.reject(new Error('stray')), 20);
setInterval(() => void Promise.reject(undefined), 50);
process.on('SIGHUP', () => {
  setTimeout(() => {
    throw new Error('out of nowhere');
  }, 1);
});
