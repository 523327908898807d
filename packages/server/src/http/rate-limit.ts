import type { Config } from '../config.js';
import { Refusal } from '../errors.js';
import type { Limit, LimitVerdict } from '../store/rate-limits.js';
import type { PlanLimits } from '../tenancy/plans.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';

/** The limits of routes. */
export type LimitName = 'onboarding' | 'tenantsMe' | 'tenantsEvents' | 'sequentials';

/** Counts a request against the limit of its route, by the client's address. @throws Refusal TOO_MANY_REQUESTS */
export function requireAddressWithinLimit(exchange: Exchange, name: LimitName): Promise<void> {
  return requireWithin(exchange, `${name}:${exchange.addressBucket}`, limitOf(name, exchange.services.config));
}

/**
 * Counts a request against the limit of its route, by the key that makes it; or, where limits follow the tier, against
 * the reads or writes of its plan, whatever the route.
 *
 * @param name the route's limit; null for none.
 * @throws Refusal TOO_MANY_REQUESTS
 */
export async function requireKeyWithinLimit(
  exchange: Exchange,
  name: LimitName | null,
  { keyId, tenant }: TenantContext,
): Promise<void> {
  const { config } = exchange.services;
  if (config.rateLimits === 'tier') {
    // The web application without a key is not held to a plan.
    if (keyId !== null) await requireWithinPlan(exchange, keyId, config.plans[tenant.subscriptionTier]);
  } else if (name) await requireWithin(exchange, `${name}:${keyId ?? tenant.id}`, limitOf(name, config));
}

/** Counts a key that was tried in vain. @throws Refusal TOO_MANY_REQUESTS instead of the usual refusal. */
export async function countFailedAuthentication(exchange: Exchange): Promise<void> {
  const { limits } = exchange.services;
  requireAllowed(await limits.use(`failedAuthentication:${exchange.addressBucket}`, FAILED_AUTHENTICATION));
}

// --- internal ---

const MINUTE_MS = 60_000;

const FAILED_AUTHENTICATION: Limit = { limit: 300, windowMs: MINUTE_MS };

const PER_MINUTE: Readonly<Record<Exclude<LimitName, 'onboarding'>, number>> = {
  tenantsMe: 120,
  tenantsEvents: 60,
  sequentials: 60,
};

function limitOf(name: LimitName, config: Config): Limit {
  if (name === 'onboarding') return config.onboardingRate;
  return { limit: PER_MINUTE[name], windowMs: MINUTE_MS };
}

async function requireWithin(exchange: Exchange, bucket: string, limit: Limit): Promise<void> {
  requireToldAllowed(exchange, await exchange.services.limits.use(bucket, limit));
}

async function requireWithinPlan(exchange: Exchange, keyId: string, plan: PlanLimits): Promise<void> {
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  const limit = { limit: isRead ? plan.readsPerMinute : plan.writesPerMinute, windowMs: MINUTE_MS };
  const bucket = `${isRead ? 'reads' : 'writes'}:${keyId}`;
  requireToldAllowed(exchange, await exchange.services.limits.useFrequently(bucket, limit));
}

/** Says in the answer's headers where a limit stands. @throws Refusal TOO_MANY_REQUESTS */
function requireToldAllowed(exchange: Exchange, verdict: LimitVerdict): void {
  exchange.headers['ratelimit-limit'] = String(verdict.limit);
  exchange.headers['ratelimit-remaining'] = String(verdict.remaining);
  exchange.headers['ratelimit-reset'] = String(Math.ceil(verdict.resetMs / 1000));
  requireAllowed(verdict);
}

function requireAllowed({ allowed, resetMs }: LimitVerdict): void {
  if (!allowed) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) });
}
