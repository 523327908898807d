import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { pipeline } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import type { Clock } from '../clock.js';
import { SriUnavailableError } from '../errors.js';
import { systemRandom } from '../random.js';
import { der, derSequence } from '../testing/der-writer.js';
import { sampleFactura } from '../testing/sample-comprobante.js';
import { createTestCertificate } from '../testing/test-certificate.js';
import { toNodeListener } from './simulator/node-listener.js';
import { createSimulator } from './simulator/simulator.js';
import { createSriClient } from './soap-client.js';
import { type ClosableTransport, type UndiciTransportOptions, undiciTransport } from './undici-transport.js';

const KEY = '0511202601179125123700110020030000004176041823711' as AccessKey;
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

/** The time limits under test are the transport's, over real sockets; the client's clock stands still. */
const stillClock: Clock = {
  now: () => new Date('2026-11-05T19:00:00Z'),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms < 5_000) resolve();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
};

async function listen<S extends Server | TcpServer>(server: S, close: () => unknown): Promise<number> {
  open.push({ close });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  return listen(server, () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
}

/** A server of raw sockets. */
async function serveSockets(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  return listen(server, () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
}

function transportWith(options: UndiciTransportOptions = {}): ClosableTransport {
  const transport = undiciTransport({ timeoutMs: 2_000, connectTimeoutMs: 1_000, ...options });
  open.push(transport);
  return transport;
}

function clientFor(base: string, options: UndiciTransportOptions = {}) {
  const urls = { sandbox: base, production: base };
  return createSriClient({ transport: transportWith(options), urls, clock: stillClock, random: systemRandom });
}

async function failure(base: string, options: UndiciTransportOptions = {}): Promise<SriUnavailableError> {
  const error = await clientFor(base, options)
    .submit('sandbox', KEY, '<x/>')
    .catch((reason: unknown) => reason);
  if (!(error instanceof SriUnavailableError)) throw new Error(`expected SriUnavailableError, got ${String(error)}`);
  return error;
}

describe('an option', () => {
  it.each([{ timeoutMs: '5000' }, { connections: 0 }, { connectTimeoutMs: Number.NaN }, { maxAnswerBytes: 0.5 }])(
    'names an option that is no whole number at once: %j',
    (options) => {
      const [name] = Object.keys(options);
      expect(() => undiciTransport(options as object)).toThrow(`${name} has to be a whole number from 1.`);
    },
  );
});

describe('the transport over real sockets', () => {
  it('exchanges a whole document with the simulator behind a server', async () => {
    const { xml, accessKey } = sampleFactura();
    const simulator = createSimulator({ clock: stillClock, checkSignature: false });
    const port = await serve(toNodeListener(simulator.handle));
    const client = clientFor(`http://127.0.0.1:${port}/comprobantes-electronicos-ws`);
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ outcome: 'received', status: 'RECIBIDA' });
    const answer = await client.authorization('sandbox', accessKey);
    expect(answer).toMatchObject({ outcome: 'authorized', number: accessKey, comprobante: xml });
  });

  it('a refused connection is 503, not arrived, after four tries', async () => {
    const port = await serve(() => {});
    await open.pop()?.close();
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({
      httpStatus: 'HTTP_503',
      mayHaveArrived: false,
      network: true,
    });
  });

  it('a name that does not exist is 503, not arrived', async () => {
    expect(await failure('http://sri.invalid')).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: false });
  });

  it('TLS to a plain port is 503, not arrived', async () => {
    let requests = 0;
    const port = await serve(() => {
      requests += 1;
    });
    expect(await failure(`https://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: false });
    expect(requests).toBe(0);
  });

  it('a missing answer is 504, and may have arrived', async () => {
    let requests = 0;
    const port = await serve(() => {
      requests += 1;
    });
    const error = await failure(`http://127.0.0.1:${port}`, { timeoutMs: 100 });
    expect(error).toMatchObject({ httpStatus: 'HTTP_504', mayHaveArrived: true, network: true });
    expect(requests).toBe(4);
  });

  it('a slow trickle of bytes is cut at the time limit: 504', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' });
      const drip = setInterval(() => response.write('<'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const error = await failure(`http://127.0.0.1:${port}`, { timeoutMs: 150 });
    expect(error).toMatchObject({ httpStatus: 'HTTP_504', mayHaveArrived: true });
  });

  it('a slow trickle of headers is cut at the time limit: 504', async () => {
    const port = await serveSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(`http://127.0.0.1:${port}`, { timeoutMs: 150 })).toMatchObject({ httpStatus: 'HTTP_504' });
  });

  it('a body without end is cut at the size limit, once', async () => {
    let requests = 0;
    const port = await serve((_, response) => {
      requests += 1;
      response.writeHead(200);
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on('drain', flood);
      flood();
    });
    const error = await failure(`http://127.0.0.1:${port}`);
    expect(error).toMatchObject({ httpStatus: 'HTTP_504', mayHaveArrived: true, network: false });
    expect(requests).toBe(1);
  });

  it('a reset before or during the answer is 503, and may have arrived', async () => {
    let requests = 0;
    const port = await serve((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.resetAndDestroy();
      else {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('<soap:Envelope', () => request.socket.resetAndDestroy());
      }
    });
    const error = await failure(`http://127.0.0.1:${port}`);
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true, network: true });
    expect(requests).toBe(4);
  });

  it('a connection closed without an answer is 503, and may have arrived', async () => {
    const port = await serveSockets((socket) => socket.once('data', () => socket.end()));
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true });
  });

  it('an answer that is not HTTP is 503', async () => {
    const port = await serveSockets((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')));
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true });
  });

  it('a page of HTML under 403 and 200 is 403 and 502', async () => {
    let status = 403;
    const port = await serve((_, response) => response.writeHead(status).end('<html><p>Request Rejected<br></html>'));
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_403', network: false });
    status = 200;
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_502', network: false });
  });

  it('a status that a Response rejects is 502', async () => {
    const port = await serveSockets((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n')),
    );
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_502' });
  });

  it('the transport requests no compression, and a compressed answer is unusable: 502', async () => {
    let asked: string | undefined;
    const port = await serve((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('<x/>'));
    });
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_502' });
    expect(asked).toBe('identity');
  });

  it('the transport follows no redirect', async () => {
    let followed = false;
    const target = await serve((_, response) => {
      followed = true;
      response.end();
    });
    const port = await serve((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ httpStatus: 'HTTP_302' });
    expect(followed).toBe(false);
  });

  it('an aborting caller closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const port = await serve((request) => {
      request.socket.on('close', () => closed.resolve());
      arrived.resolve();
    });
    const giveUp = new AbortController();
    const call = clientFor(`http://127.0.0.1:${port}`).submit('sandbox', KEY, '<x/>', giveUp.signal);
    await arrived.promise;
    giveUp.abort(new Error('stopping'));
    await expect(call).rejects.toThrow('stopping');
    await closed.promise;
  });
});

/** A server on 127.0.0.1 with a self-made certificate. */
async function serveTls(listener: RequestListener, options: { readonly ip?: string; readonly expired?: boolean } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = [{ type: '2.5.4.3', text: 'simulated' }];
  const address = der(0x87, Uint8Array.from((options.ip ?? '127.0.0.1').split('.'), Number));
  const certificate = createTestCertificate({
    subject: name,
    publicKey,
    issuer: { name, privateKey },
    validFrom: new Date('2020-01-01T00:00:00Z'),
    validTo: new Date(options.expired ? '2021-01-01T00:00:00Z' : '2049-01-01T00:00:00Z'),
    extensions: [{ oid: '2.5.29.17', content: derSequence(address) }],
  });
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createTlsServer({ cert: pem, key }, listener);
  const port = await listen(server, () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { base: `https://127.0.0.1:${port}`, ca: pem };
}

describe('the transport over TLS', () => {
  it('an exchange over TLS succeeds with a trusted certificate', async () => {
    const simulator = createSimulator({ clock: stillClock, checkSignature: false });
    const { base, ca } = await serveTls(toNodeListener(simulator.handle));
    const { xml, accessKey } = sampleFactura();
    const answer = await clientFor(`${base}/comprobantes-electronicos-ws`, { ca }).submit('sandbox', accessKey, xml);
    expect(answer.status).toBe('RECIBIDA');
  });

  it.each([
    { name: 'is untrusted', options: {}, trusted: false },
    { name: 'has another address', options: { ip: '127.0.0.2' }, trusted: true },
    { name: 'has expired', options: { expired: true }, trusted: true },
  ])('a certificate that $name is 503, and nothing is sent', async ({ options, trusted }) => {
    let requests = 0;
    const { base, ca } = await serveTls(() => {
      requests += 1;
    }, options);
    const error = await failure(base, trusted ? { ca } : {});
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: false, network: true });
    expect(requests).toBe(0);
  });
});

describe('the transport through a proxy', () => {
  /** A proxy that opens tunnels, or answers each with `status`. */
  async function serveProxy(status = 200) {
    const places: string[] = [];
    const headers: IncomingHttpHeaders[] = [];
    const tunnels = new Set<Socket>();
    const server = createServer().on('connect', ({ url = '', headers: sent }, socket: Socket) => {
      places.push(url);
      headers.push(sent);
      tunnels.add(socket.on('error', () => {}));
      socket.write(`HTTP/1.1 ${status} As configured\r\n\r\n`);
      if (status !== 200) return;
      const sri = connectTcp(Number(new URL(`http://${url}`).port), '127.0.0.1');
      pipeline(socket, sri, socket, () => {});
    });
    const port = await listen(server, () => {
      for (const socket of tunnels) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return { proxy: `http://127.0.0.1:${port}`, places, headers };
  }

  it.each(['http', 'https'] as const)('exchanges over %s through a proxy share tunnels', async (protocol) => {
    const simulator = createSimulator({ clock: stillClock, checkSignature: false });
    const listener = toNodeListener(simulator.handle);
    const { base, ...tls } =
      protocol === 'https' ? await serveTls(listener) : { base: `http://127.0.0.1:${await serve(listener)}` };
    const { proxy, places } = await serveProxy();
    const client = clientFor(`${base}/comprobantes-electronicos-ws`, { ...tls, proxy });
    const { xml, accessKey } = sampleFactura();
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await client.authorization('sandbox', accessKey));
    expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => 'authorized'));
    expect(new Set(places)).toEqual(new Set([new URL(base).host]));
    expect(places.length).toBeLessThan(1 + answers.length);
  });

  it.each(['http://sri.invalid', 'https://sri.invalid'])(
    'a proxy that refuses %s is 503, not arrived',
    async (base) => {
      const { proxy, places } = await serveProxy(407);
      expect(await failure(base, { proxy })).toMatchObject({
        message: 'The SRI could not be reached (PROXY_HTTP_407).',
        httpStatus: 'HTTP_503',
        mayHaveArrived: false,
      });
      expect(places[0]).toBe(base === 'http://sri.invalid' ? 'sri.invalid:80' : 'sri.invalid:443');
    },
  );

  it('an untrusted certificate behind a proxy is 503, and nothing is sent', async () => {
    let requests = 0;
    const { base } = await serveTls(() => {
      requests += 1;
    });
    const { proxy } = await serveProxy();
    expect(await failure(base, { proxy })).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: false });
    expect(requests).toBe(0);
  });

  it('the password of a proxy reaches the proxy, and no other server', async () => {
    const { proxy, places, headers } = await serveProxy(403);
    await failure('https://sri.invalid', { proxy: proxy.replace('//', '//ana:la%20clave@') });
    expect(headers[0]).toMatchObject({ 'proxy-authorization': `Basic ${btoa('ana:la clave')}`, host: places[0] });
    expect(headers[0]).not.toHaveProperty('authorization');
  });

  it.each(['https://127.0.0.1', 'socks5://127.0.0.1', 'proxy'])('the transport rejects the proxy %s', (proxy) => {
    expect(() => undiciTransport({ proxy })).toThrow(TypeError);
  });

  it('an absent proxy is 503, not arrived', async () => {
    const { proxy } = await serveProxy();
    await open.pop()?.close();
    expect(await failure('https://sri.invalid', { proxy })).toMatchObject({
      message: 'The SRI could not be reached (PROXY_ECONNREFUSED).',
      httpStatus: 'HTTP_503',
      mayHaveArrived: false,
    });
  });

  it('a silent proxy is 504, not arrived', async () => {
    const port = await serveSockets(() => {});
    const options = { proxy: `http://127.0.0.1:${port}`, connectTimeoutMs: 100 };
    expect(await failure('https://sri.invalid', options)).toMatchObject({
      httpStatus: 'HTTP_504',
      mayHaveArrived: false,
    });
  });
});

describe('the simulator behind a socket', () => {
  it('the simulator breaks connections: the answer is lost, the document stored', async () => {
    const simulator = createSimulator({ clock: stillClock, checkSignature: false });
    const port = await serve(toNodeListener(simulator.handle));
    const client = clientFor(`http://127.0.0.1:${port}/comprobantes-electronicos-ws`);
    const { xml, accessKey } = sampleFactura({ buyerId: 'SRI-LOST-ATTEMPT' });
    await expect(client.submit('sandbox', accessKey, xml)).rejects.toMatchObject({
      httpStatus: 'HTTP_503',
      mayHaveArrived: true,
    });
    expect(simulator.journal).toHaveLength(4);
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ alreadyRegistered: true });
  });

  it('the listener stops waiting when its client disconnects', async () => {
    const settled = Promise.withResolvers<string>();
    const simulator = createSimulator({ checkSignature: false, onSettled: ({ outcome }) => settled.resolve(outcome) });
    const port = await serve(toNodeListener(simulator.handle));
    const client = clientFor(`http://127.0.0.1:${port}/comprobantes-electronicos-ws`, { timeoutMs: 100 });
    const { xml, accessKey } = sampleFactura({ buyerId: 'SRI-TIMEOUT' });
    await expect(client.submit('sandbox', accessKey, xml)).rejects.toMatchObject({ httpStatus: 'HTTP_504' });
    expect(await settled.promise).toBe('silence');
  });

  it('the listener does not read endless input', async () => {
    const port = await serve(toNodeListener(async () => new Response('ok')));
    const body = Buffer.alloc(9 * 1024 * 1024);
    await expect(
      transportWith()(new Request(`http://127.0.0.1:${port}/`, { method: 'POST', body })),
    ).rejects.toBeInstanceOf(Error);
  });
});

describe('the transport', () => {
  it('the transport keeps its connection, and opens a new one after close', async () => {
    const sockets = new Set<unknown>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const transport = transportWith();
    const call = async () => {
      const text = await (await transport(new Request(`http://127.0.0.1:${port}/`))).text();
      // The connection is free one turn after its answer was read.
      await new Promise((resolve) => setImmediate(resolve));
      return text;
    };
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
    expect(sockets.size).toBe(1);
    await transport.close();
    await transport.close();
    expect(await call()).toBe('ok');
    expect(sockets.size).toBe(2);
  });

  it('the transport passes on status, headers and an absent body', async () => {
    const port = await serve((request, response) => {
      response.setHeader('x-many', ['a', 'b']).setHeader('x-sent', request.headers['x-own'] ?? '');
      response.writeHead(204).end();
    });
    const response = await transportWith()(new Request(`http://127.0.0.1:${port}/`, { headers: { 'x-own': 'yes' } }));
    expect([response.status, response.headers.get('x-many'), response.headers.get('x-sent')]).toEqual([
      204,
      'a, b',
      'yes',
    ]);
    expect(response.body).toBeNull();
  });

  it('the transport survives a header value that is not Latin-1', async () => {
    const port = await serveSockets((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx-name: año \u{1F600}\r\ncontent-length: 2\r\n\r\nok')),
    );
    expect(await (await transportWith()(new Request(`http://127.0.0.1:${port}/`))).text()).toBe('ok');
  });

  it('the transport can be closed before its first use', async () => {
    await expect(undiciTransport().close()).resolves.toBeUndefined();
  });

  it('the transport reports a failed connection only when it is certain', async () => {
    const port = await serveSockets(() => {});
    const call = transportWith({ connectTimeoutMs: 100 })(new Request(`https://127.0.0.1:${port}/`));
    await expect(call).rejects.toMatchObject({ name: 'NotConnectedError', code: 'UND_ERR_CONNECT_TIMEOUT' });
  });
});
