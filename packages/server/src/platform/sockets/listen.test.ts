import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenSocket, openSocket, type SocketOptions } from './listen.js';

const PATIENCE = { headersMs: 300, requestMs: 300, stallMs: 300, lingerMs: 100 };

let open: OpenSocket | null = null;
afterEach(async () => {
  await open?.close(0);
  open = null;
});

async function serve(handle: RequestListener, options: Partial<SocketOptions> = {}): Promise<void> {
  open = await openSocket(handle, {
    host: '127.0.0.1',
    port: 0,
    docsUrl: () => 'http://docs',
    connections: { overall: 1000, perAddress: 1000 },
    countedBy: (address) => address,
    patience: PATIENCE,
    ...options,
  });
}

/** A client that never closes: only the server can end the connection. */
function client(text = ''): Client {
  const socket = connect({ port: open?.port ?? 0, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  const state = { received: '' };
  socket.setEncoding('latin1').on('data', (part: string) => {
    state.received += part;
  });
  if (text !== '') socket.write(text, 'latin1');
  const closed = new Promise<string>((resolve) => socket.once('end', () => resolve(state.received)));
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, state, closed, gone };
}

/** Answers at once with the body sent. */
const echo: RequestListener = async (request, response) => {
  const body = Buffer.concat(await request.toArray().catch(() => []));
  response.end(body.length > 0 ? body : `${request.url};`);
};

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

describe('requests of one connection', () => {
  it('a request begins when the client has taken the earlier answers, so that an unread connection gets few', async () => {
    let begun = 0;
    const answer = Buffer.alloc(300_000);
    await serve((_request, response) => {
      begun += 1;
      response.end(answer);
    });
    const { socket, closed } = client();
    socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1600));
    let before = -1;
    while (begun === 0 || begun !== before) {
      before = begun;
      await sleep(300);
    }
    // The system buffers a few megabytes for a client that does not read.
    expect(before).toBeLessThan(60);
    await sleep(400);
    expect(begun).toBe(before);
    // The client is cut off by now; the end comes after its unread bytes.
    socket.resume();
    expect((await closed).length).toBeLessThan(60 * 300_200);
  });

  it('a client that reads gets all its answers in order', async () => {
    await serve(echo);
    const paths = Array.from({ length: 1600 }, (_, index) => `/${index}`);
    const { socket, state } = client(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await expect.poll(() => statuses(state.received).length, { timeout: 10_000 }).toBe(1600);
    expect([...state.received.matchAll(/(\/\d+);/g)].map(([, path]) => path)).toEqual(paths);
    socket.destroy();
  });

  it('a connection stays open for two minutes, so that a proxy closes an idle connection first', async () => {
    await serve(echo);
    const { closed, state, socket } = client('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    while (!state.received.includes('\r\n\r\n')) await sleep(10);
    socket.end();
    expect(Number(/keep-alive: timeout=(\d+)/i.exec(await closed)?.[1])).toBeGreaterThan(120);
  });

  it('the requests of one connection let requests of other connections run between them', async () => {
    let handled = 0;
    await serve((request, response) => {
      const until = performance.now() + 2;
      if (request.url === '/many') while (performance.now() < until);
      handled += 1;
      response.end('ok');
    });
    const many = client('GET /many HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
    await expect.poll(() => handled, { interval: 1 }).toBeGreaterThan(0);
    const other = client('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => other.socket.once('data', resolve));
    expect(handled).toBeLessThan(400);
    many.socket.destroy();
    other.socket.destroy();
  });

  it('the bodies of pipelined requests arrive unchanged, with a length or in chunks', async () => {
    await serve(echo);
    const bodies = Array.from({ length: 40 }, (_, index) => `${index}:`.repeat((index * 677) % 9000));
    const requests = bodies.map((body, index) =>
      index % 2 === 0
        ? `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        : `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
    );
    const { socket, state } = client(requests.join(''));
    await expect.poll(() => statuses(state.received).length, { timeout: 10_000 }).toBe(40);
    const answers = state.received.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
    const seen = answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(seen).toEqual(bodies.map((body) => body || '/;'));
    socket.destroy();
  });
});

it('an interrupted answer ends with a reset, also for a client without chunks', async () => {
  await serve((_request, response) => {
    response.write('a part');
    setTimeout(() => response.destroy(new Error('The rest failed.')), 50);
  });
  const { socket, state, closed } = client('GET / HTTP/1.0\r\n\r\n');
  const broken = new Promise<unknown>((resolve) => socket.once('error', resolve));
  expect(await Promise.race([broken, closed])).toMatchObject({ code: 'ECONNRESET' });
  expect(state.received).toContain('a part');
});

describe('a slow client', () => {
  it('a client that sends nothing is disconnected without an answer', async () => {
    await serve(echo);
    expect(await client().closed).toBe('');
  });

  it.each([
    { name: 'half of the headers', text: 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', statuses: ['408'] },
    { name: 'half of a body', text: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc', statuses: ['408'] },
    {
      name: 'half of the headers after a whole request',
      text: 'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n',
      statuses: ['200', '408'],
    },
  ])('a client that stops after $name gets the error 408 and is disconnected', async ({ text, statuses: expected }) => {
    await serve(echo);
    const { socket, closed, gone } = client(text);
    const received = await closed;
    expect(statuses(received)).toEqual(expected);
    expect(received).toContain('"code":"REQUEST_TIMEOUT"');
    // A closed connection answers a write with a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    await gone;
    clearInterval(writing);
  });

  it('a client that sends Connection: close is disconnected after its answer', async () => {
    await serve(echo);
    const { closed } = client('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(statuses(await closed)).toEqual(['200']);
    await expect.poll(() => open?.occupancies.connections?.()?.used).toBe(0);
  });

  it('a client that does not send HTTP is rejected at once', async () => {
    await serve(echo);
    const received = await client('HELO x\r\n\r\n').closed;
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const [status, ...fields] = head.split('\r\n');
    expect(status).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toMatchObject({ instance: '/', reason: 'MALFORMED_REQUEST' });
    expect(Object.fromEntries(fields.map((field) => field.split(': ')))).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': `${body.length}`,
      'content-language': 'es',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
    });
  });

  it('a request without a host is rejected, and an unknown expectation is ignored', async () => {
    await serve(echo);
    const received = await client('GET / HTTP/1.1\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n').closed;
    expect(statuses(received)).toEqual(['400']);
    expect(received).toContain('"reason":"MALFORMED_REQUEST"');
    const served = client(
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: luck\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
    );
    expect(await served.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n.*hi$/s);
  });
});

describe('places for connections', () => {
  const slow: RequestListener = (request, response) => {
    if (request.url === '/wait') return;
    response.end('ok');
  };
  const ask = (path: string) => client(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const limits = [
    { name: 'of one address', connections: { overall: 100, perAddress: 3 } },
    { name: 'over all', connections: { overall: 3, perAddress: 100 } },
  ];

  it.each(limits)('the longest idle connection is closed beyond the places $name', async ({ connections }) => {
    await serve(slow, { connections, patience: {} });
    const kept = [ask('/'), ask('/'), ask('/')];
    for (const each of kept) await expect.poll(() => each.state.received).toContain('ok');
    const newest = ask('/');
    await expect.poll(() => newest.state.received).toContain('ok');
    await kept[0]?.closed;
    expect(kept.slice(1).map(({ socket }) => socket.readableEnded)).toEqual([false, false]);
    for (const { socket } of [...kept, newest]) socket.destroy();
  });

  it.each(limits)('a new connection is closed if all places $name wait for answers', async ({ connections }) => {
    await serve(slow, { connections, patience: {} });
    const busy = [ask('/wait'), ask('/wait'), ask('/wait')];
    await Promise.all(busy.map(({ socket }) => once(socket, 'connect')));
    await expect.poll(() => open?.occupancies.connections?.()).toEqual({ used: 3, limit: connections.overall });
    const refused = ask('/');
    expect(await Promise.race([refused.closed, refused.gone])).toBeFalsy();
    busy[0]?.socket.destroy();
    await expect.poll(() => open?.occupancies.connections?.()?.used).toBe(2);
    const served = ask('/');
    await expect.poll(() => served.state.received).toContain('ok');
    for (const { socket } of [...busy, served]) socket.destroy();
  });

  it('connections of a proxy are not counted', async () => {
    await serve(slow, { connections: { overall: 100, perAddress: 1 }, countedBy: () => null, patience: {} });
    const busy = [ask('/wait'), ask('/wait'), ask('/')];
    await expect.poll(() => busy[2]?.state.received).toContain('ok');
    for (const { socket } of busy) socket.destroy();
  });
});

interface Client {
  readonly socket: Socket;
  readonly state: { received: string };
  /** All data received, once the server has ended its side. */
  readonly closed: Promise<string>;
  /** Both sides have ended, or the connection was reset. */
  readonly gone: Promise<void>;
}
