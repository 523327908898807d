import { CertificateInvalidError, type Language, type SriError, translate, ValidationError } from 'sri-core';
import { PROBLEMS, type ProblemCode, type ProblemReason, problemKind, REASONS } from '../errors/error-catalogue.js';
import { invalid, Refusal } from '../errors/refusal.js';
import { toFailure } from './rule-messages.js';

/** The parts of a request that its problem body repeats. */
export interface ProblemContext {
  readonly language: Language;
  /** Path without query. */
  readonly instance: string;
  readonly requestId: string;
  readonly docsUrl: string;
}

/** An error as answered. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The one place that turns an error into a refusal of the contract. An unknown error becomes INTERNAL_ERROR without its
 * details.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ValidationError) return invalid(error.failures);
  const known = isSriError(error) ? KNOWN_ERRORS[error.code] : undefined;
  if (!known) return new Refusal('INTERNAL_ERROR', { cause: error });
  const [code, reason = isReadOnly(error) ? 'READ_ONLY' : undefined] = known;
  const status = isSriError(error) && 'status' in error ? String(error.status) : '';
  const found = error instanceof CertificateInvalidError ? error.found : null;
  return new Refusal(code, {
    ...(reason ? { reason } : {}),
    params: { status },
    found,
    ...(code === 'SERVICE_UNAVAILABLE' ? { retryAfterSeconds: 2 } : {}),
    cause: error,
  });
}

/** The answer to a refusal: status, headers and body, in the caller's language. */
export function toProblem(refusal: Refusal, context: ProblemContext): ProblemAnswer {
  const { code, details } = refusal;
  const { language } = context;
  const problem = PROBLEMS[code];
  const errors = details.failures?.map((failure) => toFailure(failure, language));
  const params = { ...details.params, wait: waitIn(language, details.retryAfterSeconds ?? 1) };
  const detail = details.reason ? REASONS[details.reason] : problem.detail;
  const sentence = translate(detail, language, params);
  return {
    status: problem.status,
    headers: {
      ...(details.retryAfterSeconds === undefined ? {} : { 'retry-after': String(details.retryAfterSeconds) }),
      ...details.headers,
    },
    body: {
      type: `${context.docsUrl}/errors/${problemKind(code)}`,
      title: problem.title[language],
      status: problem.status,
      code,
      ...(details.reason ? { reason: details.reason } : {}),
      detail: errors
        ? countFailures(errors.length, language)
        : [sentence, details.found?.[language]].filter(Boolean).join(' '),
      instance: context.instance,
      requestId: context.requestId,
      ...(errors ? { errors } : {}),
      ...details.members,
    },
  };
}

// --- internal ---

function waitIn(language: Language, seconds: number): string {
  return seconds < 120
    ? `${seconds} ${translate({ es: 'segundos', en: 'seconds' }, language)}`
    : `${Math.ceil(seconds / 60)} ${translate({ es: 'minutos', en: 'minutes' }, language)}`;
}

/** Core's errors in the words of the contract, by their `code`, since two copies of core have two classes. */
const KNOWN_ERRORS: Readonly<Record<string, readonly [ProblemCode, ProblemReason?]>> = {
  ISSUER_NOT_FOUND: ['NOT_FOUND', 'ISSUER_NOT_FOUND'],
  ISSUER_ISSUING_PAUSED: ['ISSUER_ISSUING_PAUSED'],
  DOCUMENT_TYPE_NOT_ENABLED: ['DOCUMENT_TYPE_NOT_ENABLED'],
  DOCUMENT_NOT_FOUND: ['NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  INVALID_STATE_TRANSITION: ['BAD_REQUEST', 'INVALID_STATE_TRANSITION'],
  DOCUMENT_NOT_AUTHORIZED: ['DOCUMENT_NOT_AUTHORIZED'],
  DOCUMENT_VOID_CONFIRMATION_REQUIRED: ['DOCUMENT_VOID_CONFIRMATION_REQUIRED'],
  NOTHING_TO_RETRY: ['NOTHING_TO_RETRY'],
  IDEMPOTENCY_CONFLICT: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  SEQUENTIAL_EXHAUSTED: ['BAD_REQUEST', 'SEQUENTIAL_EXHAUSTED'],
  SEQUENTIAL_CANNOT_DECREASE: ['SEQUENTIAL_CANNOT_DECREASE'],
  CERTIFICATE_INVALID: ['BAD_REQUEST', 'CERTIFICATE_INVALID'],
  CERTIFICATE_PASSWORD_INVALID: ['BAD_REQUEST', 'CERTIFICATE_PASSWORD_INVALID'],
  CERTIFICATE_KEY_NOT_FOUND: ['BAD_REQUEST', 'CERTIFICATE_KEY_NOT_FOUND'],
  CERTIFICATE_KEY_UNSUPPORTED: ['BAD_REQUEST', 'CERTIFICATE_KEY_UNSUPPORTED'],
  CERTIFICATE_EXPIRED: ['BAD_REQUEST', 'CERTIFICATE_EXPIRED'],
  CERTIFICATE_NOT_YET_VALID: ['BAD_REQUEST', 'CERTIFICATE_NOT_YET_VALID'],
  CONCURRENT_CHANGE: ['SERVICE_UNAVAILABLE'],
  ENGINE_BUSY: ['SERVICE_UNAVAILABLE'],
  STORAGE_UNAVAILABLE: ['SERVICE_UNAVAILABLE'],
  MASTER_KEY_NEEDED: ['SERVICE_UNAVAILABLE'],
};

/** Whether the database takes no writes at all, by the names of SQLite and PostgreSQL. */
function isReadOnly(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && /^(SQLITE_READONLY|25006)$/.test(String(cause.code));
}

function isSriError(error: unknown): error is SriError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function countFailures(count: number, language: Language): string {
  if (language === 'en') return count === 1 ? '1 field is not valid.' : `${count} fields are not valid.`;
  return count === 1 ? '1 campo no es válido.' : `${count} campos no son válidos.`;
}
