import { findTaxRate } from '../../catalogs/tax-rates.js';
import { TAX } from '../../catalogs/tax-types.js';
import type { RideSum } from '../ride-content.js';
import { addAmounts, isZero, shortenRate, writeAmount } from './amounts.js';
import type { ComprobanteItem, ComprobanteSums, ComprobanteTax } from './reading.js';

/** The source of the sums of a document with lines. */
export interface Taxed extends ComprobanteSums {
  readonly items?: readonly ComprobanteItem[];
}

/**
 * The sums of a document with lines, in the order and words of the SRI's own RIDE. Zero rows are left out, except those that
 * every RIDE shows.
 *
 * @param own.discount the sum of the discounts. @param own.before rows before the total; @param own.after after it.
 * @see Ficha técnica off-line v2.34, anexo 2.
 */
export function rideSums(
  document: Taxed,
  own: { readonly discount?: string; readonly before?: readonly RideSum[]; readonly after?: readonly RideSum[] },
): readonly RideSum[] {
  const iva = document.taxes
    .filter((tax) => tax.code === TAX.IVA)
    .map((tax) => ratedTax(tax, document))
    .toSorted((one, other) => one.order - other.order);
  const rows: readonly RideSum[] = [
    ...iva.flatMap((tax) => optionalSum(tax.subtotalLabel, tax.base)),
    { label: 'SUBTOTAL SIN IMPUESTOS', amount: document.subtotal },
    ...(own.discount === undefined ? [] : [{ label: 'TOTAL DESCUENTO', amount: own.discount }]),
    ...taxSum('ICE', TAX.ICE, document),
    ...iva.filter((tax) => tax.isCharged).map((tax) => ({ label: `IVA ${tax.percentage}`, amount: tax.amount })),
    ...taxSum('IRBPNR', TAX.IRBPNR, document),
    ...optionalSum('DESCUENTO ADICIONAL', addAmounts(document.taxes.flatMap((tax) => tax.additionalDiscount ?? []))),
    ...optionalSum('DEVOLUCIÓN DE IVA', addAmounts(document.taxes.flatMap((tax) => tax.refund ?? []))),
    ...document.compensations.flatMap(({ rate, amount }) => optionalSum(`COMPENSACIÓN ${shortenRate(rate)} %`, amount)),
    ...(own.before ?? []),
    { label: 'VALOR TOTAL', amount: document.total, strong: true },
    ...(own.after ?? []),
  ];
  return rows.map((row) => ({ ...row, amount: writeAmount(row.amount) }));
}

/** The rate from the sum or a line of the document; else from the table, since credit notes omit it. */
export function rateOf(tax: ComprobanteTax, document: Taxed): string | null {
  if (tax.rate !== null) return tax.rate;
  for (const item of document.items ?? []) {
    for (const { code, rateCode, rate } of item.taxes) {
      if (rate !== null && code === tax.code && rateCode === tax.rateCode) return rate;
    }
  }
  return findTaxRate(tax.code, tax.rateCode)?.rate ?? null;
}

/** A row; none for an absent or zero amount. */
export function optionalSum(label: string, amount: string | null | undefined): readonly RideSum[] {
  return amount === null || amount === undefined || isZero(amount) ? [] : [{ label, amount }];
}

/** The discounts of the lines, added up. */
export function sumOfDiscounts(items: readonly ComprobanteItem[]): string {
  return addAmounts(items.flatMap((item) => item.discount ?? [])) ?? '0.00';
}

// --- internal ---

interface RatedTax {
  readonly base: string;
  readonly amount: string;
  /** Such as `15 %`. */
  readonly percentage: string;
  readonly subtotalLabel: string;
  /** Whether the tax has a row apart from its subtotal. A zero rate charges nothing and has none. */
  readonly isCharged: boolean;
  /** Order: highest rate first, then the special one, 0 %, not subject, exempt. */
  readonly order: number;
}

const SPECIAL = '8';
const NOT_SUBJECT = '6';
const EXEMPT = '7';

function ratedTax(tax: ComprobanteTax, document: Taxed): RatedTax {
  const { taxableBase: base, taxAmount: amount, rateCode } = tax;
  const rate = rateOf(tax, document);
  const percentage = rate === null ? `(código ${rateCode})` : `${shortenRate(rate)} %`;
  const isRated = rate === null || !isZero(rate);
  const isCharged = (isRated && !isZero(base)) || !isZero(amount);
  const shared = { base, amount, percentage, isCharged };
  if (rateCode === NOT_SUBJECT) return { ...shared, subtotalLabel: 'SUBTOTAL NO OBJETO DE IVA', order: 3 };
  if (rateCode === EXEMPT) return { ...shared, subtotalLabel: 'SUBTOTAL EXENTO DE IVA', order: 4 };
  if (rateCode === SPECIAL) return { ...shared, subtotalLabel: `SUBTOTAL TARIFA ESPECIAL ${percentage}`, order: 1 };
  return { ...shared, subtotalLabel: `SUBTOTAL ${percentage}`, order: isRated ? -(Number(rate) || 0) : 2 };
}

function taxSum(label: string, code: string, document: Taxed): readonly RideSum[] {
  const amounts = document.taxes.filter((tax) => tax.code === code).map((tax) => tax.taxAmount);
  return optionalSum(label, addAmounts(amounts));
}
