import { CommandFailure } from 'sri-core/cli';
import { ApiError, type Client, type ClientOptions, createClient } from 'sri-core/client';
import type { Connection } from './connection.js';

/**
 * Runs the work of a command with a client of its server.
 *
 * @param options.fetch sends each attempt of a request.
 * @throws CommandFailure with the server's own code, SERVER_UNREACHABLE or SERVER_ANSWER_UNKNOWN.
 */
export async function withServer<Result>(
  connection: Connection,
  work: (api: Client) => Promise<Result>,
  options: Pick<ClientOptions, 'fetch'> = {},
): Promise<Result> {
  const { url, apiKey, issuerId, language } = connection;
  try {
    return await work(
      createClient({ baseUrl: url, apiKey, language, maxRetries: 4, ...(issuerId ? { issuerId } : {}), ...options }),
    );
  } catch (error) {
    throw error instanceof ApiError ? toFailure(error, url) : error;
  }
}

/** The code of a request without an answer. */
export function faultOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // A DOMException, such as a timeout, has a number as its code.
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'TIMEOUT';
}

// --- internal ---

function toFailure(error: ApiError, url: string): CommandFailure {
  const { status, code, reason, errors, requestId, detail } = error;
  if (code === 'NETWORK_ERROR') return unreachable(url, faultOf(error.cause));
  if (code === 'UNEXPECTED_ANSWER') {
    // A proxy answers for a server that it does not reach.
    if (status >= 502 && status <= 504) return unreachable(url, `HTTP ${status}`);
    return new CommandFailure(
      'SERVER_ANSWER_UNKNOWN',
      {
        es: `Respondió algo que no es este servidor (HTTP ${status}). Revise SRI_URL.`,
        en: `Something answered that is not this server (HTTP ${status}). Check SRI_URL.`,
      },
      { status },
    );
  }
  return new CommandFailure(code, detail, {
    status,
    ...(reason ? { reason } : {}),
    ...(errors.length > 0 ? { errors } : {}),
    ...(requestId ? { requestId } : {}),
  });
}

function unreachable(url: string, fault: string): CommandFailure {
  return new CommandFailure('SERVER_UNREACHABLE', {
    es: `No responde ${url} (${fault}). ¿Está en marcha? sri-server serve --dev lo inicia; SRI_URL o --url nombra otro.`,
    en: `${url} does not answer (${fault}). Is it running? sri-server serve --dev starts it; SRI_URL or --url names another.`,
  });
}
