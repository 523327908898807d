// The client side of a load, in its own process. It keeps the given connections busy, or sends a fixed number of
// requests per second over them, and reports the duration of each. It speaks HTTP over plain sockets, since its own
// processor time is missing on the measured machine.
import { connect } from 'node:net';

process.on('message', async (load) => process.send(await drive(load)));
process.send({ ready: true });

/**
 * @param load.requests the requests, sent in turns: `{ method, path, headers, body }`, or `base64` for binary bodies.
 * @param load.follow a request sent after each, over the same connection and not timed; `:accessKey` in its path is
 * that of the created document.
 * @param load.connections the most requests at a time.
 * @param load.count the number of requests, or `load.seconds` their duration.
 * @param load.from the source address of the connections on this machine; default the usual one.
 * @param load.hostile whether to reopen a connection that the server closes; otherwise that is an error.
 * @param load.perSecond the rate of the requests; default each as soon as a connection is free. A late request is timed
 * from its scheduled time.
 */
async function drive({ url, requests, follow, connections, count, seconds, perSecond, hostile, from: localAddress }) {
  const { hostname, port } = new URL(url);
  const messages = requests.map((request) => toMessage(request, `${hostname}:${port}`));
  const times = [];
  const statuses = {};
  let firstRefusal = null;
  let sent = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const isOver = () => (count ? sent >= count : performance.now() - startedAt >= seconds * 1000);

  async function client() {
    let line = await open(hostname, port, localAddress);
    for (;;) {
      if (isOver()) break;
      const turn = sent;
      sent += 1;
      let from = performance.now();
      if (perSecond) {
        const due = startedAt + (turn * 1000) / perSecond;
        if (due > from) await new Promise((resolve) => setTimeout(resolve, due - from));
        from = due;
      }
      const answer = await line.ask(messages[turn % messages.length]).catch((error) => {
        if (!hostile) throw error;
        return null;
      });
      if (!answer) {
        statuses.closed = (statuses.closed ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        line = (await open(hostname, port, localAddress).catch(() => null)) ?? line;
        continue;
      }
      const { status, body } = answer;
      times.push(performance.now() - from);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 400) firstRefusal ??= body();
      else if (follow) {
        const accessKey = /"accessKey":"(\d{49})"/.exec(body())?.[1] ?? '';
        const path = follow.path.replace(':accessKey', accessKey);
        const answer = await line.ask(toMessage({ ...follow, path }, `${hostname}:${port}`));
        if (answer.status >= 400) firstRefusal ??= answer.body();
      }
    }
    line.close();
  }

  const clients = Array.from({ length: connections }, client);
  // Does not wait for answers that never come.
  if (hostile)
    await Promise.race([Promise.all(clients), new Promise((done) => setTimeout(done, seconds * 1000 + 500))]);
  else await Promise.all(clients);
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return {
    done: times.length,
    ms,
    perSecond: times.length / (ms / 1000),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: times.at(-1),
    statuses,
    firstRefusal,
    cpuUs: user + system,
  };
}

function toMessage({ method = 'POST', path, headers = {}, body = '', base64 }, host) {
  const content = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64');
  const lines = Object.entries({ host, ...headers, 'content-length': content.length });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/** A kept-alive connection with one request at a time. */
function open(host, port, localAddress) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), localAddress, noDelay: true });
    let received = null;
    let waiting = null;
    let lost = null;
    const fail = (error) => {
      lost ??= error ?? new Error('The server closed the connection.');
      reject(lost);
      waiting?.reject(lost);
    };
    socket.on('error', fail);
    socket.on('close', () => fail());
    socket.on('data', (chunk) => {
      received = received ? Buffer.concat([received, chunk]) : chunk;
      const answer = readAnswer(received);
      if (!answer) return;
      received = null;
      const { resolve: done } = waiting;
      waiting = null;
      done(answer);
    });
    socket.once('connect', () =>
      resolve({
        ask: (message) =>
          new Promise((resolve, reject) => {
            if (lost) reject(lost);
            waiting = { resolve, reject };
            socket.write(message);
          }),
        close: () => socket.destroy(),
      }),
    );
  });
}

/** The answer in the bytes received so far; null while it is incomplete. */
function readAnswer(received) {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.latin1Slice(0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    if (received.length < start + Number(length)) return null;
  } else if (!/\r\ntransfer-encoding: *chunked/i.test(head)) {
    if (status !== 204 && status !== 304) throw new Error('An answer says nothing of its length.');
  } else if (received.latin1Slice(received.length - 5) !== '0\r\n\r\n') return null;
  return { status, body: () => received.utf8Slice(start) };
}
