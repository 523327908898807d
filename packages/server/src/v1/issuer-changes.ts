import { isWritableText, normalizeText, textLength } from 'sri-core';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import type { JsonObject } from '../http/parse-body.js';
import type { IssuerChanges } from '../store/issuer-changes.js';
import type { IssuerRecord } from '../tenancy/issuer-record.js';

/** What `PATCH /v1/issuers/:id` asks for. */
export interface IssuerPatch {
  readonly changes: IssuerChanges;
  /** @throws Refusal VALIDATION_FAILED when a field that cannot change was sent with another value. */
  check(issuer: IssuerRecord): void;
}

/**
 * Reads the body of `PATCH /v1/issuers/:id`.
 *
 * @throws Refusal VALIDATION_FAILED with every field that is wrong, or when there is nothing to change.
 */
export function readIssuerPatch(body: JsonObject): IssuerPatch {
  const failures: RuleFailure[] = [];
  const changes: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(CHANGEABLE)) {
    if (!Object.hasOwn(body, name)) continue;
    const result = read(body[name]);
    if ('rule' in result) failures.push(ruleFailure(name, result.rule, result.params));
    else changes[name] = result.value;
  }
  const nothing = Object.keys(changes).length === 0 && failures.length === 0;
  if (nothing) failures.push(ruleFailure('body', 'anyOf', { allowed: Object.keys(CHANGEABLE).join(', ') }));
  if (failures.length > 0) throw invalid(failures);
  return {
    // Each reader gives what its field holds; the table below pairs them.
    changes: changes as IssuerChanges,
    check(issuer) {
      const changed = UNCHANGEABLE.filter((name) => Object.hasOwn(body, name) && body[name] !== issuer[name]);
      if (changed.length > 0) throw invalid(changed.map((name) => ruleFailure(name, 'unchangeable')));
    },
  };
}

// --- internal ---

type Reading =
  | { readonly value: string | boolean | null }
  | { readonly rule: string; readonly params?: Readonly<Record<string, string | number>> };

const UNCHANGEABLE = ['ruc', 'branchCode', 'issuePointCode'] as const;

const CHANGEABLE: Readonly<Record<keyof Omit<IssuerChanges, 'canIssue'>, (value: unknown) => Reading>> = {
  businessName: words,
  tradeName: orNull(words),
  mainAddress: orNull(words),
  branchAddress: orNull(words),
  requiredAccounting: (value) => (typeof value === 'boolean' ? { value } : wrongType('boolean')),
  specialTaxpayer: orNull(matching(/^[A-Za-z0-9]{3,13}$/, 'A1B2C (3–13)')),
  withholdingAgent: orNull(matching(/^0{0,12}[1-9][0-9]{0,7}$/, '12345678 (1–8)')),
  rimpe: orNull((value) =>
    value === 'GENERAL' || value === 'POPULAR'
      ? { value }
      : { rule: 'choice', params: { allowed: 'GENERAL, POPULAR' } },
  ),
};

function wrongType(expected: string): Reading {
  return { rule: 'type', params: { expected } };
}

function orNull(read: (value: unknown) => Reading) {
  return (value: unknown): Reading => (value === null ? { value } : read(value));
}

/** 1 to 300 code points that a document can carry. */
function words(value: unknown): Reading {
  if (typeof value !== 'string') return wrongType('string');
  const text = normalizeText(value);
  if (text === '') return { rule: 'minLength' };
  if (!isWritableText(text)) return { rule: 'text' };
  return textLength(text) > 300 ? { rule: 'maxLength', params: { max: 300 } } : { value: text };
}

function matching(form: RegExp, shown: string) {
  return (value: unknown): Reading => {
    if (typeof value !== 'string') return wrongType('string');
    const text = value.trim();
    return form.test(text) ? { value: text } : { rule: 'pattern', params: { form: shown } };
  };
}
