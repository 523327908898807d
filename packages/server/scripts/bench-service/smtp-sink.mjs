// A mail server that takes everything at once and keeps nothing, in a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(import.meta.url);

/** @returns `{ url, stop() }`. */
export async function startSink() {
  const child = fork(SCRIPT);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

if (process.argv[1] === SCRIPT) {
  const server = createServer((socket) => {
    let inMail = false;
    let received = '';
    const say = (line) => socket.write(`${line}\r\n`);
    socket.setNoDelay(true).on('error', () => {});
    say('220 sink');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (;;) {
        const end = received.indexOf(inMail ? '\r\n.\r\n' : '\r\n');
        if (end < 0) break;
        const line = received.slice(0, end);
        received = received.slice(end + (inMail ? 5 : 2));
        const startsMail = !inMail && /^DATA/i.test(line);
        say(startsMail ? '354 go on' : /^QUIT/i.test(line) ? '221 bye' : '250 fine');
        inMail = startsMail;
      }
      // Only the last bytes of a mail matter.
      if (inMail) received = received.slice(-8);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ url: `smtp://127.0.0.1:${server.address().port}` }));
  process.on('disconnect', () => process.exit(0));
}
