import { paying } from './form-sums.js';
import { IVA } from './line-body.js';
import { formatDecimal, parseDecimal, percentOf } from './money.js';

/** @typedef {import('./form-body.js').Draft} Draft */

/** A tax of a supporting document as a row of the form. @param {Draft | null} entry null for a new one @returns {Draft} */
export function openSupportTax(entry) {
  if (!entry) return { code: IVA };
  return { ...entry, taxAmount: entry['taxAmount'] ?? taxOfRow(entry) };
}

/** What the tax of a row comes to by its rate, as text; empty while it is not known. @param {Draft} row */
export function taxOfRow({ code, taxableBase, rate }) {
  const [base, percent] = [amount(taxableBase), amount(rate)];
  return code !== IVA || base === null || percent === null ? '' : formatDecimal(percentOf(base, percent), 2);
}

/** What a row withholds, in cents: what it says, else base × percentage; null while it is not whole. @param {Draft} row */
export function withheldOf({ amount: given, taxableBase, rate }) {
  const [base, percent] = [amount(taxableBase), amount(rate)];
  if (base === null || percent === null) return null;
  return amount(given) ?? percentOf(base, percent);
}

/** What is usually withheld of: the IVA of the document for IVA, else its value before tax. @param {unknown} tax @param {Draft} document */
export function usualBase(tax, document) {
  const sums = sumSupport(document);
  if (!sums || tax === ISD) return '';
  return formatDecimal(tax === WITHHELD_IVA ? sums.iva : sums.subtotal, 2);
}

/**
 * The sums of a supporting document in cents; null while one of its taxes is not whole.
 *
 * @param {Draft} document
 */
export function sumSupport(document) {
  let [bases, iva, others] = [0n, 0n, 0n];
  for (const { code, taxableBase, taxAmount } of rows(document['taxes'])) {
    const [base, tax] = [amount(taxableBase), amount(taxAmount)];
    if (base === null || tax === null) return null;
    if (code === IVA) bases += base;
    if (code === IVA) iva += tax;
    else others += tax;
  }
  const subtotal = amount(document['subtotal']) ?? bases;
  return { subtotal, iva, total: amount(document['total']) ?? subtotal + iva + others };
}

/** What is withheld, by tax, in cents; null while a row is not whole. @param {Draft} body */
export function sumWithheld(body) {
  /** @type {Map<string, bigint>} */
  const byTax = new Map();
  for (const document of rows(body['supportingDocuments'])) {
    for (const row of rows(document['withholdings'])) {
      const withheld = withheldOf(row);
      if (withheld === null) return null;
      const tax = String(row['tax']);
      byTax.set(tax, (byTax.get(tax) ?? 0n) + withheld);
    }
  }
  const sums = [...byTax].toSorted().map(([tax, of]) => ({ name: `withheld.${tax}`, amount: of }));
  return { rows: sums, total: sums.reduce((all, { amount: of }) => all + of, 0n) };
}

/** The body with the amounts that follow from the others. @param {Draft} body @returns {Draft} */
export function withAmounts(body) {
  return {
    ...body,
    supportingDocuments: rows(body['supportingDocuments']).map((document) => ({
      ...document,
      withholdings: rows(document['withholdings']).map((row) => ({
        ...row,
        amount: formatDecimal(withheldOf(row) ?? 0n, 2),
      })),
      payments: paying(document['payments'], sumSupport(document)?.total ?? 0n),
    })),
  };
}

// --- internal ---

const WITHHELD_IVA = '2';
const ISD = '6';

/** @param {unknown} text */
function amount(text) {
  return parseDecimal(String(text ?? ''), 2);
}

/** @param {unknown} list @returns {readonly Draft[]} */
function rows(list) {
  return /** @type {readonly Draft[] | null | undefined} */ (list) ?? [];
}
