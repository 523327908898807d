import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { INSIDE_HOSTS, INSIDE_NAMES } from '../testing/inside-hosts.js';
import type { ResolveName } from './target-addresses.js';
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('addresses of internal hosts', () => {
  it(`the sender never reaches an internal host, in ${INSIDE_HOSTS.length} forms and by other schemes and ports`, async () => {
    const reached: string[] = [];
    const port = await listen((socket) => reached.push(String(socket.remoteAddress)), '::');
    const resolve: ResolveName = async (name) => INSIDE_NAMES[name] ?? [];
    const sender = createWebhookSender({ timeoutMs: 2_000, allowInsecure: false, resolve });
    const urls = INSIDE_HOSTS.map((host) => `https://${host}:${port}/hook`);
    const schemes = ['http', 'ftp', 'file', 'gopher', 'data', 'ws', 'HTTP'].map(
      (scheme) => `${scheme}://127.0.0.1:${port}/`,
    );
    const others = [
      `//127.0.0.1:${port}/`,
      `https:/127.0.0.1:${port}/`,
      `https:127.0.0.1:${port}`,
      `https:///127.0.0.1:${port}`,
    ];
    for (const url of [...urls, ...schemes, ...others, 'https://hooks.com:22/', 'https://hooks.com:25/']) {
      const result = await sender.send({ url, headers: {}, body: '{}' });
      expect(result.status, url).toBeNull();
      expect(['URL', 'DNS', 'BLOCKED_ADDRESS'], url).toContain(result.fault);
    }
    expect(reached).toEqual([]);
    expect(INSIDE_HOSTS.length).toBeGreaterThanOrEqual(60);
  });

  it('the sender connects to the address it checked, even if the name changes', async () => {
    const reached: string[] = [];
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      reached.push(String(request.socket.localAddress));
      response.end();
    };
    const port = await serve(answer, '0.0.0.0');
    let questions = 0;
    const resolve: ResolveName = async () => [['127.0.0.1'], ['127.0.0.2']][questions++] ?? [];
    const sender = createWebhookSender({ timeoutMs: 5_000, allowInsecure: true, resolve });
    const result = await sender.send({ url: `http://hooks.com:${port}/`, headers: {}, body: '{}' });
    expect(result).toEqual({ acknowledged: true, status: 200, fault: null });
    expect([questions, reached]).toEqual([1, ['127.0.0.1']]);
  });
});

describe('the webhook sender', () => {
  it('posts the given bytes, with the named host', async () => {
    let seen: { headers: IncomingMessage['headers']; body: string; url: string | undefined } | null = null;
    const port = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString('utf8');
      seen = { headers: request.headers, body, url: request.url };
      response.writeHead(204).end();
    });
    const body = '{"name":"Peñaloza 🧾"}';
    const result = await insecure({ resolve: async () => ['127.0.0.1'] }).send({
      url: `http://hooks.com:${port}/a?b=c`,
      headers: { 'x-service-timestamp': '1' },
      body,
    });
    expect(result).toEqual({ acknowledged: true, status: 204, fault: null });
    expect(seen).toMatchObject({
      url: '/a?b=c',
      body,
      headers: {
        host: `hooks.com:${port}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-service-timestamp': '1',
      },
    });
  });

  it.each([200, 201, 299])('treats status %i as an acknowledgement', async (status) => {
    const port = await serve((_, response) => response.writeHead(status).end());
    expect(await sendTo(port)).toEqual({ acknowledged: true, status, fault: null });
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 404, 410, 429, 500, 503])(
    'treats status %i as a failure',
    async (status) => {
      const reached: string[] = [];
      const inside = await listen(() => reached.push('followed'));
      const port = await serve((_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${inside}/` }).end(),
      );
      expect(await sendTo(port)).toEqual({ acknowledged: false, status, fault: null });
      expect(reached).toEqual([]);
    },
  );

  it('counts an acknowledgement regardless of the length of the answer, and reads little of it', async () => {
    let written = 0;
    const port = await serve((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    expect(await sendTo(port)).toEqual({ acknowledged: true, status: 200, fault: null });
    await untilIdle();
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('does not unpack a compressed answer', async () => {
    const port = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    );
    expect(await sendTo(port)).toEqual({ acknowledged: true, status: 200, fault: null });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => {}, 'TIMEOUT'],
    ['trickles its head', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx-slow: '), 'TIMEOUT'],
    ['sends interim answers for ever', (socket) => trickle(socket, 'HTTP/1.1 102 Processing\r\n\r\n'), 'TIMEOUT'],
    ['hangs up', (socket) => socket.destroy(), 'BROKEN_ANSWER'],
    ['talks something else', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'BROKEN_ANSWER'],
    [
      'sends an endless head',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`),
      'BROKEN_ANSWER',
    ],
    [
      'switches protocols',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'BROKEN_ANSWER',
    ],
  ])('gives up on a receiver that %s', async (_, behave, fault) => {
    const port = await listen((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => behave(socket));
    });
    const started = performance.now();
    expect(await sendTo(port, { timeoutMs: 400 })).toEqual({ acknowledged: false, status: null, fault });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('reports a closed port, an unknown name, and a name that takes too long', async () => {
    const port = await listen(() => {});
    for (const close of closing.splice(0)) close();
    expect(await sendTo(port)).toMatchObject({ fault: 'CONNECT' });
    expect(await sendTo(port, { resolve: async () => [] }, 'hooks.com')).toMatchObject({ fault: 'DNS' });
    const never: ResolveName = () => new Promise(() => {});
    expect(await sendTo(port, { resolve: never, timeoutMs: 50 }, 'hooks.com')).toMatchObject({ fault: 'TIMEOUT' });
  });

  it('tries up to three addresses when the first refuse the call', async () => {
    const port = await serve((_, response) => response.end(), '127.0.0.3');
    const resolve: ResolveName = async () => ['127.0.0.2', '127.0.0.3'];
    expect(await sendTo(port, { resolve }, 'hooks.com')).toEqual({ acknowledged: true, status: 200, fault: null });
    const fourth: ResolveName = async () => ['127.0.0.2', '127.0.0.4', '127.0.0.5', '127.0.0.3'];
    expect(await sendTo(port, { resolve: fourth }, 'hooks.com')).toMatchObject({ fault: 'CONNECT' });
  });

  it('tries the next address when the connection to the first takes too long', async () => {
    const port = await serve((_, response) => response.end(), '127.0.0.3');
    await overload('127.0.0.2', port);
    const resolve: ResolveName = async () => ['127.0.0.2', '127.0.0.3'];
    const result = await sendTo(port, { resolve, connectTimeoutMs: 300 }, 'hooks.com');
    expect(result).toEqual({ acknowledged: true, status: 200, fault: null });
  });

  it('requires TLS in time for an address of https', async () => {
    const silent = await listen(() => {});
    const plain = await serve((_, response) => response.end());
    const sender = insecure({ connectTimeoutMs: 200 });
    const attempt = (port: number) => sender.send({ url: `https://127.0.0.1:${port}/`, headers: {}, body: '{}' });
    expect(await attempt(silent)).toMatchObject({ fault: 'TIMEOUT' });
    expect(await attempt(plain)).toMatchObject({ fault: 'TLS' });
  });

  it('waits longer for the answer than for the connection', async () => {
    const port = await serve((_, response) => void setTimeout(() => response.end(), 500));
    expect(await sendTo(port, { connectTimeoutMs: 300 })).toMatchObject({ acknowledged: true });
  });

  it('a request to stop ends the attempt', async () => {
    const port = await listen(() => {});
    const stop = new AbortController();
    const sending = insecure().send({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', signal: stop.signal });
    stop.abort();
    expect(await sending).toMatchObject({ acknowledged: false, status: null });
  });

  it('looks up no name after the request to stop', async () => {
    const names: string[] = [];
    const sender = insecure({
      async resolve(name) {
        names.push(name);
        return [];
      },
    });
    const attempt = { url: 'http://hooks.com/', headers: {}, body: '{}' };
    expect(await sender.send(attempt)).toMatchObject({ fault: 'DNS' });
    expect(await sender.send({ ...attempt, signal: AbortSignal.abort() })).toMatchObject({ fault: 'TIMEOUT' });
    expect(names).toEqual(['hooks.com']);
  });
});

function insecure(options: Partial<WebhookSenderOptions> = {}) {
  return createWebhookSender({ timeoutMs: 5_000, allowInsecure: true, ...options });
}

function sendTo(port: number, options: Partial<WebhookSenderOptions> = {}, host = '127.0.0.1') {
  return insecure(options).send({ url: `http://${host}:${port}/`, headers: {}, body: '{}' });
}

async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  host = '127.0.0.1',
): Promise<number> {
  const server: Server = createHttpServer(handler);
  return opened(server, host, () => server.closeAllConnections());
}

async function listen(handler: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    handler(socket);
  });
  return opened(server, host, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function opened(server: NetServer, host: string, end: () => void): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  closing.push(() => {
    server.close();
    end();
  });
  return (server.address() as AddressInfo).port;
}

/** Stops a listener with a full queue, so that it accepts no further connection. */
async function overload(host: string, port: number): Promise<void> {
  const program = `require('node:net').createServer().listen({ port: ${port}, host: '${host}', backlog: 1 }, () => console.log('open'))`;
  const child = spawn(process.execPath, ['-e', program]);
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const sockets = Array.from({ length: 4 }, () => connect(port, host).on('error', () => {}));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  });
  await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, 'connect')));
}

function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 10);
  socket.once('close', () => clearInterval(timer));
}

/** Waits for sockets to settle: two empty turns of the loop would not be enough for the kernel. */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
