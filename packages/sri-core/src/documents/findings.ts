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

/** How many failures, and how many warnings, one document reports. */
export const MAX_FINDINGS = 50;

/** What a look at a document found so far. */
export interface Findings {
  /** Something that stops the document; the first thing wrong with a field is the one that counts. */
  fail(field: string, rule: string, params?: Params): void;
  /** Something worth a look. Strict checking makes it a failure, unless it is `uncertain`. */
  warn(field: string, code: WarningCode, params?: Params, certainty?: 'uncertain'): void;
  /**
   * Ends here when something is wrong that leaves no sums to go on with. What strict checking alone refuses does not: the
   * rest is judged too, so that one answer names everything.
   *
   * @throws ValidationError
   */
  throwIfBlocked(): void;
  /** @throws ValidationError when anything stops the document. */
  throwIfFailed(): void;
  /** @throws ValidationError whatever was found. */
  refuse(): never;
  /** Whether no more warnings, or no more failures in strict checking, are taken. */
  readonly isFull: boolean;
  readonly warnings: readonly Warning[];
}

/** Starts with nothing found. @param options.ownRules texts of the rules that only some types of document have. */
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
      if (warnings.length >= MAX_FINDINGS) return;
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
