import { invalid, Refusal, ruleFailure } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import { toUuid } from '../http/uuid.js';

/** The issuer id in the path. @throws Refusal VALIDATION_FAILED when it is no UUID. */
export function readIssuerId(exchange: Exchange): string {
  const id = toUuid(exchange.params['id'] ?? '');
  if (!id) throw invalid([ruleFailure('path:id', 'uuid')]);
  return id;
}

/** The same where what is no UUID names no issuer. @throws Refusal NOT_FOUND */
export function findIssuerId(exchange: Exchange): string {
  const id = toUuid(exchange.params['id'] ?? '');
  if (!id) throw new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' });
  return id;
}
