import { IVA } from './line-body.js';
import { formatDecimal, parseDecimal } from './money.js';

/** @typedef {import('./form-body.js').Draft} Draft */
/** @typedef {import('./line-body.js').Line} Line */
/** @typedef {{ readonly name: string, readonly values?: Record<string, string>, readonly amount: bigint }} SumRow */

/**
 * The sums of a document, in cents.
 *
 * @typedef {object} Sums
 * @property {readonly SumRow[]} rows by the names of their texts
 * @property {bigint} total
 */

/**
 * The sums of lines or reasons; null while one is not whole.
 *
 * @param {readonly (Pick<Line, 'base' | 'taxes'> | null)[]} entries
 * @param {readonly SumRow[]} [besides] what the total has besides them
 * @returns {Sums | null}
 */
export function sumTaxed(entries, besides = []) {
  const lines = entries.flatMap((entry) => entry ?? []);
  if (lines.length < entries.length) return null;
  /** @type {Map<string, { name: string, rate: string, base: bigint, amount: bigint }>} */
  const groups = new Map();
  let base = 0n;
  for (const line of lines) {
    base += line.base;
    for (const { code, rateCode, rate, base: of, amount } of line.taxes) {
      const key = code === IVA ? `${code} ${rateCode}` : code;
      const name = code === IVA ? 'ivaTotal' : TAX_NAMES[code];
      const group = groups.get(key) ?? { name, rate, base: 0n, amount: 0n };
      groups.set(key, { ...group, base: group.base + of, amount: group.amount + amount });
    }
  }
  const rows = [
    { name: 'subtotal', amount: base },
    ...[...groups.values()].map(({ name, rate, base: of, amount }) => {
      return { name, values: { rate, base: formatDecimal(of, 2) }, amount };
    }),
    ...besides.filter(({ amount }) => amount > 0n),
  ];
  return { rows, total: rows.reduce((all, { amount }) => all + amount, 0n) };
}

/** The amounts of a list together, in cents. @param {unknown} list @param {string} name of the amount in each entry */
export function addUp(list, name) {
  const rows = /** @type {readonly Draft[] | null | undefined} */ (list) ?? [];
  return rows.reduce((all, row) => all + amountOf(row[name]), 0n);
}

/** An amount of a form in cents; 0 while it is none. @param {unknown} text */
export function amountOf(text) {
  return parseDecimal(String(text ?? ''), 2) ?? 0n;
}

/**
 * The payments of a document: a single one pays its total.
 *
 * @param {unknown} payments
 * @param {bigint} total
 */
export function paying(payments, total) {
  const list = /** @type {readonly Draft[] | undefined} */ (payments) ?? [];
  return list.length === 1 ? [{ ...list[0], total: formatDecimal(total, 2) }] : list;
}

/** The taxes by their codes. */
export const TAX_NAMES = { 2: 'IVA', 3: 'ICE', 5: 'IRBPNR' };
