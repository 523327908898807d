import type { Language } from '../catalogs/catalog.js';
import { type Failure, ValidationError } from '../errors.js';
import {
  createFailure,
  describeRule,
  type Params,
  type RuleTexts,
  WARNING_RULES,
  type Warning,
  type WarningCode,
} from './messages.js';

/** The maximum of failures, and of warnings, that one document reports. Beyond it, each kind of warning is still reported. */
export const MAX_FINDINGS = 50;

/** The findings of one validation. */
export interface Findings {
  /** Adds a failure. Only the first failure of a field counts. */
  fail(field: string, rule: string, params?: Params): void;
  /** Adds a warning. Strict checking makes it a failure, unless it is `uncertain`. */
  warn(field: string, code: WarningCode, params?: Params, certainty?: 'uncertain'): void;
  /**
   * Stops when a failure leaves no sums to continue with. Failures of strict checking alone do not stop: the rest is checked
   * too, so that one answer names everything.
   *
   * @throws ValidationError
   */
  throwIfBlocked(): void;
  /** @throws ValidationError when there is any failure. */
  throwIfFailed(): void;
  /** @throws ValidationError in any case. */
  refuse(): never;
  /** Whether the limit of warnings, or of failures in strict checking, is reached. */
  readonly isFull: boolean;
  readonly warnings: readonly Warning[];
}

/** Creates an empty collection. @param options.ownRules texts of the rules that only some document types have. */
export function createFindings(options: {
  readonly language: Language;
  readonly strict: boolean;
  readonly ownRules?: RuleTexts;
}): Findings {
  const { language, strict, ownRules } = options;
  const failures: Failure[] = [];
  const failed = new Set<string>();
  const warnings: Warning[] = [];
  let blocked = false;
  const add = (field: string, rule: string, params?: Params) => {
    if (failures.length >= MAX_FINDINGS || failed.has(field)) return;
    failed.add(field);
    failures.push(createFailure(field, rule, params, language, ownRules));
  };
  return {
    fail(field, rule, params) {
      blocked = true;
      add(field, rule, params);
    },
    warn(field, code, params, certainty) {
      if (strict && certainty !== 'uncertain') return add(field, WARNING_RULES[code], params);
      if (warnings.length >= MAX_FINDINGS) {
        if (warnings.some((each) => each.code === code)) return;
        // Hundreds of lines with the same slip must not hide that the payments are wrong: the last repeated one gives way.
        const repeated = warnings.findLastIndex(
          (each, at) => warnings.findIndex((first) => first.code === each.code) < at,
        );
        warnings.splice(repeated, 1);
      }
      const message = describeRule(WARNING_RULES[code], params ?? {}, language, ownRules);
      warnings.push({ code, field, message, ...(params && { params }) });
    },
    throwIfBlocked() {
      if (blocked) throw new ValidationError(failures, language);
    },
    throwIfFailed() {
      if (failures.length > 0) throw new ValidationError(failures, language);
    },
    refuse() {
      throw new ValidationError(failures, language);
    },
    get isFull() {
      return (strict ? failures : warnings).length >= MAX_FINDINGS;
    },
    warnings,
  };
}
