import { SriUnavailableError } from '../errors.js';
import { AnswerTooLargeError } from './answer-body.js';

/** The transport could not connect: no name, no route, connection refused, no TLS. Not a byte of the request was sent. */
export class NotConnectedError extends Error {
  /** The cause's code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code: string;

  constructor(cause: unknown) {
    super('The connection could not be made.', { cause });
    this.code = codesOf(cause)[0] ?? 'UNKNOWN';
  }

  override get name(): string {
    return 'NotConnectedError';
  }
}

/**
 * Classifies a call without a complete HTTP answer: 504 after a timeout or cancellation, else 503. Only a failed connection
 * proves that the request was not sent.
 */
export function toUnavailable(error: unknown): SriUnavailableError {
  const codes = codesOf(error);
  const code = codes.find((candidate) => TIMEOUTS.has(candidate)) ?? codes[0] ?? 'no code';
  if (error instanceof AnswerTooLargeError) {
    // It arrived over a working connection, so an immediate retry would only repeat it.
    return unavailable('The SRI answered without end.', { status: 504, network: false, arrived: true, cause: error });
  }
  const connected =
    !(error instanceof NotConnectedError) && !codes.some((candidate) => NEVER_CONNECTED.test(candidate));
  if (codes.some((candidate) => TIMEOUTS.has(candidate))) {
    const message = connected ? 'The SRI did not answer in time' : 'No connection to the SRI was made in time';
    return unavailable(`${message} (${code}).`, { status: 504, network: true, arrived: connected, cause: error });
  }
  const message = connected ? 'The connection to the SRI broke before it answered' : 'The SRI could not be reached';
  return unavailable(`${message} (${code}).`, { status: 503, network: true, arrived: connected, cause: error });
}

// --- internal ---

const TIMEOUTS = new Set([
  'TimeoutError',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Codes that occur only before a connection exists. The TLS codes are those of the handshake and the certificate. */
const NEVER_CONNECTED = new RegExp(
  `^(?:${[
    'ECONNREFUSED|ENOTFOUND|EAI_\\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN',
    'UND_ERR_CONNECT_TIMEOUT',
    'ERR_TLS_CERT_\\w+|ERR_TLS_HANDSHAKE_TIMEOUT|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\\w*HANDSHAKE\\w*',
    'ERR_SSL_UNSUPPORTED_PROTOCOL|ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'CERT_\\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\\w+|HOSTNAME_MISMATCH',
    'INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED',
  ].join('|')})$`,
);

/** The codes of an error and its causes, outermost first; without a code, the name shows a timeout. */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const own: string[] = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  if (error.name === 'TimeoutError') own.push('TimeoutError');
  const tried: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return own.concat(...[error.cause, ...tried].map((inner) => codesOf(inner, depth + 1)));
}

function unavailable(
  message: string,
  details: { status: number; network: boolean; arrived: boolean; cause: unknown },
): SriUnavailableError {
  return new SriUnavailableError(message, {
    httpStatus: `HTTP_${details.status}`,
    mayHaveArrived: details.arrived,
    network: details.network,
    cause: details.cause,
  });
}
