import { IVA } from './line-body.js';
import { createTaxSharer, formatDecimal, parseDecimal } from './money.js';

/** @typedef {import('./form-body.js').Draft} Draft */
/** @typedef {import('./line-body.js').Line} Line */
/** @typedef {Line['taxes'][number]} SummedTax */

/**
 * A tax as a body has it.
 *
 * @typedef {object} Tax
 * @property {SummedTax['code']} code
 * @property {string} rateCode
 * @property {string} rate
 * @property {string | null} [taxableBase]
 * @property {string | null} [taxAmount]
 */

/** A reason of a debit note as a row of the form. @param {Draft | null} entry null for a new reason @returns {Draft} */
export function openReason(entry) {
  if (!entry) return {};
  const [tax] = taxesOf(entry);
  return { ...entry, ...(tax && !isLockedReason(entry) ? { rateCode: tax.rateCode, rate: tax.rate } : {}) };
}

/** Whether a reason has other taxes than one IVA. The form does not show them, so its amount stays. @param {Draft} row */
export function isLockedReason(row) {
  const taxes = taxesOf(row);
  return taxes.length > 1 || taxes.some(({ code }) => code !== IVA);
}

/**
 * What the rows of the form say: each reason as it is sent, and what it comes to in cents; null for one that is not whole.
 * A reason that is left as it was goes out as it came.
 *
 * @param {readonly Draft[]} rows
 * @returns {(Omit<Line, 'item'> & { entry: Draft } | null)[]}
 */
export function readReasons(rows) {
  const shareTax = createTaxSharer();
  return rows.map((row) => {
    const { rateCode, rate, ...kept } = row;
    const base = parseDecimal(String(row['amount'] ?? ''), 2);
    if (base === null) return null;
    const [given] = taxesOf(row);
    /** @type {Tax} */
    const own = { code: IVA, rateCode: String(rateCode ?? ''), rate: String(rate ?? '0') };
    const isAsItWas = given?.rateCode === rateCode && sameAmount(given?.taxableBase, base);
    const taxes = isLockedReason(row) ? taxesOf(row) : [isAsItWas && given ? given : own];
    /** @type {SummedTax[]} */
    const summed = [];
    for (const tax of taxes) {
      const of = parseDecimal(tax.taxableBase ?? formatDecimal(base, 2), 2);
      const amount =
        parseDecimal(tax.taxAmount ?? '', 2) ??
        (of !== null && tax.code === IVA ? shareTax({ rateCode: tax.rateCode, rate: tax.rate, base: of }) : null);
      if (of === null || amount === null) return null;
      summed.push({ code: tax.code, rateCode: tax.rateCode, rate: tax.rate, base: of, amount });
    }
    const entry = {
      ...kept,
      reason: String(row['reason'] ?? '').trim(),
      amount: formatDecimal(base, 2),
      taxes: summed.map(({ base: of, amount, ...tax }) => ({
        ...tax,
        taxableBase: formatDecimal(of, 2),
        taxAmount: formatDecimal(amount, 2),
      })),
    };
    return { entry, base, taxes: summed };
  });
}

// --- internal ---

/** @param {Draft} row @returns {readonly Tax[]} */
function taxesOf(row) {
  return /** @type {readonly Tax[] | undefined} */ (row['taxes']) ?? [];
}

/** @param {string | null | undefined} text @param {bigint} amount */
function sameAmount(text, amount) {
  return parseDecimal(text ?? '', 2) === amount;
}
