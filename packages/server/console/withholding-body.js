import { paying } from './form-sums.js';
import { IVA } from './line-body.js';
import { formatDecimal, parseDecimal, percentOf } from './money.js';

/** @typedef {import('./form-body.js').Draft} Draft */

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
  let [bases, iva, ice, others] = [0n, 0n, 0n, 0n];
  for (const row of rows(document['taxes'])) {
    const [base, tax] = [amount(row['taxableBase']), amount(row['taxAmount']) ?? amount(taxOfRow(row))];
    if (base === null || tax === null) return null;
    if (row['code'] === IVA) {
      bases += base;
      iva += tax;
    } else if (row['code'] === ICE) ice += tax;
    else others += tax;
  }
  // The base of IVA includes ICE.
  const subtotal = amount(document['subtotal']) ?? bases - ice;
  return { subtotal, iva, total: amount(document['total']) ?? subtotal + iva + ice + others };
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
    supportingDocuments: rows(body['supportingDocuments']).map((document) => {
      const sums = sumSupport(document);
      const withholdings = rows(document['withholdings']).map((row) => {
        const withheld = withheldOf(row);
        return withheld === null ? row : { ...row, amount: formatDecimal(withheld, 2) };
      });
      return { ...document, withholdings, ...(sums ? { payments: paying(document['payments'], sums.total) } : {}) };
    }),
  };
}

// --- internal ---

const ICE = '3';
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
