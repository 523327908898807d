import { Refusal } from '../errors.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Answer } from './answer.js';
import { authenticate, recognizeWebApplication, requireScope } from './authenticate.js';
import type { Exchange } from './exchange.js';
import { toRefusal } from './problem.js';
import { requireWithinLimit } from './rate-limit.js';
import { requireIssuer } from './require-issuer.js';
import type { IssuerRoute, PublicRoute, Route, TenantRoute } from './route.js';
import { toUuid } from './uuid.js';

/**
 * Answers a request to a route. The checks come in the contract's order: limit by address, key, environment, scope,
 * limit by key, suspension, issuer header, the request itself, the issuer, and then what the handler looks up.
 *
 * @throws Refusal, and whatever the handler's use case throws.
 */
export async function answerRoute(route: Route, exchange: Exchange): Promise<Answer> {
  recognizeWebApplication(exchange);
  if (!('scope' in route)) return answerPublic(route, exchange);
  const context = await authenticate(exchange);
  if (route.scope) requireScope(context, route.scope, route.scopeRefusal);
  if (route.limit) await requireWithinLimit(exchange, route.limit, context.keyId);
  if (route.suspended === 'refused') requireServed(exchange, context);
  return route.access === 'tenant' ? answerTenant(route, exchange, context) : answerIssuer(route, exchange, context);
}

// --- internal ---

async function answerPublic(route: PublicRoute, exchange: Exchange): Promise<Answer> {
  if (route.limit) await requireWithinLimit(exchange, route.limit, exchange.addressBucket);
  const reserved = route.access === 'onboarding' && exchange.services.config.onboarding === 'internal';
  if (reserved && !exchange.fromWebApplication) throw new Refusal('INTERNAL_SERVICE_ONLY');
  const prepared = await route.handler.prepare(exchange);
  return prepared.answer({ exchange });
}

async function answerTenant(route: TenantRoute, exchange: Exchange, context: TenantContext): Promise<Answer> {
  const prepared = await route.handler.prepare(exchange);
  return prepared.answer({ exchange, context });
}

async function answerIssuer(route: IssuerRoute, exchange: Exchange, context: TenantContext): Promise<Answer> {
  const issuerId = readIssuerHeader(exchange);
  const prepared = await route.handler.prepare(exchange);
  try {
    const issuer = await requireIssuer(exchange, context, issuerId);
    const scope = { issuerId: issuer.id, environment: context.environment };
    return await prepared.answer({ exchange, context, issuer, scope });
  } catch (error) {
    if (isOfSomethingAbsent(error)) prepared.review?.();
    throw error;
  }
}

function readIssuerHeader(exchange: Exchange): string {
  const header = exchange.header('x-issuer-id')?.trim();
  if (!header) throw new Refusal('BAD_REQUEST', { reason: 'ISSUER_ID_REQUIRED' });
  const id = toUuid(header);
  if (!id) throw new Refusal('BAD_REQUEST', { reason: 'ISSUER_ID_INVALID' });
  exchange.logFields['issuerId'] = id;
  return id;
}

function isOfSomethingAbsent(error: unknown): boolean {
  const { reason } = toRefusal(error).details;
  return reason === 'ISSUER_NOT_FOUND' || reason === 'ISSUER_FORBIDDEN' || reason === 'DOCUMENT_NOT_FOUND';
}

function requireServed(exchange: Exchange, { tenant }: TenantContext): void {
  if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
  const blocked = tenant.status === 'PAST_DUE' && exchange.services.config.pastDueMode === 'block';
  if (blocked) throw new Refusal('ACCOUNT_PAST_DUE');
}
