import { findTenant, SCOPES, type Scope, type Tenant, type TenantContext } from '../accounts/index.js';
import { hashToken, isPlausibleToken } from '../keys/index.js';
import { invalid, Refusal, ruleFailure, unauthorized } from '../platform/errors/refusal.js';
import type { Exchange } from '../platform/http/exchange.js';
import { toUuid } from '../platform/http/uuid.js';
import { equalsSecret } from '../platform/secrets/equals-secret.js';
import { countFailedAuthentication } from './rate-limit.js';
import { keyOfSession } from './session.js';

/**
 * Authenticates a request by its `Authorization: Bearer` key, or by the session of a browser.
 * @throws Refusal UNAUTHORIZED: no key, not a key, unknown, revoked; or a key of the other environment, which the
 * answer says. TOO_MANY_REQUESTS after too many invalid keys from one address.
 */
export async function authenticate(exchange: Exchange): Promise<TenantContext> {
  const { services } = exchange;
  const header = exchange.header('authorization');
  const hash = header === null ? await keyOfSession(exchange) : hashOfHeader(exchange);
  const key = hash && (await services.knownKeys.find(hash));
  if (!key) {
    // The key of a session was valid once: it is not a guess.
    if (header !== null) await countFailedAuthentication(exchange);
    throw unauthorized();
  }
  noteTenant(exchange, key.tenant);
  if (key.environment !== key.tenant.environment) throw unauthorized('API_KEY_ENV_MISMATCH');
  services.keyUsage.count(key.id);
  return { tenant: key.tenant, environment: key.environment, keyId: key.id, scopes: key.scopes };
}

/** The digest of the key in an `Authorization` header; null if it has none. */
export function hashOfHeader({ bearer: token }: Exchange): string | null {
  // A key with a wrong checksum cannot exist, so it is not looked up.
  return token && isPlausibleToken(token) ? hashToken(token) : null;
}

/**
 * Authenticates the web application on one of its own routes: by a key of the account, or without a key by
 * `X-Tenant-Id`, with every scope and in the account's environment. The console is the server's own web application: its
 * session is enough, with the scopes of its key.
 * @throws Refusal UNAUTHORIZED: neither a key nor the secret, no account named, or as `authenticate`;
 * INTERNAL_SERVICE_ONLY without the right secret; VALIDATION_FAILED if `X-Tenant-Id` is not a UUID; NOT_FOUND if the
 * account does not exist.
 */
export async function authenticateWebApplication(exchange: Exchange): Promise<TenantContext> {
  if (exchange.header('authorization')) {
    const context = await authenticate(exchange);
    requireWebApplication(exchange);
    return context;
  }
  if (exchange.header(SECRET_HEADER) === null) return authenticate(exchange);
  if (!exchange.fromWebApplication) await countFailedAuthentication(exchange);
  requireWebApplication(exchange);
  const tenant = await readNamedTenant(exchange);
  noteTenant(exchange, tenant);
  return { tenant, environment: tenant.environment, keyId: null, scopes: SCOPES };
}

/** @throws Refusal INTERNAL_SERVICE_ONLY unless the request carries the web application's secret. */
export function requireWebApplication(exchange: Exchange): void {
  if (!exchange.fromWebApplication) throw new Refusal('INTERNAL_SERVICE_ONLY');
}

/** @throws Refusal INSUFFICIENT_SCOPE, or `code`, naming the missing scope. */
export function requireScope(
  context: TenantContext,
  scope: Scope,
  code: 'INSUFFICIENT_SCOPE' | 'FORBIDDEN' = 'INSUFFICIENT_SCOPE',
): void {
  if (context.scopes.includes(scope)) return;
  throw new Refusal(code, { params: { scope }, members: { requiredScope: scope } });
}

/** Records on the exchange whether the request carries the web application's secret. */
export function recognizeWebApplication(exchange: Exchange): void {
  const given = exchange.header(SECRET_HEADER);
  const secrets = exchange.services.config.internalServiceSecrets;
  const matches = given === null ? [] : secrets.filter((secret) => equalsSecret(secret, given));
  exchange.fromWebApplication = matches.length > 0;
}

// --- internal ---

const SECRET_HEADER = 'x-internal-service-secret';

async function readNamedTenant(exchange: Exchange): Promise<Tenant> {
  const header = exchange.header('x-tenant-id')?.trim();
  if (!header) throw unauthorized();
  const id = toUuid(header);
  if (!id) throw invalid([ruleFailure('header:X-Tenant-Id', 'uuid')]);
  const tenant = await exchange.services.database.read((tables) => findTenant(tables, id));
  if (!tenant) throw new Refusal('NOT_FOUND');
  return tenant;
}

function noteTenant(exchange: Exchange, tenant: Tenant): void {
  exchange.tenantLanguage = tenant.language;
  exchange.logFields['tenantId'] = tenant.id;
}
