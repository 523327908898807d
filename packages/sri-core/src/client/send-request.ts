import { ApiError, noAnswer, toApiError } from './api-error.js';

/** How a client reaches its server. */
export interface Connection {
  /** Without a closing slash. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits between attempts; rejects when the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Retries after the first attempt. */
  readonly maxRetries: number;
  /** The longest attempt, and the longest pause between two attempts. */
  readonly timeoutMs: number;
}

/** A request to make. */
export interface RequestToSend {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a form. */
  readonly body?: unknown;
  /** Whether a repetition has no further effect. */
  readonly repeatable: boolean;
  /** Whether the body of the answer may take longer than an attempt: then the time is that until it begins. */
  readonly longAnswer?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses of a server that is stopping or that its proxy cannot reach. */
export const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Sends a request and retries when that is safe. A 429 is always retried, since the server did nothing. 502, 503, 504 and a
 * missing answer are retried only when the request is repeatable. `Retry-After` is honoured.
 *
 * @throws ApiError, or the reason of the signal; TypeError for a request that cannot be made.
 */
export async function sendRequest(connection: Connection, request: RequestToSend): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptRequest(connection, request);
    // `fetch` may return a `Response` of another class.
    if (!(outcome instanceof ApiError)) return outcome;
    const waitMs = outcome.retryAfterMs ?? backoff(attempt);
    const again = attempt < connection.maxRetries && mayRepeat(outcome, request) && waitMs <= connection.timeoutMs;
    if (!again) throw outcome;
    await connection.pause(waitMs, request.signal);
  }
}

// --- internal ---

async function attemptRequest(connection: Connection, request: RequestToSend): Promise<Response | ApiError> {
  request.signal?.throwIfAborted();
  const time = limitTime(connection.timeoutMs);
  // A request that cannot be made is an error of the caller, and no missing answer.
  const made = toFetchRequest(connection, request, time.signal);
  try {
    const response = await connection.fetch(made);
    if (!response.ok) return await toApiError(response);
    // Reads the whole answer here, so that a broken answer counts as a failed attempt.
    return request.longAnswer || !response.body ? response : new Response(await response.arrayBuffer(), response);
  } catch (cause) {
    request.signal?.throwIfAborted();
    return noAnswer(cause);
  } finally {
    time.end();
  }
}

/** A signal that aborts after that time, unless it ends before. */
function limitTime(ms: number): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timeout = AbortSignal.timeout(ms);
  const abort = () => controller.abort(timeout.reason);
  timeout.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, end: () => timeout.removeEventListener('abort', abort) };
}

function toFetchRequest({ baseUrl, headers }: Connection, request: RequestToSend, time: AbortSignal): Request {
  const { method, path, body, signal } = request;
  const isForm = body instanceof FormData;
  const signals = [time, ...(signal ? [signal] : [])];
  return new Request(`${baseUrl}${path}`, {
    method,
    headers: {
      ...headers,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    // A redirect is an answer of another program: it may lead a key to another host.
    redirect: 'manual',
    signal: AbortSignal.any(signals),
  });
}

function mayRepeat({ status, code }: ApiError, { repeatable }: RequestToSend): boolean {
  if (status === 429) return true;
  return repeatable && (UNAVAILABLE.has(status) || code === 'NETWORK_ERROR');
}

/** Half a second, doubled each time, with jitter so that clients do not retry together. */
function backoff(attempt: number): number {
  return 500 * 2 ** attempt * (0.75 + Math.random() / 2);
}
