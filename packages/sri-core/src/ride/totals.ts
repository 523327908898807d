import { findTaxRate } from '../catalogs/tax-rates.js';
import { TAX } from '../catalogs/tax-types.js';
import type { Comprobante, ComprobanteTax } from '../xml/comprobante-reader.js';
import { addAmounts, isZero, shortenRate, writeAmount } from './amounts.js';

/** One row of the sums at the foot. */
export interface TotalRow {
  readonly label: string;
  readonly amount: string;
  /** The row that everything leads to. */
  readonly strong?: boolean;
}

/**
 * The sums of a comprobante in the order and the words of the SRI's own RIDE; rows of zero are left out, except those
 * that every RIDE shows.
 *
 * @see Ficha técnica off-line v2.34, anexo 2.
 */
export function totalRows(document: Comprobante): readonly TotalRow[] {
  const iva = document.taxes
    .filter((tax) => tax.taxCode === TAX.IVA)
    .map((tax) => ratedTax(tax, document))
    .toSorted((one, other) => one.order - other.order);
  const rows: readonly TotalRow[] = [
    ...iva.flatMap((tax) => optional(tax.subtotalLabel, tax.base)),
    { label: 'SUBTOTAL SIN IMPUESTOS', amount: document.subtotal },
    { label: 'TOTAL DESCUENTO', amount: discountOf(document) },
    ...taxSum('ICE', TAX.ICE, document),
    ...iva.filter((tax) => tax.isCharged).map((tax) => ({ label: `IVA ${tax.percentage}`, amount: tax.amount })),
    ...taxSum('IRBPNR', TAX.IRBPNR, document),
    ...optional('DEVOLUCIÓN DE IVA', addAmounts(document.taxes.flatMap((tax) => tax.refund ?? []))),
    ...document.compensations.flatMap(({ rate, amount }) => optional(`COMPENSACIÓN ${shortenRate(rate)} %`, amount)),
    ...document.thirdPartyCharges.flatMap(({ concept, amount }) => optional(concept, amount)),
    ...optional('FLETE INTERNACIONAL', document.foreignTrade?.freight),
    ...optional('SEGURO INTERNACIONAL', document.foreignTrade?.insurance),
    ...optional('GASTOS ADUANEROS', document.foreignTrade?.customs),
    ...optional('GASTOS DE TRANSPORTE, OTROS', document.foreignTrade?.otherTransport),
    ...optional('PROPINA', document.tip),
    ...document.presumptiveTaxes.flatMap(({ rateCode, amount }) => optional(presumptiveLabel(rateCode), amount)),
    { label: 'VALOR TOTAL', amount: document.total, strong: true },
    ...optional('AHORRO POR SUBSIDIO', document.subsidy),
    ...optional('RETENCIÓN DE IVA', document.withheld.iva),
    ...optional('RETENCIÓN DE RENTA', document.withheld.incomeTax),
  ];
  return rows.map((row) => ({ ...row, amount: writeAmount(row.amount) }));
}

// --- internal ---

interface RatedTax {
  readonly base: string;
  readonly amount: string;
  /** `15 %` */
  readonly percentage: string;
  readonly subtotalLabel: string;
  /** Whether it has a row of its own beside its subtotal: a rate of zero charges nothing. */
  readonly isCharged: boolean;
  /** Highest rate first, then the special one, 0 %, not subject, exempt. */
  readonly order: number;
}

const SPECIAL = '8';
const NOT_SUBJECT = '6';
const EXEMPT = '7';

function ratedTax(tax: ComprobanteTax, document: Comprobante): RatedTax {
  const { base, amount, rateCode } = tax;
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

/** As the document itself says, in the sum or else in a line; the table knows the rates that a credit note leaves out. */
function rateOf(tax: ComprobanteTax, document: Comprobante): string | null {
  if (tax.rate !== null) return tax.rate;
  for (const item of document.items) {
    for (const { taxCode, rateCode, rate } of item.taxes) {
      if (rate !== null && taxCode === tax.taxCode && rateCode === tax.rateCode) return rate;
    }
  }
  return findTaxRate(tax.taxCode, tax.rateCode)?.rate ?? null;
}

/** Of the Ficha's table 23: codes of three digits are of the income tax, those of one of IVA. */
function presumptiveLabel(rateCode: string): string {
  return `RETENCIÓN PRESUNTIVA ${rateCode.length === 3 ? 'DE RENTA' : 'DE IVA'} (${rateCode})`;
}

function optional(label: string, amount: string | null | undefined): readonly TotalRow[] {
  return amount === null || amount === undefined || isZero(amount) ? [] : [{ label, amount }];
}

function taxSum(label: string, taxCode: string, document: Comprobante): readonly TotalRow[] {
  const amounts = document.taxes.filter((tax) => tax.taxCode === taxCode).map((tax) => tax.amount);
  return optional(label, addAmounts(amounts));
}

/** A credit note names no sum of its discounts, so the lines are added. */
function discountOf(document: Comprobante): string {
  return document.discount ?? addAmounts(document.items.flatMap((item) => item.discount ?? [])) ?? '0.00';
}
