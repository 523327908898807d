import { Refusal } from '../errors/refusal.js';
import type { LimitVerdict } from '../limits/rows.js';
import type { Exchange } from './exchange.js';

/** Rejects a use beyond a limit. @throws Refusal TOO_MANY_REQUESTS */
export function requireAllowed({ allowed, resetMs }: LimitVerdict): void {
  if (!allowed) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) });
}

/** The same, with the headers of the limit in the answer. @throws Refusal TOO_MANY_REQUESTS */
export function requireAllowedWithHeaders({ headers }: Pick<Exchange, 'headers'>, verdict: LimitVerdict): void {
  headers['ratelimit-limit'] = String(verdict.limit);
  headers['ratelimit-remaining'] = String(verdict.remaining);
  headers['ratelimit-reset'] = String(Math.ceil(verdict.resetMs / 1000));
  requireAllowed(verdict);
}
