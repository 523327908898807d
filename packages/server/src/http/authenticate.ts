import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../errors.js';
import { findActiveKey } from '../store/api-keys.js';
import { hashToken, isPlausibleToken } from '../tenancy/api-token.js';
import type { Scope } from '../tenancy/scopes.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';

/**
 * Finds out for whom a request acts, by its `Authorization: Bearer` key.
 *
 * @throws Refusal UNAUTHORIZED: no key, not a key, unknown, revoked; or, said so, a key of the other environment.
 */
export async function authenticate(exchange: Exchange): Promise<TenantContext> {
  const { services } = exchange;
  const token = /^Bearer +([!-~]{1,512})$/i.exec(exchange.header('authorization') ?? '')?.[1];
  if (!token || !isPlausibleToken(token)) throw unauthorized();
  const key = await services.database.read((tables) => findActiveKey(tables, hashToken(token)));
  if (!key) throw unauthorized();
  exchange.tenantLanguage = key.tenant.language;
  exchange.logFields['tenantId'] = key.tenant.id;
  if (key.environment !== key.tenant.environment) throw unauthorized('API_KEY_ENV_MISMATCH');
  services.keyUsage.count(key.id);
  return { tenant: key.tenant, environment: key.environment, keyId: key.id, scopes: key.scopes };
}

/** @throws Refusal INSUFFICIENT_SCOPE, which names the missing one. */
export function requireScope(context: TenantContext, scope: Scope): void {
  if (context.scopes.includes(scope)) return;
  throw new Refusal('INSUFFICIENT_SCOPE', { params: { scope }, members: { requiredScope: scope } });
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
