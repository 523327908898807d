import { formatMoney, MONEY_SCALE, QUANTITY_SCALE, roundHalfUp, type Scaled } from '../../money.js';
import type { Findings } from '../findings.js';
import type { PreparedItem, TaxTotal } from './prepared.js';

/** Fails for an amount that does not fit the schemas. @param field to blame. */
export function checkAmount(amount: Scaled, field: string, findings: Findings): void {
  if (amount > MAX_AMOUNT) failTooLarge(field, findings);
}

/** [precioTotalSinImpuesto] quantity × price − discount in cents, half up; negative when the discount is too large. */
export function lineSubtotal(quantity: Scaled, unitPrice: Scaled, discount: Scaled): Scaled {
  return roundHalfUp(quantity * unitPrice - discount * CENT_IN_PRODUCT, PRODUCT_SCALE, MONEY_SCALE);
}

/** base × rate in cents, half up. A rate is a percentage of a value, or dollars per unit of the base. */
export function taxOf(base: Scaled, rate: Scaled, basis: 'value' | 'unit'): Scaled {
  return roundHalfUp(base * rate, basis === 'value' ? 6 : 4, MONEY_SCALE);
}

/** Whether two amounts differ by more than a cent. */
export function differ(amount: Scaled, expected: Scaled): boolean {
  const difference = amount - expected;
  return difference > 1n || difference < -1n;
}

/**
 * The allowed difference, in cents, between a line's total and quantity × price − discount. It is a cent, or the value of
 * the price's sixth decimal above 20,000 units.
 */
export function lineAllowance(quantity: Scaled): Scaled {
  const roundedAway = roundHalfUp(quantity * HALF_OF_SIXTH_DECIMAL, PRODUCT_SCALE + 1, MONEY_SCALE);
  return roundedAway > 1n ? roundedAway : 1n;
}

/**
 * Creates a function that computes the tax of one line after another and carries each rounding difference to the next line.
 * The lines of one rate therefore add up to that rate of their base total. The SRI compares the sum of each group with base
 * × rate (error 52); independent rounding drifts by up to half a cent per line.
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
export function sumTaxes(items: readonly Pick<PreparedItem, 'taxes'>[]): TaxTotal[] {
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

/** Computes every sum of a document: total = lines + taxes + tip. */
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

/** Whether every sum fits the schema. A tax never exceeds the total. */
export function isWritable(sums: Sums): boolean {
  return (
    sums.total <= MAX_AMOUNT &&
    sums.discount <= MAX_AMOUNT &&
    sums.taxTotals.every((tax) => tax.taxableBase <= MAX_AMOUNT)
  );
}

/** Fails for sums that do not fit the schemas. @param field to blame. */
export function checkSums(sums: Sums, field: string, findings: Findings): void {
  if (!isWritable(sums)) failTooLarge(field, findings);
}

// --- internal ---

function failTooLarge(field: string, findings: Findings): void {
  findings.fail(field, 'maxAmount', { max: formatMoney(MAX_AMOUNT) });
}

/** The largest amount of the schemas: fourteen digits, two of them decimals. */
const MAX_AMOUNT: Scaled = 99_999_999_999_999n;
/** A quantity times a price has the decimals of both. */
const PRODUCT_SCALE = 2 * QUANTITY_SCALE;
/** 0.0000005, at seven decimals. */
const HALF_OF_SIXTH_DECIMAL = 5n;
const CENT_IN_PRODUCT = 10n ** BigInt(PRODUCT_SCALE - MONEY_SCALE);
