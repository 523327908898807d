import type { Config } from '../config.js';
import { Refusal } from '../errors.js';
import { countAgainstLimit, type Limit } from '../store/rate-limits.js';
import type { Exchange } from './exchange.js';

/** The limits there are. */
export type LimitName = 'onboarding' | 'tenantsMe' | 'tenantsEvents' | 'sequentials';

/**
 * Counts this request against a limit and says in the answer's headers where it stands.
 *
 * @param subject whose limit: an address, or a key.
 * @throws Refusal TOO_MANY_REQUESTS
 */
export async function requireWithinLimit(exchange: Exchange, name: LimitName, subject: string): Promise<void> {
  const { services } = exchange;
  const now = services.clock.now();
  const verdict = await countAgainstLimit(services.database, `${name}:${subject}`, limitOf(name, services.config), now);
  const resetSeconds = Math.ceil(verdict.resetMs / 1000);
  exchange.headers['ratelimit-limit'] = String(verdict.limit);
  exchange.headers['ratelimit-remaining'] = String(verdict.remaining);
  exchange.headers['ratelimit-reset'] = String(resetSeconds);
  if (!verdict.allowed) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, resetSeconds) });
}

// --- internal ---

function limitOf(name: LimitName, config: Config): Limit {
  if (name === 'onboarding') return config.onboardingRate;
  return { limit: PER_MINUTE[name], windowMs: 60_000 };
}

const PER_MINUTE: Readonly<Record<Exclude<LimitName, 'onboarding'>, number>> = {
  tenantsMe: 120,
  tenantsEvents: 60,
  sequentials: 60,
};
