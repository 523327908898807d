import { BILLING_INTERVALS, type BillingInterval } from '../billing/account.js';
import { PAID_TIERS } from '../billing/start-subscription.js';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import type { JsonObject } from '../http/parse-body.js';
import { toUuid } from '../http/uuid.js';
import { TIERS, type Tier } from '../tenancy/plans.js';

/** An id in the path. @throws Refusal VALIDATION_FAILED when it is no UUID. */
export function readPathId(exchange: Exchange, name: 'id' | 'proofId'): string {
  const id = toUuid(exchange.params[name] ?? '');
  if (!id) throw invalid([ruleFailure(`path:${name}`, 'uuid')]);
  return id;
}

/** The paid tier a body names; null when it is left out. */
export function readPaidTier({ tier = null }: JsonObject, failures: RuleFailure[]): Tier | null {
  if (tier === null) return null;
  const known = TIERS.find((name) => name === tier && name !== 'FREE');
  if (!known) failures.push(ruleFailure('tier', 'choice', { allowed: PAID_TIERS }));
  return known ?? null;
}

/** As `readPaidTier`, where one has to be named. */
export function requirePaidTier(body: JsonObject, failures: RuleFailure[]): Tier {
  if ((body['tier'] ?? null) === null) failures.push(ruleFailure('tier', 'required'));
  return readPaidTier(body, failures) ?? 'STARTER';
}

/** How often a body wants to pay; null when it is left out. */
export function readInterval({ billingInterval = null }: JsonObject, failures: RuleFailure[]): BillingInterval | null {
  if (billingInterval === null) return null;
  const known = BILLING_INTERVALS.find((name) => name === billingInterval);
  if (!known) failures.push(ruleFailure('billingInterval', 'choice', { allowed: BILLING_INTERVALS.join(', ') }));
  return known ?? null;
}

/** How many extra seats a body wants; null when it is left out. */
export function readSeats({ extraSeats = null }: JsonObject, failures: RuleFailure[]): number | null {
  if (extraSeats === null) return null;
  const isCount = typeof extraSeats === 'number' && Number.isInteger(extraSeats);
  if (isCount && extraSeats >= 0 && extraSeats <= MOST_SEATS) return extraSeats;
  failures.push(ruleFailure('extraSeats', 'integer', { min: 0, max: MOST_SEATS }));
  return null;
}

// --- internal ---

const MOST_SEATS = 1000;
