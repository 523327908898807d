import type { KeyLimit, KeyRoute, PlanLimits, TenantContext } from '../accounts/index.js';
import type { Exchange } from '../platform/http/exchange.js';
import { requireAllowed, requireAllowedWithHeaders } from '../platform/http/require-allowed.js';
import type { AddressLimit } from '../platform/http/route.js';
import type { Limit } from '../platform/limits/rows.js';

/**
 * Counts a request against the limit of its route, by the client's address. Requests of the web application count only
 * on routes that open accounts.
 * @param name the route's limit; null for the limit of reads.
 * @throws Refusal TOO_MANY_REQUESTS
 */
export async function requireAddressWithinLimit(exchange: Exchange, name: AddressLimit | null): Promise<void> {
  const { limits, config } = exchange.services;
  const kind = name ?? 'publicReads';
  const bucket = `${kind}:${exchange.addressBucket}`;
  if (kind === 'onboarding') await requireWithin(exchange, bucket, config.onboardingRate);
  else if (!exchange.fromWebApplication) requireAllowed(limits.useHere(bucket, partOf(config.publicRate, kind)));
}

/**
 * Counts a request of a key against the limit of every key and of its route. If limits follow the tier, it counts
 * against the reads or writes of its plan instead, whatever the route. Webhook tests count by account.
 * @throws Refusal TOO_MANY_REQUESTS
 */
export async function requireKeyWithinLimit(
  exchange: Exchange,
  { limit: name, storesNothing = false }: Pick<KeyRoute, 'limit' | 'storesNothing'>,
  { keyId, tenant }: TenantContext,
): Promise<void> {
  const { config, limits } = exchange.services;
  requireAllowed(limits.useHere(`key:${keyId ?? tenant.id}`, config.keyRate));
  const limit = name && { limit: PER_MINUTE[name], windowMs: MINUTE_MS };
  if (limit && name === 'webhookTests') await requireWithin(exchange, `${name}:${tenant.id}`, limit);
  if (config.rateLimits === 'tier') {
    // The web application without a key has no plan's limit.
    if (keyId !== null) await requireWithinPlan(exchange, keyId, storesNothing, config.plans[tenant.subscriptionTier]);
  } else if (limit && name !== 'webhookTests') await requireWithin(exchange, `${name}:${keyId ?? tenant.id}`, limit);
}

/** Counts an invalid key. @throws Refusal TOO_MANY_REQUESTS instead of the usual error. */
export async function countFailedAuthentication(exchange: Exchange): Promise<void> {
  const { limits } = exchange.services;
  requireAllowed(await limits.use(`failedAuthentication:${exchange.addressBucket}`, FAILED_AUTHENTICATION));
}

// --- internal ---

const MINUTE_MS = 60_000;

const FAILED_AUTHENTICATION: Limit = { limit: 300, windowMs: MINUTE_MS };

const PER_MINUTE: Readonly<Record<KeyLimit, number>> = {
  tenantsMe: 120,
  tenantsEvents: 60,
  sequentials: 60,
  webhookTests: 10,
};

/** Multiples of `PUBLIC_RATE`. A page takes a dozen files, and monitoring polls often. */
const PART_OF_PUBLIC: Readonly<Record<Exclude<AddressLimit, 'onboarding'>, number>> = {
  publicWork: 0.1,
  publicReads: 1,
  pages: 5,
  probes: 20,
};

function partOf(rate: Limit, kind: keyof typeof PART_OF_PUBLIC): Limit {
  return { ...rate, limit: Math.max(1, Math.floor(rate.limit * PART_OF_PUBLIC[kind])) };
}

async function requireWithin(exchange: Exchange, bucket: string, limit: Limit): Promise<void> {
  requireAllowedWithHeaders(exchange, await exchange.services.limits.use(bucket, limit));
}

async function requireWithinPlan(
  exchange: Exchange,
  keyId: string,
  storesNothing: boolean,
  plan: PlanLimits,
): Promise<void> {
  const isRead = storesNothing || exchange.method === 'GET' || exchange.method === 'HEAD';
  const limit = { limit: isRead ? plan.readsPerMinute : plan.writesPerMinute, windowMs: MINUTE_MS };
  const bucket = `${isRead ? 'reads' : 'writes'}:${keyId}`;
  requireAllowedWithHeaders(exchange, await exchange.services.limits.useFrequently(bucket, limit));
}
