import { findAdminToken, type Operator } from '../operator/index.js';
import { unauthorized } from '../platform/errors/refusal.js';
import type { Exchange } from '../platform/http/exchange.js';
import { countFailedAuthentication } from './rate-limit.js';

/**
 * Authenticates the operator by a token in `X-Admin-Token` or `Authorization: Bearer`.
 * @throws Refusal UNAUTHORIZED without a valid token; TOO_MANY_REQUESTS after too many invalid ones from one address.
 */
export async function authenticateOperator(exchange: Exchange): Promise<Operator> {
  const { adminTokens } = exchange.services.config;
  const given = exchange.header('x-admin-token')?.trim() ?? exchange.bearer;
  if (given === null && exchange.header('authorization') === null) throw unauthorized(REASON);
  const token = findAdminToken(adminTokens, given ?? '');
  if (!token) {
    await countFailedAuthentication(exchange);
    throw unauthorized(REASON);
  }
  exchange.logFields['operator'] = token.label;
  return { actor: token.label, channel: 'HTTP' };
}

// --- internal ---

const REASON = 'ADMIN_TOKEN_REQUIRED';
