import { invalid, ruleFailure } from '../errors.js';
import type { Exchange } from '../http/exchange.js';

/**
 * The access key in the path. Only its form is judged: a key whose digits do not add up is one that does not exist.
 *
 * @throws Refusal VALIDATION_FAILED unless it has 49 digits.
 */
export function readAccessKey(exchange: Exchange): string {
  const text = exchange.params['accessKey'] ?? '';
  if (!/^[0-9]{49}$/.test(text)) throw invalid([ruleFailure('path:accessKey', 'accessKey')]);
  return text;
}
