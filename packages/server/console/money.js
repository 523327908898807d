// Exact sums, as the server makes them: decimals on whole numbers, half up, each line before the total.

/**
 * Reads a decimal.
 *
 * @param {string} text with a point or, as it is typed here, a comma
 * @param {number} scale digits behind the point
 * @returns {bigint | null} the number times ten to the scale; null when it is not a number, negative, or has more digits
 */
export function parseDecimal(text, scale) {
  const match = /^(\d{1,14})(?:[.,](\d*))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return fraction.length > scale ? null : BigInt(whole + fraction.padEnd(scale, '0'));
}

/** @param {bigint} value @param {number} scale */
export function formatDecimal(value, scale) {
  const digits = value.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * What a line comes to before tax.
 *
 * @param {{ quantity: string, unitPrice: string, discount: string }} line
 * @returns {bigint | null} in cents; null while something is missing or the discount is too large
 */
export function lineBase({ quantity, unitPrice, discount }) {
  const [count, price, less] = [
    parseDecimal(quantity, 6),
    parseDecimal(unitPrice, 6),
    parseDecimal(discount || '0', 2),
  ];
  if (count === null || price === null || less === null || count === 0n) return null;
  const base = count * price - less * 10n ** 10n;
  // As on the server, half a cent below zero rounds to a negative cent.
  return 2n * base <= -(10n ** 10n) ? null : roundTo(base, 10);
}

/**
 * Makes a function that gives the tax of line after line, so that the lines of a rate add up to the rate of their bases
 * together: what one line's rounding gained goes into the next.
 *
 * @returns {(line: { rateCode: string, rate: string, base: bigint }) => bigint} in cents
 */
export function createTaxSharer() {
  /** @type {Map<string, { base: bigint, shared: bigint }>} */
  const groups = new Map();
  return ({ rateCode, rate, base }) => {
    const before = groups.get(rateCode) ?? { base: 0n, shared: 0n };
    const whole = before.base + base;
    const shared = percentOf(whole, parseDecimal(rate, 2) ?? 0n);
    groups.set(rateCode, { base: whole, shared });
    return shared - before.shared;
  };
}

/** A percentage of an amount in cents, half up. @param {bigint} amount @param {bigint} percent in hundredths */
export function percentOf(amount, percent) {
  return roundTo(amount * percent, 4);
}

/**
 * A number in proportion, half up.
 *
 * @param {bigint} value @param {bigint} now @param {bigint} before not 0
 */
export function scaled(value, now, before) {
  return (2n * value * now + before) / (2n * before);
}

// --- internal ---

/** @param {bigint} value @param {number} digits to drop, half up */
function roundTo(value, digits) {
  const unit = 10n ** BigInt(digits);
  return (value + unit / 2n) / unit;
}
