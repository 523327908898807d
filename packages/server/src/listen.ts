import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from 'listhen';
import { Refusal } from './errors.js';
import { toProblem } from './http/problem.js';

/** A socket that takes requests. */
export interface OpenSocket {
  readonly host: string;
  readonly port: number;
  /** Takes no new connection, waits for running requests at most `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** Where to listen. */
export interface SocketOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What the `type` of a problem begins with; asked when one is told. */
  readonly docsUrl: () => string;
}

/** The port is taken, or this account may not use it. */
export class PortUnavailableError extends Error {
  readonly code = 'PORT_UNAVAILABLE';
  readonly host: string;
  readonly port: number;

  constructor(host: string, port: number, options?: ErrorOptions) {
    super(`Port ${port} of ${host} is taken or may not be used.`, options);
    this.host = host;
    this.port = port;
  }

  override get name(): string {
    return 'PortUnavailableError';
  }
}

/**
 * Opens the HTTP socket.
 *
 * @throws PortUnavailableError
 */
export async function openSocket(handle: RequestListener, { host, port, docsUrl }: SocketOptions): Promise<OpenSocket> {
  const listener = await listen(handle, {
    hostname: host,
    // Told outright, or listhen would take port 3000 for 0, and another port for one that is taken.
    port: port === 0 ? { port: 0, random: true } : port,
    showURL: false,
    isProd: true,
    autoClose: false,
  }).catch((error: unknown) => {
    throw new PortUnavailableError(host, port, { cause: error });
  });
  const server = listener.server as Server;
  const bound = server.address() as AddressInfo;
  if (port !== 0 && bound.port !== port) {
    await listener.close();
    throw new PortUnavailableError(host, port);
  }
  // listhen's bookkeeping for its own shutdown fails on requests whose socket is gone already (a refused upload), and
  // such a failure ends the process. This file closes the server itself, so that only the handler is needed.
  server.removeAllListeners('request');
  server.on('request', handle);
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Node looks for slow clients every half minute, as it is told when it begins to listen: that is told anew, or each of
  // these limits would be up to half a minute longer.
  Object.assign(server, { connectionsCheckingInterval: SLOW_CLIENT_CHECK_MS });
  server.emit('listening');
  const lastOn = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request, response) => lastOn.set(request.socket, response));
  server.on('clientError', (_error: Error, socket: Duplex) => {
    const refuse = () => answerMalformed(socket, docsUrl());
    const last = lastOn.get(socket);
    // What came before is whole and may be carried out already: its own answer goes first.
    if (last?.req.complete && !last.writableFinished) last.once('finish', refuse);
    else refuse();
  });
  return {
    host,
    port: bound.port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A kept connection becomes idle when its request has been answered, and would then hold the server open.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

// --- internal ---

const IDLE_CHECK_MS = 50;
const SLOW_CLIENT_CHECK_MS = 1_000;

/** What is no HTTP reaches no route; it still gets an answer of the usual shape, and the connection ends. */
function answerMalformed(socket: Duplex, docsUrl: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST' });
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  const problem = toProblem(refusal, { language: 'es', instance: '/', requestId, docsUrl });
  const body = JSON.stringify(problem.body);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
    `x-request-id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
