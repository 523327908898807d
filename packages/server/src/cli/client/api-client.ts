import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from 'sri-core/cli';
import type { Connection } from './connection.js';

/** What is asked of a server. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** An answer that is no refusal. */
export interface ApiAnswer {
  readonly status: number;
  /** Whether an earlier request with the same idempotency key was answered again. */
  readonly replayed: boolean;
  readonly bytes: Uint8Array;
  /** Its body, where that is JSON. */
  json<Body>(): Body;
}

/** Asks a server. @throws CommandFailure with the server's own code, or SERVER_UNREACHABLE */
export type ApiClient = (path: string, request?: ApiRequest) => Promise<ApiAnswer>;

/**
 * Asks the server of a connection. What is safe to repeat is repeated when the network or the server fails for a moment:
 * reading, and creating under an idempotency key.
 */
export function createApiClient(connection: Connection): ApiClient {
  return async (path, request = {}) => {
    const { method = 'GET', idempotencyKey } = request;
    const mayRepeat = method === 'GET' || idempotencyKey !== undefined || /\/send$/.test(path);
    for (let attempt = 0; ; attempt += 1) {
      const last = !mayRepeat || attempt === RETRY_DELAYS_MS.length;
      const response = await send(connection, path, request).catch((error: unknown) => {
        if (last) throw unreachable(connection, error);
        return null;
      });
      const waitMs = response ? retryAfterMs(response) : null;
      if (response && (last || !TRANSIENT.has(response.status))) return readAnswer(response);
      await response?.body?.cancel();
      await pause(waitMs ?? RETRY_DELAYS_MS[attempt] ?? 1000);
    }
  };
}

// --- internal ---

const RETRY_DELAYS_MS = [250, 1000, 3000, 5000];
const TRANSIENT = new Set([429, 502, 503, 504]);
const TIMEOUT_MS = 60_000;
const MAX_WAIT_MS = 60_000;

function send(connection: Connection, path: string, request: ApiRequest): Promise<Response> {
  const { url, apiKey, issuerId, language } = connection;
  const { method = 'GET', body, idempotencyKey } = request;
  return fetch(`${url}${path}`, {
    method,
    // A key must not follow to wherever a server may point.
    redirect: 'error',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'accept-language': language,
      ...(issuerId ? { 'x-issuer-id': issuerId } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw toFailure(response.status, bytes);
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    bytes,
    json: () => JSON.parse(Buffer.from(bytes).toString('utf8')),
  };
}

/** A problem body in the words the server chose; whatever else answered is told by its status. */
function toFailure(status: number, bytes: Uint8Array): CommandFailure {
  try {
    const { code, detail, ...members } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof code === 'string' && typeof detail === 'string') {
      const { reason, errors, requestId } = members;
      return new CommandFailure(code, detail, {
        status,
        ...(reason ? { reason } : {}),
        ...(errors ? { errors } : {}),
        ...(requestId ? { requestId } : {}),
      });
    }
  } catch {
    // No JSON: a proxy, or another program on that port.
  }
  return new CommandFailure(
    'SERVER_ANSWER_UNKNOWN',
    {
      es: `Respondió algo que no es este servidor (HTTP ${status}). Revise SRI_URL.`,
      en: `Something answered that is not this server (HTTP ${status}). Check SRI_URL.`,
    },
    { status },
  );
}

function unreachable({ url }: Connection, error: unknown): CommandFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'TIMEOUT';
  return new CommandFailure('SERVER_UNREACHABLE', {
    es: `No responde ${url} (${code}). ¿Está en marcha? sri-server serve --dev lo inicia; SRI_URL o --url nombra otro.`,
    en: `${url} does not answer (${code}). Is it running? sri-server serve --dev starts it; SRI_URL or --url names another.`,
  });
}

function retryAfterMs({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? '');
  return seconds > 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : null;
}
