import { plain } from './form.js';

/** Amounts in cents, as a person would type them. The server computes every other amount. */

/** A typed amount in cents; null for any other text. */
export function cents(text: unknown): bigint | null {
  const match = /^(\d{1,14})(?:\.(\d{0,2}))?$/.exec(plain(text));
  return match ? BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(2, '0')) : null;
}

/** Cents as text: `12.34`. */
export function fromCents(amount: bigint): string {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A percentage of an amount, half up. @param percent in hundredths */
export function percentOf(amount: bigint, percent: bigint): bigint {
  return (amount * percent + 5_000n) / 10_000n;
}

/** An amount in the proportion of two quantities, half up; null if a quantity is not a number. */
export function inProportion(amount: unknown, now: unknown, before: unknown): string | null {
  const [value, to, from] = [cents(amount), millionths(now), millionths(before)];
  if (value === null || to === null || !from) return null;
  return fromCents((2n * value * to + from) / (2n * from));
}

/** Whether two texts are the same quantity. */
export function isSame(one: unknown, other: unknown): boolean {
  return millionths(one ?? '0') === millionths(other ?? '0');
}

// --- internal ---

function millionths(text: unknown): bigint | null {
  const match = /^(\d{1,14})(?:\.(\d{0,6}))?$/.exec(plain(text || '0'));
  return match ? BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(6, '0')) : null;
}
