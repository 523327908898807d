import { type ApiError, noAnswer, toApiError } from './api-error.js';

/** How a client reaches its server. */
export interface Connection {
  /** Without a closing slash. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits between attempts. */
  readonly pause: (ms: number) => Promise<void>;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Longer than that nobody waits for one attempt, nor between two. */
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
  /** Whether making it twice does what making it once does. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a request, again where that is safe: after 429 always, since nothing was done; after 503 and without an answer
 * only when it is repeatable. `Retry-After` is honoured.
 *
 * @throws ApiError; whatever the signal was aborted with.
 */
export async function sendRequest(connection: Connection, request: RequestToSend): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptRequest(connection, request);
    if (outcome instanceof Response) return outcome;
    const waitMs = outcome.retryAfterMs ?? backoff(attempt);
    const again = attempt < connection.maxRetries && mayRepeat(outcome, request) && waitMs <= connection.timeoutMs;
    if (!again) throw outcome;
    await connection.pause(waitMs);
  }
}

// --- internal ---

async function attemptRequest(connection: Connection, request: RequestToSend): Promise<Response | ApiError> {
  request.signal?.throwIfAborted();
  let response: Response;
  try {
    response = await connection.fetch(toFetchRequest(connection, request));
  } catch (cause) {
    request.signal?.throwIfAborted();
    return noAnswer(cause);
  }
  return response.ok ? response : toApiError(response);
}

function toFetchRequest({ baseUrl, headers, timeoutMs }: Connection, request: RequestToSend): Request {
  const { method, path, body, signal } = request;
  const isForm = body instanceof FormData;
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
  return new Request(`${baseUrl}${path}`, {
    method,
    headers: {
      ...headers,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.any(signals),
  });
}

function mayRepeat({ status, code }: ApiError, { repeatable }: RequestToSend): boolean {
  if (status === 429) return true;
  return repeatable && (status === 503 || code === 'NETWORK_ERROR');
}

/** Half a second, then twice as long each time, with a part left to chance so that clients do not come together. */
function backoff(attempt: number): number {
  return 500 * 2 ** attempt * (0.75 + Math.random() / 2);
}
