import type { IsoDate } from '../calendar.js';
import type { LocalizedText } from './catalog.js';
import { ICE_RATES } from './ice-rates.js';
import { TAX, type TaxTypeCode } from './tax-types.js';

/** A rate of a tax, by its code [codigoPorcentaje]. */
export interface TaxRate {
  readonly taxCode: TaxTypeCode;
  readonly rateCode: string;
  /** Percentage, or dollars per unit (`basis`). Null where the rate changes every year and the caller gives it. */
  readonly rate: string | null;
  /** What the rate multiplies: the value, a count of units, or both. */
  readonly basis: 'value' | 'unit' | 'mixed';
  readonly description: LocalizedText;
  readonly validFrom?: IsoDate;
  readonly validTo?: IsoDate;
  readonly source: string;
}

const TABLE_17 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 17';
const TABLE_16 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 16';

function iva(
  rateCode: string,
  rate: string,
  es: string,
  en: string,
  dates: Pick<TaxRate, 'validFrom' | 'validTo'> = {},
) {
  const description = { es, en };
  return { taxCode: TAX.IVA, basis: 'value', source: TABLE_17, rateCode, rate, description, ...dates } as const;
}

/** Rates of IVA. The table prints no dates; they come from the decrees. */
export const IVA_RATES = [
  iva('0', '0', 'IVA 0 %', 'IVA 0%'),
  // Ended when Decreto 198 raised the rate. Credit notes for older invoices still use it.
  iva('2', '12', 'IVA 12 %', 'IVA 12%', { validTo: '2024-03-31' }),
  iva('3', '14', 'IVA 14 %', 'IVA 14%', { validFrom: '2016-06-01', validTo: '2017-05-31' }),
  iva('4', '15', 'IVA 15 %', 'IVA 15%', { validFrom: '2024-04-01' }),
  iva('5', '5', 'IVA 5 % (materiales de construcción)', 'IVA 5% (building materials)', { validFrom: '2024-04-01' }),
  iva('6', '0', 'No objeto de IVA', 'Not subject to IVA'),
  iva('7', '0', 'Exento de IVA', 'Exempt from IVA'),
  // Applies up to twelve days a year, each named by a decree. A list of days would never be complete.
  iva('8', '8', 'IVA diferenciado 8 % (turismo, días de decreto)', 'IVA 8% (tourism, days set by decree)'),
  iva('10', '13', 'IVA 13 %', 'IVA 13%'),
] as const satisfies readonly TaxRate[];

/** The tax on plastic bottles: two cents each. Its base is the number of bottles. */
const IRBPNR_RATE: TaxRate = {
  taxCode: TAX.IRBPNR,
  rateCode: '5001',
  rate: '0.02',
  basis: 'unit',
  description: { es: 'Botellas plásticas no retornables', en: 'Non-returnable plastic bottles' },
  source: TABLE_16,
};

/** Every rate of every tax. */
export const taxRates: readonly TaxRate[] = [...IVA_RATES, ...ICE_RATES, IRBPNR_RATE];

/** The table row of a rate; null when the table has none. */
export function findTaxRate(taxCode: string, rateCode: string): TaxRate | null {
  return ROWS.get(`${taxCode}:${rateCode}`) ?? null;
}

/**
 * Whether a tax accepts a rate code. ICE accepts any code of four digits: its table changes every year, and a new code must
 * not block a sale.
 */
export function isTaxRate(taxCode: string, rateCode: string): boolean {
  return ROWS.has(`${taxCode}:${rateCode}`) || (taxCode === TAX.ICE && /^3[0-9]{3}$/.test(rateCode));
}

// --- internal ---

const ROWS: ReadonlyMap<string, TaxRate> = new Map(taxRates.map((row) => [`${row.taxCode}:${row.rateCode}`, row]));
