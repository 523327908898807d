import type { Failure, LocalizedText } from 'sri-core';
import type { ProblemCode, ProblemReason } from './error-catalogue.js';

/** A broken rule of a request before its message is written: the field, the rule, and the rule's measures. */
export type RuleFailure = Omit<Failure, 'message'>;

/** The details of a refusal. */
export interface RefusalDetails {
  /** The specific reason of a broad code. */
  readonly reason?: ProblemReason;
  /** Values for the `{name}` placeholders of the catalogue's text. Never a value the caller sent. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** A further sentence for users, about the finding. Never a value the caller sent. */
  readonly found?: LocalizedText | null;
  /** The broken rules, with VALIDATION_FAILED. */
  readonly failures?: readonly RuleFailure[];
  /** When to retry. */
  readonly retryAfterSeconds?: number;
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, string>>;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * A rejected request, in the words of the error catalogue. The rules of each area throw it; one place decides its form
 * over HTTP.
 */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly details: RefusalDetails;

  constructor(code: ProblemCode, details: RefusalDetails = {}) {
    super(details.reason ? `${code} (${details.reason})` : code, details.cause ? { cause: details.cause } : undefined);
    this.code = code;
    this.details = details;
  }

  override get name(): string {
    return 'Refusal';
  }
}

/** A refusal of a caller without a valid key or token. */
export function unauthorized(reason?: ProblemReason): Refusal {
  return new Refusal('UNAUTHORIZED', { ...(reason ? { reason } : {}), headers: { 'www-authenticate': 'Bearer' } });
}

/** The most broken rules that a refusal lists. */
export const MAX_FAILURES = 50;

/** A refusal that lists broken rules. */
export function invalid(failures: readonly RuleFailure[]): Refusal {
  return new Refusal('VALIDATION_FAILED', { failures: failures.slice(0, MAX_FAILURES) });
}

/** One broken rule, with `code` made from `field`: the same path without array positions. */
export function ruleFailure(
  field: string,
  rule: string,
  params?: Readonly<Record<string, string | number>>,
): RuleFailure {
  return { field, rule, code: field.replace(/\[\d+\]/g, ''), ...(params ? { params } : {}) };
}
