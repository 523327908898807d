import {
  awaitsVerification,
  type InternalRoute,
  type TenantCall,
  type TenantContext,
  type TenantRoute,
} from '../accounts/index.js';
import {
  asksForAllIssuers,
  type IssuerRoute,
  type IssuersRoute,
  listIssuerIds,
  requireIssuer,
} from '../issuers/index.js';
import type { OperatorRoute } from '../operator/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Answer } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { toRefusal } from '../platform/http/problem.js';
import type { PreparedHandler, PublicRoute } from '../platform/http/route.js';
import { toUuid } from '../platform/http/uuid.js';
import {
  authenticate,
  authenticateWebApplication,
  recognizeWebApplication,
  requireScope,
  requireWebApplication,
} from './authenticate.js';
import { authenticateOperator } from './authenticate-operator.js';
import { requireAddressWithinLimit, requireKeyWithinLimit } from './rate-limit.js';
import type { AccountRoute, Route } from './route.js';

/**
 * Answers a request to a route. The checks run in the contract's order: limit by address, key, environment, whether the
 * route is the web application's, scope, limit by key, suspension, issuer header, the request itself, the issuer, the
 * handler's lookups, and whether the address of the account has to be verified first.
 * @throws Refusal, and any error of the handler's use case.
 */
export async function answerRoute(route: Route, exchange: Exchange): Promise<Answer> {
  exchange.answersPages = route.handler.showsPages;
  recognizeWebApplication(exchange);
  if (route.access === 'admin') return answerOperator(route, exchange);
  if (!('scope' in route)) return answerPublic(route, exchange);
  const context = await identify(route, exchange);
  exchange.caller = `tenant ${context.tenant.id}`;
  if (route.scope) requireScope(context, route.scope, route.scopeRefusal);
  await requireKeyWithinLimit(exchange, route, context);
  if (route.suspended === 'refused') requireServed(exchange, context, route);
  return inPlace(exchange, route, () => {
    if (route.access === 'issuer') return answerIssuer(route, exchange, context);
    return route.access === 'issuers'
      ? answerIssuers(route, exchange, context)
      : answerTenant(route, exchange, context);
  });
}

// --- internal ---

async function answerPublic(route: PublicRoute, exchange: Exchange): Promise<Answer> {
  await requireAddressWithinLimit(exchange, route.limit);
  const onboarding = route.access === 'onboarding' && exchange.services.config.onboarding === 'internal';
  if (onboarding || route.access === 'service') requireWebApplication(exchange);
  return inPlace(exchange, route, async () => {
    const prepared = await route.handler.prepare(exchange);
    return prepared.answer({ exchange });
  });
}

async function answerOperator(route: OperatorRoute, exchange: Exchange): Promise<Answer> {
  const operator = await authenticateOperator(exchange);
  const prepared = await route.handler.prepare(exchange);
  return prepared.answer({ exchange, operator });
}

/** Runs the work once its caller has a place, before the body is read. */
function inPlace(exchange: Exchange, { slots: places = 'usual' }: Route, work: () => Promise<Answer>): Promise<Answer> {
  return places === 'apart'
    ? work()
    : exchange.services.callerSlots.take(exchange.caller, places, () => exchange.unlessGone(work));
}

function identify(route: AccountRoute, exchange: Exchange): Promise<TenantContext> {
  return route.access === 'internal' ? authenticateWebApplication(exchange) : authenticate(exchange);
}

async function answerTenant(
  route: TenantRoute | InternalRoute,
  exchange: Exchange,
  context: TenantContext,
): Promise<Answer> {
  const prepared = await route.handler.prepare(exchange);
  const call = { exchange, context };
  await requireVerified(route, call, prepared);
  return prepared.answer(call);
}

async function answerIssuer(route: IssuerRoute, exchange: Exchange, context: TenantContext): Promise<Answer> {
  const issuerId = readIssuerHeader(exchange);
  const prepared = await route.handler.prepare(exchange);
  try {
    const issuer = await requireIssuer(exchange, context, issuerId);
    const scope = { issuerId: issuer.id, environment: context.environment };
    const call = { exchange, context, issuer, scope };
    await requireVerified(route, call, prepared);
    return await prepared.answer(call);
  } catch (error) {
    if (isOfSomethingAbsent(error)) await prepared.review?.();
    throw error;
  }
}

async function answerIssuers(route: IssuersRoute, exchange: Exchange, context: TenantContext): Promise<Answer> {
  const issuerId = asksForAllIssuers(exchange.search) ? null : readIssuerHeader(exchange);
  const prepared = await route.handler.prepare(exchange);
  const issuerIds = issuerId
    ? [(await requireIssuer(exchange, context, issuerId)).id]
    : await exchange.services.database.read((tables) => listIssuerIds(tables, context.tenant.id));
  const call = { exchange, context, scope: { issuerIds, environment: context.environment } };
  await requireVerified(route, call, prepared);
  return prepared.answer(call);
}

function readIssuerHeader(exchange: Exchange): string {
  const header = exchange.header('x-issuer-id')?.trim();
  if (!header) throw new Refusal('BAD_REQUEST', { reason: 'ISSUER_ID_REQUIRED' });
  const id = toUuid(header);
  if (!id) throw new Refusal('BAD_REQUEST', { reason: 'ISSUER_ID_INVALID' });
  exchange.logFields['issuerId'] = id;
  return id;
}

/** Malformed input and missing objects come first. A call without a key is of a user of the web application. @throws Refusal */
async function requireVerified<Call extends TenantCall>(
  { unverified }: AccountRoute,
  call: Call,
  prepared: PreparedHandler<Call>,
): Promise<void> {
  const { keyId, tenant } = call.context;
  if (unverified === 'served' || keyId === null || !awaitsVerification(tenant, unverified)) return;
  await prepared.review?.();
  await prepared.find?.(call);
  throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
}

function isOfSomethingAbsent(error: unknown): boolean {
  const { reason } = toRefusal(error).details;
  return reason === 'ISSUER_NOT_FOUND' || reason === 'ISSUER_FORBIDDEN' || reason === 'DOCUMENT_NOT_FOUND';
}

function requireServed(exchange: Exchange, { tenant }: TenantContext, { pastDue }: AccountRoute): void {
  if (tenant.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
  const blocked = tenant.status === 'PAST_DUE' && exchange.services.config.pastDueMode === 'block';
  if (blocked && pastDue !== 'served') throw new Refusal('ACCOUNT_PAST_DUE');
}
