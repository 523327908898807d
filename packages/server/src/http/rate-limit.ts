import type { Config } from '../config.js';
import { Refusal } from '../errors.js';
import type { Limit, LimitVerdict } from '../store/rate-limits.js';
import type { Exchange } from './exchange.js';

/** The limits of routes. */
export type LimitName = 'onboarding' | 'tenantsMe' | 'tenantsEvents' | 'sequentials';

/**
 * Counts this request against a limit and says in the answer's headers where it stands.
 *
 * @param subject whose limit: an address, or a key.
 * @throws Refusal TOO_MANY_REQUESTS
 */
export async function requireWithinLimit(exchange: Exchange, name: LimitName, subject: string): Promise<void> {
  const { limits, config } = exchange.services;
  const verdict = await limits.use(`${name}:${subject}`, limitOf(name, config));
  exchange.headers['ratelimit-limit'] = String(verdict.limit);
  exchange.headers['ratelimit-remaining'] = String(verdict.remaining);
  exchange.headers['ratelimit-reset'] = String(Math.ceil(verdict.resetMs / 1000));
  requireAllowed(verdict);
}

/** Counts a key that was tried in vain. @throws Refusal TOO_MANY_REQUESTS instead of the usual refusal. */
export async function countFailedAuthentication(exchange: Exchange): Promise<void> {
  const { limits } = exchange.services;
  requireAllowed(await limits.use(`failedAuthentication:${exchange.addressBucket}`, FAILED_AUTHENTICATION));
}

// --- internal ---

const FAILED_AUTHENTICATION: Limit = { limit: 300, windowMs: 60_000 };

const PER_MINUTE: Readonly<Record<Exclude<LimitName, 'onboarding'>, number>> = {
  tenantsMe: 120,
  tenantsEvents: 60,
  sequentials: 60,
};

function limitOf(name: LimitName, config: Config): Limit {
  if (name === 'onboarding') return config.onboardingRate;
  return { limit: PER_MINUTE[name], windowMs: 60_000 };
}

function requireAllowed({ allowed, resetMs }: LimitVerdict): void {
  if (!allowed) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) });
}
