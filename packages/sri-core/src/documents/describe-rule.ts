import type { Language } from '../catalogs/catalog.js';
import type { Failure } from '../errors.js';
import { describeRule, type RuleTexts, WARNING_RULES, type Warning } from './messages.js';
import { DOCUMENTS } from './registry.js';

/** Describes a failure in a language, from its rule and parameters. */
export function describeFailure(failure: Pick<Failure, 'rule' | 'params'>, language: Language): string {
  return describeRule(failure.rule, failure.params ?? {}, language, OWN_RULES);
}

/** Describes a warning in a language. */
export function describeWarning(warning: Pick<Warning, 'code' | 'params'>, language: Language): string {
  return describeRule(WARNING_RULES[warning.code], warning.params ?? {}, language, OWN_RULES);
}

/** The texts of rules that belong to one type. */
export const OWN_RULES: RuleTexts = Object.assign({}, ...Object.values(DOCUMENTS).map(({ texts }) => texts.rules));
