import { plain } from './form-body.js';
import { createTaxSharer, formatDecimal, lineBase, parseDecimal, scaled } from './money.js';

/** @typedef {import('sri-core/client').InvoiceInput['items'][number]} Item */
/** @typedef {Item['taxes'][number]} Tax */
/** @typedef {(line: { rateCode: string, rate: string, base: bigint }) => bigint} TaxSharer */

/**
 * What a line of the form says.
 *
 * @typedef {object} Typed
 * @property {string} mainCode
 * @property {string} description
 * @property {string} quantity
 * @property {string} unitPrice
 * @property {string} discount
 * @property {string} rateCode of IVA
 * @property {string} rate
 * @property {string} [auxiliaryCode]
 * @property {string} [unitOfMeasure]
 */

/**
 * A line as it is sent, and what it comes to in cents.
 *
 * @typedef {object} Line
 * @property {Item} item
 * @property {bigint} base
 * @property {readonly (Pick<Tax, 'code' | 'rateCode' | 'rate'> & { base: bigint, amount: bigint })[]} taxes
 */

/** @typedef {import('./form-body.js').Draft} Draft */

/** @type {'2'} */
export const IVA = '2';
const ICE = '3';

/** A line of a body as a row of the form, with all that it carries. @param {Draft | null} entry null for a new line @returns {Draft} */
export function openLine(entry) {
  if (!entry) return { quantity: '1' };
  const carried = /** @type {Item} */ (/** @type {unknown} */ (entry));
  const iva = carried.taxes.find(({ code }) => code === IVA);
  const { mainCode, description, quantity, unitPrice, discount } = carried;
  const { auxiliaryCode, auxCode, unitOfMeasure } = entry;
  return {
    ...{ mainCode, description, quantity, unitPrice, discount, unitOfMeasure, carried },
    auxiliaryCode: auxiliaryCode ?? auxCode,
    ...(iva ? { rateCode: iva.rateCode, rate: iva.rate } : {}),
  };
}

/** What the rows of the form say; null for one that is not whole. @param {readonly Draft[]} rows @returns {(Line | null)[]} */
export function readLines(rows) {
  const shareTax = createTaxSharer();
  return rows.map((row) => {
    /** @param {string} name */
    const text = (name) => String(row[name] ?? '').trim();
    const typed = {
      mainCode: text('mainCode'),
      description: text('description'),
      quantity: text('quantity'),
      unitPrice: text('unitPrice'),
      discount: text('discount'),
      rateCode: text('rateCode'),
      rate: text('rate') || '0',
      auxiliaryCode: text('auxiliaryCode'),
      unitOfMeasure: text('unitOfMeasure'),
    };
    return toLine(typed, /** @type {Item | undefined} */ (row['carried']) ?? null, shareTax);
  });
}

/**
 * What the form lets change of a line that comes from another document. Where it has taxes that the form does not show,
 * only the quantity: they follow it. Where its IVA is of several rates, or of none, nothing.
 *
 * @param {Partial<Item> | null} carried
 * @returns {'everything' | 'quantity' | 'nothing'}
 */
export function whatChanges(carried) {
  const { taxes = [] } = carried ?? {};
  if (taxes.length === 0) return 'everything';
  if (taxes.filter(({ code }) => code === IVA).length !== 1) return 'nothing';
  return taxes.length === 1 ? 'everything' : 'quantity';
}

/**
 * A line of a body: what the form says of it, with everything that it carries from the document it comes from. A line that is left
 * as it was goes out as it came, tax for tax and cent for cent.
 *
 * @param {Typed} typed
 * @param {Item | null} carried the line of the other document
 * @param {TaxSharer} shareTax
 * @returns {Line | null} null while something is missing or wrong
 */
export function toLine(typed, carried, shareTax) {
  if (carried && isAsItWas(typed, carried) && hasSums(carried)) return asItCame(typed, carried);
  const base = lineBase(typed);
  if (base === null) return null;
  const others = carried ? carried.taxes.filter(({ code }) => code !== IVA) : [];
  /** @type {Map<Tax, { base: bigint, amount: bigint }>} */
  const following = new Map();
  for (const tax of others) {
    const amounts = carried && follow(tax, { typed, carried, base });
    if (!amounts) return null;
    following.set(tax, amounts);
  }
  // The base of IVA includes ICE.
  const ice = others.reduce((all, tax) => all + (tax.code === ICE ? (following.get(tax)?.amount ?? 0n) : 0n), 0n);
  const { rateCode, rate } = typed;
  /** @type {Pick<Tax, 'code' | 'rateCode' | 'rate'>} */
  const iva = { code: IVA, rateCode, rate };
  const ivaBase = base + ice;
  const ofIva = { ...iva, base: ivaBase, amount: shareTax({ rateCode, rate, base: ivaBase }) };
  const taxes = carried
    ? carried.taxes.map((tax) => {
        const amounts = following.get(tax);
        return amounts ? { code: tax.code, rateCode: tax.rateCode, rate: tax.rate, ...amounts } : ofIva;
      })
    : [ofIva];
  const { total: _total, discount: _discount, ...kept } = carried ?? {};
  return {
    base,
    taxes,
    item: {
      ...withTexts(kept, typed),
      mainCode: typed.mainCode,
      description: typed.description,
      quantity: plain(typed.quantity),
      unitPrice: plain(typed.unitPrice),
      ...(typed.discount === '' ? {} : { discount: plain(typed.discount) }),
      taxes: taxes.map(({ base: taxableBase, amount, ...tax }) => ({
        ...tax,
        taxableBase: formatDecimal(taxableBase, 2),
        taxAmount: formatDecimal(amount, 2),
      })),
    },
  };
}

// --- internal ---

/** Whether the amounts of its taxes are given. The form computes the others as it does those of a new line. @param {Item} carried */
function hasSums({ taxes }) {
  return (
    taxes.every(({ taxableBase, taxAmount }) => taxableBase && taxAmount) || whatChanges({ taxes }) !== 'everything'
  );
}

/** @param {Typed} typed @param {Item} carried */
function isAsItWas(typed, carried) {
  /** @param {string | null | undefined} one @param {string | null | undefined} other @param {number} scale */
  const same = (one, other, scale) => parseDecimal(one || '0', scale) === parseDecimal(other || '0', scale);
  const [iva, ...more] = carried.taxes.filter(({ code }) => code === IVA);
  return (
    same(typed.quantity, carried.quantity, 6) &&
    same(typed.unitPrice, carried.unitPrice, 6) &&
    same(typed.discount, carried.discount, 2) &&
    (!iva || more.length > 0 || iva.rateCode === typed.rateCode)
  );
}

/**
 * The further texts of a line: those of the form, where it has them.
 *
 * @template {object} Kept
 * @param {Kept} kept
 * @param {Typed} typed
 */
function withTexts(kept, { auxiliaryCode, unitOfMeasure }) {
  const { auxiliaryCode: _code, auxCode: _alias, unitOfMeasure: _unit, ...rest } = /** @type {Draft} */ (kept);
  if (auxiliaryCode === undefined && unitOfMeasure === undefined) return kept;
  return {
    .../** @type {Kept} */ (rest),
    ...(auxiliaryCode ? { auxiliaryCode } : {}),
    ...(unitOfMeasure ? { unitOfMeasure } : {}),
  };
}

/** @param {Typed} typed @param {Item} carried @returns {Line | null} */
function asItCame(typed, carried) {
  const { mainCode, description } = typed;
  const { quantity, unitPrice, discount } = carried;
  const base = carried.total
    ? parseDecimal(carried.total, 2)
    : lineBase({ quantity, unitPrice, discount: discount ?? '' });
  const taxes = carried.taxes.map(({ code, rateCode, rate, taxableBase, taxAmount }) => {
    const [of, amount] = [parseDecimal(taxableBase ?? '', 2), parseDecimal(taxAmount ?? '', 2)];
    return of === null || amount === null ? null : { code, rateCode, rate, base: of, amount };
  });
  const whole = taxes.flatMap((tax) => tax ?? []);
  if (base === null || whole.length < taxes.length) return null;
  return { base, taxes: whole, item: { ...withTexts(carried, typed), mainCode, description } };
}

/**
 * A tax that the form does not show, after a change of the quantity: its base follows the line where it was the line's, else the
 * quantity, and the tax follows its base.
 *
 * @param {Tax} tax
 * @param {{ typed: Typed, carried: Item, base: bigint }} line
 */
function follow({ taxableBase, taxAmount }, { typed, carried, base }) {
  const [of, amount] = [parseDecimal(taxableBase ?? '', 2), parseDecimal(taxAmount ?? '', 2)];
  const [now, before] = [parseDecimal(typed.quantity, 6), parseDecimal(carried.quantity, 6)];
  if (of === null || amount === null || now === null || !before) return null;
  const lineBefore = lineBase({ ...carried, discount: carried.discount ?? '' });
  const ofNow = of === lineBefore ? base : scaled(of, now, before);
  return { base: ofNow, amount: of === 0n ? scaled(amount, now, before) : scaled(amount, ofNow, of) };
}
