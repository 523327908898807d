/** A broken rule of a request. */
export interface FieldFailure {
  /** The location: a path into the body, or `query:`, `path:` or `header:` and a name. */
  readonly field: string;
  readonly rule: string;
  /** The message, in the language of the answer. */
  readonly message: string;
  readonly code?: string;
}

/** The server's description of a rejected request. */
export interface ApiErrorDetails {
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;
  readonly errors: readonly FieldFailure[];
  /** The server's id of the request; null when no answer came. */
  readonly requestId: string | null;
  /** The wait before the next attempt; null when the server does not say. */
  readonly retryAfterMs: number | null;
}

/**
 * A request that the server refuses, or that gets no answer. `code` is the contract: one of the server's codes,
 * `NETWORK_ERROR` without an answer, or `UNEXPECTED_ANSWER` when another program answers. `message` is `detail` with the
 * first five of `errors`.
 */
export class ApiError extends Error implements ApiErrorDetails {
  /** The sentence of the server, in the language of the answer. */
  readonly detail: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;
  readonly errors: readonly FieldFailure[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(detail: string, details: ApiErrorDetails, cause?: unknown) {
    const listed = details.errors.slice(0, 5).map(({ field, message }) => `${field}: ${message}`);
    super([detail, ...listed].join(' '), cause === undefined ? undefined : { cause });
    this.detail = detail;
    this.status = details.status;
    this.code = details.code;
    this.reason = details.reason;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }

  override get name(): string {
    return 'ApiError';
  }
}

/** The error of an answer that is not 2xx, or is no JSON. */
export async function toApiError(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  const errors = Array.isArray(problem['errors']) ? (problem['errors'] as readonly FieldFailure[]) : [];
  const detail = textOf(problem['detail']) ?? `The server answered ${response.status}.`;
  return new ApiError(detail, {
    status: response.status,
    code: textOf(problem['code']) ?? 'UNEXPECTED_ANSWER',
    reason: textOf(problem['reason']),
    errors,
    requestId: textOf(problem['requestId']) ?? response.headers.get('x-request-id'),
    retryAfterMs: waitOf(response.headers),
  });
}

/** The JSON object of an answer. @throws ApiError UNEXPECTED_ANSWER for another text. */
export async function readAnswer(response: Response): Promise<object> {
  const answer = parseObject(await response.text());
  if (!answer) throw await toApiError(response);
  return answer;
}

/** The error of a request without an answer. */
export function noAnswer(cause: unknown): ApiError {
  const nothing = { status: 0, reason: null, errors: [], requestId: null, retryAfterMs: null };
  return new ApiError(`No answer came: ${reasonOf(cause)}`, { ...nothing, code: 'NETWORK_ERROR' }, cause);
}

// --- internal ---

/** The platform's `fetch failed` says nothing. Its own cause does, which for several addresses has a code only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}

/** What `Retry-After` asks for: seconds, or a date, as some proxies write it. */
function waitOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (!text) return null;
  const answeredAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = Number.isNaN(Number(text)) ? Date.parse(text) - answeredAt : Number(text) * 1000;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

async function readProblem(response: Response): Promise<JsonObject> {
  return parseObject(await response.text().catch(() => '')) ?? {};
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The object of a JSON text; null for any other text. */
function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
