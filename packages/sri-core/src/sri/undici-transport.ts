import type { Agent, buildConnector } from 'undici';
import { requireOptions } from '../choice.js';
import { collectBody, MAX_ANSWER_BYTES } from './answer-body.js';
import { NotConnectedError } from './network-failure.js';
import { type Tunnel, tunnelThrough } from './proxy-tunnel.js';
import type { Transport } from './transport.js';

/** Limits of the default transport. Times in milliseconds. */
export interface UndiciTransportOptions {
  /** To open a connection, TLS included. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** From the call to the last byte of the answer. Default 30 s. The shorter of this and `schedule.timeoutMs` holds. */
  readonly timeoutMs?: number;
  /** Longer answers are cut off. Default 4 MiB. */
  readonly maxAnswerBytes?: number;
  /** Connections per host. Default 16. */
  readonly connections?: number;
  /** Extra root certificates, PEM: for a local proxy in front of the SRI. */
  readonly ca?: string | readonly string[];
  /** The proxy that leads out of a company's network: `http://host:port`, or `http://user:password@host:port`. Default none. */
  readonly proxy?: string | undefined;
}

/** A transport with persistent connections. */
export interface ClosableTransport extends Transport {
  /** Closes every connection; a running call fails. A later call opens new ones. */
  close(): Promise<void>;
}

/**
 * The default transport to the SRI: HTTP/1.1 over undici, persistent connections, no redirects, no compression. Certificates
 * are checked against the system's roots. The SRI changes its certificates without notice, so none is pinned.
 *
 * undici loads on the first call. The transport rejects with NotConnectedError when the request never left, with
 * AnswerTooLargeError, or with the cause of a broken or late answer.
 *
 * @throws TypeError for a proxy other than of HTTP, a number that is no whole one from 1, or a misspelt option.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): ClosableTransport {
  requireOptions(OPTIONS, options, 'undiciTransport');
  const { timeoutMs = 30_000, maxAnswerBytes = MAX_ANSWER_BYTES, proxy } = options;
  for (const name of ['connectTimeoutMs', 'timeoutMs', 'maxAnswerBytes', 'connections'] as const) {
    const given: unknown = options[name] ?? 1;
    if (!Number.isSafeInteger(given) || Number(given) < 1)
      throw new TypeError(`${name} has to be a whole number from 1.`);
  }
  const tunnel = proxy === undefined ? null : tunnelThrough(proxy);
  let agent: Promise<Agent> | null = null;

  async function send(request: Request): Promise<Response> {
    const { request: undiciRequest } = await import('undici');
    agent ??= createAgent(options, tunnel);
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
    // One signal for both ends, aborted by hand: `AbortSignal.any` takes several times its memory.
    const cut = new AbortController();
    const { signal } = cut;
    const timer = setTimeout(() => cut.abort(new DOMException('No whole answer in time.', 'TimeoutError')), timeoutMs);
    const giveUp = () => cut.abort(request.signal.reason);
    if (request.signal.aborted) giveUp();
    else request.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const answer = await undiciRequest(request.url, {
        dispatcher: await agent,
        method: request.method as 'GET' | 'POST',
        headers: [...request.headers].flat(),
        body,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const bytes = await collectBody(answer.body, maxAnswerBytes, signal);
      return toResponse(answer.statusCode, answer.headers, bytes);
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', giveUp);
    }
  }

  return Object.assign(send, {
    async close(): Promise<void> {
      const closing = await agent;
      agent = null;
      await closing?.destroy();
    },
  });
}

// --- internal ---

const OPTIONS = [
  'connectTimeoutMs',
  'timeoutMs',
  'maxAnswerBytes',
  'connections',
  'ca',
  'proxy',
] satisfies (keyof UndiciTransportOptions)[];

async function createAgent(options: UndiciTransportOptions, tunnel: Tunnel | null): Promise<Agent> {
  const undici = await import('undici');
  const { connectTimeoutMs: timeout = 5_000, ca } = options;
  const direct = undici.buildConnector({
    timeout,
    allowH2: false,
    ...(ca === undefined ? {} : { ca: await withDefaultRoots([ca].flat()) }),
  });
  const connect = tunnel ? await tunnel(direct, timeout) : direct;
  return new undici.Agent({
    connect: (target, callback) => connect(target, markNotConnected(callback)),
    connections: options.connections ?? 16,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 10_000,
  });
}

/** Node replaces its root list by the given one, so both are joined here. */
async function withDefaultRoots(extra: readonly string[]): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  return [...getCACertificates('default'), ...extra];
}

/** A failure in the connector comes before the request is written. Error codes alone do not show that reliably. */
function markNotConnected(callback: buildConnector.Callback): buildConnector.Callback {
  return (...[error, socket]: Parameters<buildConnector.Callback>) =>
    error ? callback(new NotConnectedError(error), null) : callback(null, socket);
}

/** Statuses that a Response accepts; an answer with any other status is unusable. */
const BAD_GATEWAY = 502;
const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  bytes: Uint8Array,
): Response {
  const known = status >= 200 && status <= 599 ? status : BAD_GATEWAY;
  const response = new Response(WITHOUT_BODY.has(known) ? null : Buffer.from(bytes), { status: known });
  for (const [name, values] of Object.entries(headers)) {
    // Header values are bytes. A character beyond Latin-1 is impossible in one and would be rejected.
    for (const value of [values ?? []].flat()) response.headers.append(name, value.replace(/[^\t\x20-\xff]/g, '?'));
  }
  return response;
}
