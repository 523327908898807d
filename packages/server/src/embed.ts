import type { RequestListener } from 'node:http';
import type { Engine } from 'sri-core';
import { ConfigError } from './platform/config-values.js';
import type { OpenSocket, SocketOptions } from './platform/sockets/listen.js';
import { openServer, type RunningServer, type ServerPorts, type ServerSettings } from './server.js';

/** Answers a request of the Fetch API. @param from the client's address, by which public routes are limited. */
export type WebHandler = (request: Request, from?: { readonly clientAddress?: string }) => Promise<Response>;

/** A server within another program, which passes requests to it. */
export interface EmbeddedServer extends Omit<RunningServer, 'firstLink'> {
  /** For programs with Fetch: Hono, Next route handlers, tests. Never rejects. */
  toWebHandler(): WebHandler;
  /**
   * For programs with Node's requests: `http.createServer`, Express, Fastify. It reads bodies itself: put it before any
   * body parser.
   */
  toNodeHandler(): RequestListener;
  /**
   * Reports events of documents after the commit, in this process, and not again after a crash: webhooks and
   * notifications are durable. A listener that throws is logged, and changes nothing. @returns a function that
   * unsubscribes.
   */
  readonly on: Engine['on'];
}

/**
 * Starts a server without a socket: the same routes, jobs and database, while your program takes the requests. Its
 * paths (`/v1`, `/docs`, `/console`, `/readyz` …) are at the root of a host's name. `close` ends its jobs and its
 * database; the program closes its own socket before.
 * @param settings as of `startServer`; `BASE_URL` is the program's public address, `PORT` and `HOST` are ignored here.
 * @throws ConfigError, also without `BASE_URL`; Error if the database cannot be used. Then nothing is left open.
 */
export async function embedServer(settings: ServerSettings, ports: ServerPorts = {}): Promise<EmbeddedServer> {
  const url = settings['BASE_URL']?.trim();
  if (!url) {
    throw new ConfigError([
      {
        variable: 'BASE_URL',
        texts: {
          es: 'obligatoria donde ningún socket la dice: https://host.example',
          en: 'required where no socket says it: https://host.example',
        },
      },
    ]);
  }
  const {
    answerNode,
    answerWeb,
    services,
    destinations: places,
    logger,
    close,
  } = await openServer(settings, ports, openNoSocket);
  let isOpen = true;
  return {
    url: url.replace(/\/+$/, ''),
    destinations: places,
    logger,
    on: (name, listener) => services.engine.on(name, listener),
    toWebHandler: () => async (request, from) => (isOpen ? answerWeb(request, from) : new Response(null, CLOSED)),
    toNodeHandler: () => (request, response) =>
      isOpen ? answerNode(request, response) : response.writeHead(CLOSED.status, CLOSED.headers).end(),
    close() {
      isOpen = false;
      return close();
    },
  };
}

// --- internal ---

const CLOSED = { status: 503, headers: { 'retry-after': '1' } } as const;

/** Replaces the socket, which the program has. */
async function openNoSocket(_handle: RequestListener, { host, port }: SocketOptions): Promise<OpenSocket> {
  return { host, port, occupancies: {}, close: async () => {} };
}
