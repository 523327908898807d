import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import {
  createNameResolver,
  findAddresses,
  type ResolveName,
  resolveAsThisMachine,
  TargetRefusedError,
} from './target-addresses.js';
import { bareHost, parseTargetUrl } from './target-url.js';

/** The cause of a failed attempt other than the receiver's status. */
export type SendingFault = 'URL' | 'DNS' | 'BLOCKED_ADDRESS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'BROKEN_ANSWER';

/** The result of one attempt. Any 2xx acknowledges. */
export type SendingResult =
  | { readonly acknowledged: boolean; readonly status: number; readonly fault: null }
  | { readonly acknowledged: false; readonly status: null; readonly fault: SendingFault };

/** One attempt to deliver. */
export interface WebhookAttempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, byte by byte as signed. */
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Limits and ports of the sender. Times in milliseconds. */
export interface WebhookSenderOptions {
  /** Until the response starts. */
  readonly timeoutMs: number;
  /** For a connection, TLS included. */
  readonly connectTimeoutMs?: number;
  /** For development: allows plain HTTP and local machines. */
  readonly allowInsecure: boolean;
  /** Extra root certificates, PEM. */
  readonly ca?: string | null;
  readonly resolve?: ResolveName;
}

/** Delivers to untrusted addresses. */
export interface WebhookSender {
  /** Makes one attempt. Never rejects: the result contains the error. */
  send(attempt: WebhookAttempt): Promise<SendingResult>;
}

/**
 * Creates the sender. Each attempt resolves the name once, checks every address, and connects to a checked one. So a
 * later change of the name has no effect. The sender follows no redirect, uses no proxy, keeps no connection, and reads
 * only a bounded part of the answer.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { allowInsecure, connectTimeoutMs = 5_000, timeoutMs } = options;
  const resolve = options.resolve ?? (allowInsecure ? resolveAsThisMachine : createNameResolver());
  // Created once: reading a hundred root certificates for every attempt would cost more than the attempt.
  const secureContext = createSecureContext(options.ca ? { ca: [...getCACertificates('default'), options.ca] } : {});

  async function attempt({ url: text, headers, body }: WebhookAttempt, deadline: AbortSignal): Promise<SendingResult> {
    const target = parseTargetUrl(text, { allowInsecure });
    if ('rule' in target) return failed(target.rule === 'publicHost' ? 'BLOCKED_ADDRESS' : 'URL');
    const host = bareHost(target.url);
    deadline.throwIfAborted();
    const addresses = await untilAborted(findAddresses(host, { resolve, allowInsecure }), deadline);
    let result: SendingResult = failed('CONNECT');
    // Only a failed connection is retried at another address: otherwise the message may have arrived.
    for (const address of addresses.slice(0, MOST_ADDRESSES)) {
      result = await post({ url: target.url, host, address, headers, body, deadline, connectTimeoutMs, secureContext });
      if (result.fault !== 'CONNECT') break;
    }
    return result;
  }

  return {
    async send(wanted) {
      const late = AbortSignal.timeout(timeoutMs);
      const deadline = wanted.signal ? AbortSignal.any([wanted.signal, late]) : late;
      try {
        return await attempt(wanted, deadline);
      } catch (error) {
        if (error instanceof TargetRefusedError) return failed(error.fault);
        return failed(deadline.aborted ? 'TIMEOUT' : 'CONNECT');
      }
    },
  };
}

// --- internal ---

/** Addresses tried in one attempt. */
const MOST_ADDRESSES = 3;

/** The bytes read of an answer, whose content is ignored; and the time for it. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_ANSWER_MS = 1_000;

interface Post {
  readonly url: URL;
  readonly host: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadline: AbortSignal;
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
}

function failed(fault: SendingFault): SendingResult {
  return { acknowledged: false, status: null, fault };
}

function post({
  url,
  host,
  address,
  headers,
  body,
  deadline,
  connectTimeoutMs,
  secureContext,
}: Post): Promise<SendingResult> {
  const bytes = Buffer.from(body, 'utf8');
  const isTls = url.protocol === 'https:';
  const wanted: RequestOptions = {
    method: 'POST',
    // The checked address, which needs no resolution.
    host: address,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      'content-type': 'application/json',
      'content-length': String(bytes.byteLength),
      'accept-encoding': 'identity',
      connection: 'close',
    },
    agent: false,
    maxHeaderSize: 16 * 1024,
    signal: deadline,
    ...(isTls ? { servername: isIP(host) === 0 ? host : '', secureContext } : {}),
  };
  return new Promise((resolve) => {
    let reached: 'nothing' | 'machine' | 'receiver' = 'nothing';
    const request: ClientRequest = isTls ? requestHttps(wanted) : requestHttp(wanted);
    const patience = setTimeout(() => end(reached === 'nothing' ? 'CONNECT' : 'TIMEOUT'), connectTimeoutMs);
    function end(fault: SendingFault): void {
      resolve(failed(fault));
      request.destroy();
    }
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        reached = 'machine';
        if (!isTls) connected();
      });
      socket.once('secureConnect', connected);
    });
    function connected(): void {
      reached = 'receiver';
      clearTimeout(patience);
    }
    request.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      skim(answer);
      resolve({ acknowledged: status >= 200 && status <= 299, status, fault: null });
    });
    request.once('error', () => end(deadline.aborted ? 'TIMEOUT' : FAULTS[reached]));
    // A receiver may also close without an error, as after switching protocols.
    request.once('close', () => {
      clearTimeout(patience);
      end('BROKEN_ANSWER');
    });
    request.end(bytes);
  });
}

/** The fault for each stage of a failed attempt. */
const FAULTS = { nothing: 'CONNECT', machine: 'TLS', receiver: 'BROKEN_ANSWER' } as const;

/** Reads a little of the answer, so that an ordinary receiver can finish, and closes the connection of any other. */
function skim(answer: IncomingMessage): void {
  let length = 0;
  const enough = setTimeout(() => answer.destroy(), MOST_ANSWER_MS);
  answer.on('data', (part: Buffer) => {
    length += part.byteLength;
    if (length > MOST_ANSWER_BYTES) answer.destroy();
  });
  answer.on('error', () => {});
  answer.once('close', () => clearTimeout(enough));
}

/** The signal is not aborted yet. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
