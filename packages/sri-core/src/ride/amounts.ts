import { formatDecimal, MONEY_SCALE, parseDecimal, sum } from '../money.js';

/** Whether the text is some way to write zero; a text that is no number is not zero. */
export function isZero(amount: string): boolean {
  return /^0*(\.0*)?$/.test(amount) && amount !== '';
}

/** The sum of amounts of money; null when one of them is not such an amount. */
export function addAmounts(amounts: readonly string[]): string | null {
  try {
    return formatDecimal(sum(amounts.map((amount) => parseDecimal(amount, MONEY_SCALE))), MONEY_SCALE);
  } catch {
    return null;
  }
}

/** A quantity or a unit price without the zeros that say nothing, and with two decimals at least: `2.500000` → `2.50`. */
export function shortenDecimal(amount: string): string {
  return /^\d+\.\d{3,}$/.test(amount) ? amount.replace(/(\.\d{2}\d*?)0+$/, '$1') : amount;
}

/** `15.00` → `15`, `12.50` → `12.5`: a percentage as people write it. */
export function shortenRate(rate: string): string {
  return rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate;
}
