import { formatDecimal, MONEY_SCALE, parseDecimal, sum } from '../../money.js';

/** Whether the text is some way to write zero; a text that is no number is not zero. */
export function isZero(amount: string): boolean {
  return /^0(\.0*)?$/.test(toPlainNumber(amount));
}

/** The sum of amounts of money; null when one of them is not such an amount. */
export function addAmounts(amounts: readonly string[]): string | null {
  try {
    return formatDecimal(sum(amounts.map((amount) => parseDecimal(writeAmount(amount), MONEY_SCALE))), MONEY_SCALE);
  } catch {
    return null;
  }
}

/** An amount of money with two decimals at least, and no further zeros: `+40` → `40.00`, `.5` → `0.50`, `1.1300` → `1.13`. */
export function writeAmount(amount: string): string {
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(toPlainNumber(amount)) ?? [];
  return whole === undefined ? amount : shortenDecimal(`${whole}.${decimals.padEnd(MONEY_SCALE, '0')}`);
}

/** A quantity or a unit price without the zeros that say nothing, and with two decimals at least: `2.500000` → `2.50`. */
export function shortenDecimal(amount: string): string {
  const number = toPlainNumber(amount);
  return /^-?\d+\.\d{3,}$/.test(number) ? number.replace(/(\.\d{2}\d*?)0+$/, '$1') : number;
}

/** `15.00` → `15`, `12.50` → `12.5`: a percentage as people write it. */
export function shortenRate(rate: string): string {
  const number = toPlainNumber(rate);
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}

// --- internal ---

/**
 * A number with a digit before its point and nothing that says nothing: `+01.50` → `1.50`, `.5` → `0.5`, `5.` → `5`. The
 * schemas of the SRI take all of these; any other text stays as it is.
 */
function toPlainNumber(text: string): string {
  // The length comes first: on an endless run of zeros the expression would take the square of its length.
  const parts = text.length > 60 || !/\d/.test(text) ? null : /^([+-]?)0*(\d*)(?:\.(\d*))?$/.exec(text);
  if (!parts) return text;
  const [, sign, whole, decimals] = parts;
  const isNegative = sign === '-' && /[1-9]/.test(text);
  return `${isNegative ? '-' : ''}${whole || '0'}${decimals ? `.${decimals}` : ''}`;
}
