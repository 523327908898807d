import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Occupancies } from 'sri-core';
import { ConfigError } from '../config-values.js';
import { Refusal } from '../errors/refusal.js';
import { toProblem } from '../http/problem.js';
import { type ConnectionLimits, type ConnectionSlot, createConnectionSlots } from './connection-slots.js';
import { createRequestLines } from './one-by-one.js';
import { PacedConnection } from './paced-connection.js';
import { createPendingAnswers } from './pending-answers.js';
import { createWorkQueue } from './work-queue.js';

/** A listening socket. */
export interface OpenSocket {
  readonly host: string;
  readonly port: number;
  /** The connections, and the bytes of answers that their clients have not read. */
  readonly occupancies: Occupancies;
  /** Accepts no new connection, waits for running requests at most `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** The address to listen on, and the request handler. */
export interface SocketOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The prefix of a problem's `type`; read for each problem. */
  readonly docsUrl: () => string;
  readonly connections: ConnectionLimits;
  /** The counter key for connections of that address; null for a proxy, which acts for many clients. */
  readonly countedBy: (address: string) => string | null;
  /** The time limits of clients. Default: the documented limits. */
  readonly patience?: Partial<Patience>;
}

/** The time limits of clients, in milliseconds. */
export interface Patience {
  /** To send the headers of a request; also how long a new connection may be silent. */
  readonly headersMs: number;
  /** To send a whole request. */
  readonly requestMs: number;
  /** Without reading a byte of an answer. */
  readonly stallMs: number;
  /** To close a connection after an error of the request itself. */
  readonly lingerMs: number;
}

/** The port is in use, or this account may not use it. */
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
 * @throws PortUnavailableError; ConfigError for a host that is not this machine's.
 */
export async function openSocket(handle: RequestListener, options: SocketOptions): Promise<OpenSocket> {
  const { host, port, docsUrl, countedBy } = options;
  const patience: Patience = { ...PATIENCE, ...options.patience };
  const places = createConnectionSlots(options.connections);
  const pending = createPendingAnswers(PENDING_BYTES);
  const turns = createWorkQueue(LONG_TRANSFERS_PER_TURN);
  const placeOf = new WeakMap<Duplex, ConnectionSlot>();
  const answer: RequestListener = (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') return handle(request, response);
    refuse(response, MALFORMED, docsUrl());
  };
  const lines = createRequestLines(answer, (connection, isBusy) => placeOf.get(connection)?.setBusy(isBusy));
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The platform would answer without a body.
      requireHostHeader: false,
      connectionsCheckingInterval: SLOW_CLIENT_CHECK_MS,
    },
    lines.listener,
  );
  // An unknown expectation is ignored: the platform would answer 417 without a body.
  server.on('checkExpectation', lines.listener);
  const [serve] = server.listeners('connection');
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const place = places.take(socket, countedBy(socket.remoteAddress ?? ''));
    if (!place) return socket.destroy();
    socket.once('close', place.leave);
    const connection = new PacedConnection(socket, { stallMs: patience.stallMs, pending, turns });
    placeOf.set(connection, place);
    return serve?.call(server, connection);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, connection: Duplex) => {
    const answerFault = () => refuseRequest(connection, error, { lingerMs: patience.lingerMs, docsUrl: docsUrl() });
    const { last, before } = lines.lastOf(connection);
    // An earlier request is complete and may be running already: its answer goes first.
    const earlier = last?.req.complete ? last : before;
    if (earlier && !earlier.writableFinished) earlier.once('finish', answerFault);
    else if (last?.headersSent && !last.writableFinished) connection.destroy();
    else answerFault();
  });
  await once(server.listen({ host, port }), 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES')
      throw new PortUnavailableError(host, port, { cause: error });
    const texts = {
      es: `este equipo no puede escuchar en ${host} (${error.code}).`,
      en: `this machine cannot listen on ${host} (${error.code}).`,
    };
    throw new ConfigError([{ variable: 'HOST', texts }]);
  });
  return {
    occupancies: { connections: places.occupancy, unread_bytes: pending.occupancy },
    host,
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A kept connection becomes idle when its request is answered, and would then keep the server open.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

/** Answers that the server is not ready: requests that arrive while it starts are to be repeated. */
export function refuseUntilReady(docsUrl: () => string): RequestListener {
  return (_request, response) => refuse(response, NOT_READY, docsUrl());
}

// --- internal ---

/** Reads and writes of 64 KiB and more in one turn of the event loop. */
const LONG_TRANSFERS_PER_TURN = 4;

const PATIENCE: Patience = { headersMs: 10_000, requestMs: 30_000, stallMs: 30_000, lingerMs: 2_000 };
/**
 * Longer than proxies keep an idle connection (nginx one minute, Caddy two). Otherwise a request may meet the close, and the
 * proxy answers 502.
 */
const KEEP_ALIVE_MS = 125_000;
/** Unread answers of all connections. */
const PENDING_BYTES = 64 * 1024 * 1024;
const IDLE_CHECK_MS = 50;
const SLOW_CLIENT_CHECK_MS = 1_000;

const NOT_READY = new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
const MALFORMED = new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST' });

/**
 * Input that is not HTTP, or too slow, reaches no route. It still gets an answer of the usual form, and the connection
 * ends. A connection without a byte sent ends without an answer: its client would take one for the answer to its next
 * request.
 */
function refuseRequest(
  connection: Duplex,
  error: NodeJS.ErrnoException,
  { lingerMs, docsUrl }: { readonly lingerMs: number; readonly docsUrl: string },
): void {
  const hasAsked = connection instanceof PacedConnection && connection.bytesRead > 0;
  if (!connection.writable || !hasAsked) {
    connection.destroy();
    return;
  }
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const { status, headers, body } = problemOf(isSlow ? new Refusal('REQUEST_TIMEOUT') : MALFORMED, docsUrl);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closed after its answer, since bytes that arrive after the close would cost the client the answer.
  const deadline = setTimeout(() => connection.destroy(), lingerMs);
  connection.once('close', () => clearTimeout(deadline));
}

function refuse(response: ServerResponse, refusal: Refusal, docsUrl: string): void {
  const { status, headers, body } = problemOf(refusal, docsUrl);
  response.writeHead(status, headers).end(body);
}

/** The answer to a request that reaches no route. It ends the connection. */
function problemOf(refusal: Refusal, docsUrl: string) {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  const problem = toProblem(refusal, { language: 'es', instance: '/', requestId, docsUrl });
  const body = JSON.stringify(problem.body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-language': 'es',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
    'x-request-id': requestId,
    ...problem.headers,
  };
  return { status: problem.status, headers, body };
}
