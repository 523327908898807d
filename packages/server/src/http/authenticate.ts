import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../errors.js';
import { findActiveKey } from '../store/api-keys.js';
import { hashToken, isPlausibleToken } from '../tenancy/api-token.js';
import type { Scope } from '../tenancy/scopes.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';
import { countFailedAuthentication } from './rate-limit.js';

/**
 * Finds out for whom a request acts, by its `Authorization: Bearer` key.
 *
 * @throws Refusal UNAUTHORIZED: no key, not a key, unknown, revoked; or, said so, a key of the other environment.
 * TOO_MANY_REQUESTS after too many keys in vain from one address.
 */
export async function authenticate(exchange: Exchange): Promise<TenantContext> {
  const { services } = exchange;
  const header = exchange.header('authorization');
  if (!header) throw unauthorized();
  const token = /^Bearer +([!-~]{1,512})$/i.exec(header)?.[1];
  // A key whose checksum is wrong exists nowhere, so it is not looked for.
  const hash = token && isPlausibleToken(token) ? hashToken(token) : null;
  const key = hash && (await services.database.read((tables) => findActiveKey(tables, hash)));
  if (!key) {
    await countFailedAuthentication(exchange);
    throw unauthorized();
  }
  exchange.tenantLanguage = key.tenant.language;
  exchange.logFields['tenantId'] = key.tenant.id;
  if (key.environment !== key.tenant.environment) throw unauthorized('API_KEY_ENV_MISMATCH');
  services.keyUsage.count(key.id);
  return { tenant: key.tenant, environment: key.environment, keyId: key.id, scopes: key.scopes };
}

/** @throws Refusal INSUFFICIENT_SCOPE, or `code`, which names the missing one. */
export function requireScope(
  context: TenantContext,
  scope: Scope,
  code: 'INSUFFICIENT_SCOPE' | 'FORBIDDEN' = 'INSUFFICIENT_SCOPE',
): void {
  if (context.scopes.includes(scope)) return;
  throw new Refusal(code, { params: { scope }, members: { requiredScope: scope } });
}

/** Whether the request carries the web application's secret. Notes it on the exchange. */
export function recognizeWebApplication(exchange: Exchange): boolean {
  const given = exchange.header('x-internal-service-secret');
  const secrets = exchange.services.config.internalServiceSecrets;
  // Every secret is compared, so that the time says nothing about which one was close.
  const matches = secrets.map((secret) => given !== null && timingSafeEqual(digest(secret), digest(given)));
  exchange.fromWebApplication = matches.includes(true);
  return exchange.fromWebApplication;
}

// --- internal ---

function unauthorized(reason?: 'API_KEY_ENV_MISMATCH'): Refusal {
  return new Refusal('UNAUTHORIZED', { ...(reason ? { reason } : {}), headers: { 'www-authenticate': 'Bearer' } });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
