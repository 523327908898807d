import { formatMoney, MONEY_SCALE, parseMoney, sum } from '../../money.js';

/** Whether the text is a form of zero. A text that is not a number is not zero. */
export function isZero(amount: string): boolean {
  return /^0(\.0*)?$/.test(toPlainNumber(amount));
}

/** The sum of amounts of money; null when one is invalid. */
export function addAmounts(amounts: readonly string[]): string | null {
  try {
    return formatMoney(sum(amounts.map((amount) => parseMoney(writeAmount(amount)))));
  } catch {
    return null;
  }
}

/** An amount of money with at least two decimals and no further zeros: `+40` → `40.00`, `.5` → `0.50`, `1.1300` → `1.13`. */
export function writeAmount(amount: string): string {
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(toPlainNumber(amount)) ?? [];
  return whole === undefined ? amount : shortenDecimal(`${whole}.${decimals.padEnd(MONEY_SCALE, '0')}`);
}

/** A quantity or unit price without trailing zeros and with at least two decimals: `2.500000` → `2.50`. */
export function shortenDecimal(amount: string): string {
  return toPlainNumber(amount).replace(/^(-?\d+\.\d{2}(?:\d*[1-9])?)0+$/, '$1');
}

/** A percentage without trailing zeros: `15.00` → `15`, `12.50` → `12.5`. */
export function shortenRate(rate: string): string {
  return toPlainNumber(rate).replace(/^(-?\d+)(?:\.0*|(\.\d*[1-9])0*)$/, '$1$2');
}

// --- internal ---

/**
 * Normalises a number: `+01.50` → `1.50`, `.5` → `0.5`, `5.` → `5`. The SRI's schemas accept all of these. Any other text
 * stays unchanged.
 */
function toPlainNumber(text: string): string {
  // The length check comes first: on a long run of zeros the expression takes quadratic time.
  const parts = text.length > 60 || !/\d/.test(text) ? null : /^([+-]?)0*(\d*)(?:\.(\d*))?$/.exec(text);
  if (!parts) return text;
  const [, sign, whole, decimals] = parts;
  const isNegative = sign === '-' && /[1-9]/.test(text);
  return `${isNegative ? '-' : ''}${whole || '0'}${decimals ? `.${decimals}` : ''}`;
}
