import { formatDecimal, parseDecimal, percentOf } from './money.js';

/** @typedef {import('./form-body.js').CatalogEntry} CatalogEntry */
/** @typedef {import('./form-body.js').Draft} Draft */
/** @typedef {import('./line-body.js').Line} Line */
/** @typedef {import('./line-body.js').TaxSharer} TaxSharer */
/** @typedef {Line['taxes'][number]} SummedTax */

export const ICE = '3';
const IRBPNR = '5';

/**
 * The taxes besides IVA that one types for a new line or reason. A base that is left empty is the line's, of IRBPNR its
 * quantity; an amount that is left empty follows from base and rate where the table says how.
 *
 * @param {unknown} rows of the form
 * @param {{ base: bigint, quantity: string, shareTax: TaxSharer }} line its base in cents
 * @returns {SummedTax[] | null} null while one is not whole
 */
export function readOtherTaxes(rows, { base, quantity, shareTax }) {
  /** @type {SummedTax[]} */
  const taxes = [];
  for (const row of /** @type {readonly Draft[] | undefined} */ (rows) ?? []) {
    /** @param {string} name */
    const text = (name) => String(row[name] ?? '').trim();
    const [rateCode, basis] = [text('rateCode'), row['basis']];
    const code = taxOfCode(rateCode);
    const rate = parseDecimal(text('rate'), 2);
    const usual = code === IRBPNR ? parseDecimal(quantity, 2) : basis === 'value' ? base : null;
    const of = parseDecimal(text('taxableBase'), 2) ?? usual;
    if (rate === null || of === null) return null;
    const ofRate = { rateCode, rate: formatDecimal(rate, 2), base: of };
    const computed = basis === 'value' ? shareTax(ofRate) : basis === 'unit' ? percentOf(of * 100n, rate) : null;
    const amount = parseDecimal(text('taxAmount'), 2) ?? computed;
    if (amount === null) return null;
    taxes.push({ code, ...ofRate, amount });
  }
  return taxes;
}

/** The ICE among taxes, in cents: the base of IVA includes it. @param {readonly SummedTax[]} taxes */
export function iceOf(taxes) {
  return taxes.reduce((all, { code, amount }) => all + (code === ICE ? amount : 0n), 0n);
}

/** What the table says of the code that one typed. @param {Draft} row @param {readonly CatalogEntry[]} rates */
export function tableRate({ rateCode }, rates) {
  const entry = rates.find((each) => each['rateCode'] === rateCode && each['taxCode'] === taxOfCode(String(rateCode)));
  return { basis: entry?.['basis'], ...(entry?.['rate'] ? { rate: entry['rate'] } : {}) };
}

// --- internal ---

/** The codes of ICE start with 3, that of IRBPNR with 5 (Ficha técnica off-line v2.34, tabla 18). @param {string} rateCode @returns {SummedTax['code']} */
function taxOfCode(rateCode) {
  return rateCode.startsWith(IRBPNR) ? IRBPNR : ICE;
}
