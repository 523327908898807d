import type { BillingInterval } from './account.js';

/**
 * The moment some calendar months later, in Ecuador. A day that the month lacks becomes its last day: a month after the
 * 31st of January is the 28th or 29th of February.
 */
export function addMonths(from: Date, months: number): Date {
  const local = new Date(from.getTime() + ECUADOR_OFFSET_MS);
  const first = new Date(local);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(local.getUTCDate(), days));
  return new Date(first.getTime() - ECUADOR_OFFSET_MS);
}

/** Months of an interval. */
export function monthsOf(interval: BillingInterval): number {
  return interval === 'YEARLY' ? 12 : 1;
}

/**
 * The end of the period that begins at `start`. Counted from the anchor, so that a subscription of the 31st comes back
 * to the 31st after February.
 */
export function periodEnd(anchor: Date, start: Date, interval: BillingInterval): Date {
  return addMonths(anchor, monthsBetween(anchor, start) + monthsOf(interval));
}

/** The beginning of the period that ends at `end`, counted as `periodEnd` does. */
export function periodStart(anchor: Date, end: Date, interval: BillingInterval): Date {
  return addMonths(anchor, monthsBetween(anchor, end) - monthsOf(interval));
}

/** The periods of a subscription. */
export interface PaidPeriods {
  readonly anchor: Date;
  /** The beginning of a period, the current one or an earlier. */
  readonly currentPeriodStart: Date;
  readonly billingInterval: BillingInterval;
}

/** The period that holds `now`, whether or not it is paid. */
export function periodAround(
  { anchor, currentPeriodStart, billingInterval }: PaidPeriods,
  now: Date,
): { readonly start: Date; readonly end: Date } {
  let start = currentPeriodStart;
  let end = periodEnd(anchor, start, billingInterval);
  while (end <= now) {
    start = end;
    end = periodEnd(anchor, start, billingInterval);
  }
  return { start, end };
}

// --- internal ---

/** Ecuador's mainland time: five hours behind UTC all year. */
const ECUADOR_OFFSET_MS = -5 * 3_600_000;

/** Months from one calendar month in Ecuador to another. */
function monthsBetween(from: Date, to: Date): number {
  const [a, b] = [from, to].map((date) => new Date(date.getTime() + ECUADOR_OFFSET_MS));
  if (!a || !b) return 0;
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}
