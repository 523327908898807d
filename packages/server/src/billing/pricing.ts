import { formatDecimal, MONEY_SCALE, parseDecimal, roundHalfUp, type Scaled } from 'sri-core';
import type { OfferedTier } from '../accounts/index.js';
import type { BillingInterval } from './account.js';
import { type PaidPeriods, periodAround } from './billing-period.js';

/** The contents of a subscription. */
export interface Order {
  readonly tier: OfferedTier;
  readonly billingInterval: BillingInterval;
  readonly extraSeats: number;
}

/** Prices before IVA, in cents; null where a tier is not offered. */
export interface Prices {
  tier(tier: OfferedTier, interval: BillingInterval, at: Date): Scaled | null;
  seat(tier: OfferedTier, interval: BillingInterval): Scaled | null;
}

/** The sums of a payment, as decimal text. */
export interface Sums {
  readonly amount: string;
  readonly ivaRate: string;
  readonly ivaAmount: string;
  readonly totalAmount: string;
}

/** A whole period of an order before IVA, in cents, at the prices of that moment; null when it is not offered. */
export function fullPrice(prices: Prices, { tier, billingInterval, extraSeats }: Order, at: Date): Scaled | null {
  const base = prices.tier(tier, billingInterval, at);
  if (base === null || extraSeats === 0) return base;
  const seat = prices.seat(tier, billingInterval);
  return seat === null ? null : base + seat * BigInt(extraSeats);
}

/**
 * The price of the paid time that is left: the share of the current period, to the cent, half up, and the next period
 * where it is paid already.
 *
 * @param amount the price of a whole period.
 * @param paid periods that are paid beyond `now`.
 */
export function proportion(amount: Scaled, paid: PaidPeriods & { readonly currentPeriodEnd: Date }, now: Date): Scaled {
  const { start, end } = periodAround(paid, now);
  const whole = BigInt(end.getTime() - start.getTime());
  const left = BigInt(end.getTime() - now.getTime());
  const share = (amount * left * 2n + whole) / (whole * 2n);
  return paid.currentPeriodEnd > end ? share + amount : share;
}

/** An amount in cents with its IVA. @param ivaRate percent, as decimal text. */
export function withIva(amount: Scaled, ivaRate: string): Sums {
  const rate = parseDecimal(ivaRate, RATE_SCALE);
  // Percent: two more decimals than the rate itself has.
  const iva = roundHalfUp(amount * rate, MONEY_SCALE + RATE_SCALE + 2, MONEY_SCALE);
  const write = (value: Scaled) => formatDecimal(value, MONEY_SCALE);
  return { amount: write(amount), ivaRate, ivaAmount: write(iva), totalAmount: write(amount + iva) };
}

/** A rate as a fraction: `15` is `0.1500`. @param percent decimal text. */
export function toFraction(percent: string): string {
  return formatDecimal(parseDecimal(percent, RATE_SCALE), RATE_SCALE + 2);
}

// --- internal ---

const RATE_SCALE = 2;
