import { MONEY_SCALE, QUANTITY_SCALE, roundHalfUp, type Scaled } from '../../money.js';
import type { PreparedItem, TaxTotal } from './prepared.js';

/** The largest amount the schemas hold: fourteen digits, two of them decimals. */
export const MAX_AMOUNT: Scaled = 99_999_999_999_999n;

/** [precioTotalSinImpuesto] quantity × price − discount in cents, half up; negative when the discount is too large. */
export function lineSubtotal(quantity: Scaled, unitPrice: Scaled, discount: Scaled): Scaled {
  return roundHalfUp(quantity * unitPrice - discount * CENT_IN_PRODUCT, PRODUCT_SCALE, MONEY_SCALE);
}

/** base × rate in cents, half up. A rate is a percentage of a value, or dollars for each unit of the base. */
export function taxOf(base: Scaled, rate: Scaled, basis: 'value' | 'unit'): Scaled {
  return roundHalfUp(base * rate, basis === 'value' ? 6 : 4, MONEY_SCALE);
}

/** Whether two amounts are apart by more than a cent. */
export function differ(amount: Scaled, expected: Scaled): boolean {
  const difference = amount - expected;
  return difference > 1n || difference < -1n;
}

/**
 * How far, in cents, a line's total may be from quantity × price − discount: a cent, or what the sixth decimal of the
 * price is worth where there are more than 20 000 of it.
 */
export function lineAllowance(quantity: Scaled): Scaled {
  const roundedAway = roundHalfUp(quantity * HALF_OF_SIXTH_DECIMAL, PRODUCT_SCALE + 1, MONEY_SCALE);
  return roundedAway > 1n ? roundedAway : 1n;
}

/**
 * Makes a function that works out the tax of line after line so that the lines of one rate add up to that rate of
 * their bases together: what a line's rounding gained or lost goes into the next. The SRI compares each group's sum
 * with base × rate of the group (error 52), and lines rounded one by one drift from it by up to half a cent each.
 */
export function createTaxSharer(): (group: string, base: Scaled, rate: Scaled, basis: 'value' | 'unit') => Scaled {
  const groups = new Map<string, { base: Scaled; shared: Scaled }>();
  return (name, base, rate, basis) => {
    const key = `${name}:${rate}`;
    const group = groups.get(key) ?? { base: 0n, shared: 0n };
    groups.set(key, group);
    group.base += base;
    const share = taxOf(group.base, rate, basis) - group.shared;
    group.shared += share;
    return share;
  };
}

/** Adds up the taxes of all lines by tax and rate code, in order of appearance. */
export function sumTaxes(items: readonly PreparedItem[]): TaxTotal[] {
  const groups = new Map<string, { -readonly [Key in keyof TaxTotal]: TaxTotal[Key] }>();
  for (const item of items) {
    for (const tax of item.taxes) {
      const key = `${tax.code}:${tax.rateCode}`;
      const group = groups.get(key);
      if (!group) {
        groups.set(key, { ...tax });
        continue;
      }
      group.taxableBase += tax.taxableBase;
      group.taxAmount += tax.taxAmount;
      if (group.rate !== tax.rate) group.rate = null;
    }
  }
  return [...groups.values()];
}

/** The sums of a document, in cents. */
export interface Sums {
  readonly subtotal: Scaled;
  readonly discount: Scaled;
  readonly taxTotals: readonly TaxTotal[];
  readonly total: Scaled;
}

/** Every sum of a document: total = lines + taxes + tip. */
export function sumDocument(items: readonly PreparedItem[], tip: Scaled): Sums {
  const taxTotals = sumTaxes(items);
  let subtotal = 0n;
  let discount = 0n;
  for (const item of items) {
    subtotal += item.subtotal;
    discount += item.discount;
  }
  let total = subtotal + tip;
  for (const tax of taxTotals) total += tax.taxAmount;
  return { subtotal, discount, taxTotals, total };
}

/** Whether every sum can be written; a tax of a line is never more than its group. */
export function isWritable(sums: Sums): boolean {
  return (
    sums.total <= MAX_AMOUNT &&
    sums.discount <= MAX_AMOUNT &&
    sums.taxTotals.every((tax) => tax.taxableBase <= MAX_AMOUNT && tax.taxAmount <= MAX_AMOUNT)
  );
}

// --- internal ---

/** A quantity times a price has the decimals of both. */
const PRODUCT_SCALE = 2 * QUANTITY_SCALE;
/** 0.0000005, at seven decimals. */
const HALF_OF_SIXTH_DECIMAL = 5n;
const CENT_IN_PRODUCT = 10n ** BigInt(PRODUCT_SCALE - MONEY_SCALE);
