import { TAX } from '../../catalogs/tax-types.js';
import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { addAmounts } from './amounts.js';
import type { ComprobanteTax } from './reading.js';

/**
 * The amounts of a comprobante as tax forms ask for them. Decimal text with two decimals; `0.00` where it has none. An amount
 * that is no number counts as none.
 */
export interface TaxFigures {
  /** Bases of IVA by rate code [codigoPorcentaje]: `{"4": "10.00"}`. */
  readonly ivaBases: Readonly<Record<string, string>>;
  readonly iva: string;
  /** [valorDevolucionIva] The part of it that the SRI returns to the buyer; not in the total of the document. */
  readonly ivaRefund: string;
  readonly ice: string;
  readonly irbpnr: string;
  /** [propina] */
  readonly tip: string;
  readonly withheldIncomeTax: string;
  readonly withheldIva: string;
  readonly withheldIsd: string;
}

/** An amount that was withheld, with its tax. */
export interface WithheldAmount {
  /** [codigo] As in `WITHHELD`. */
  readonly tax: string;
  readonly amount: string;
}

/** Adds up the taxes and the withheld amounts of a comprobante. */
export function taxFigures({
  taxes = [],
  tip = null,
  withheld = [],
}: {
  readonly taxes?: readonly ComprobanteTax[];
  readonly tip?: string | null;
  readonly withheld?: readonly WithheldAmount[];
}): TaxFigures {
  const taxed = (code: string) => sumOf(taxes.filter((tax) => tax.code === code).map(({ taxAmount }) => taxAmount));
  const kept = (tax: string) => sumOf(withheld.filter((each) => each.tax === tax).map(({ amount }) => amount));
  const bases = Map.groupBy(
    taxes.filter(({ code }) => code === TAX.IVA),
    ({ rateCode }) => rateCode,
  );
  return {
    ivaBases: Object.fromEntries(
      Array.from(bases, ([rateCode, group]) => [rateCode, sumOf(group.map(({ taxableBase }) => taxableBase))]),
    ),
    iva: taxed(TAX.IVA),
    ivaRefund: sumOf(taxes.flatMap(({ refund }) => refund ?? [])),
    ice: taxed(TAX.ICE),
    irbpnr: taxed(TAX.IRBPNR),
    tip: sumOf(tip === null ? [] : [tip]),
    withheldIncomeTax: kept(WITHHELD.INCOME),
    withheldIva: kept(WITHHELD.IVA),
    withheldIsd: kept(WITHHELD.ISD),
  };
}

// --- internal ---

function sumOf(amounts: readonly string[]): string {
  return addAmounts(amounts) ?? '0.00';
}
