import type { CatalogEntry } from './catalog.js';

/** A withholding that an invoice collects in advance. */
export interface PresumptiveWithholding extends CatalogEntry {
  readonly tax: 'IVA' | 'RENTA';
  /** [tarifa] Decimal text, as the table has it. */
  readonly rate: string;
}

const TABLE_23 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 23';

function row<const Code extends string>(code: Code, tax: 'IVA' | 'RENTA', rate: string, es: string, en: string) {
  return { code, tax, rate, description: { es, en }, source: TABLE_23 } as const satisfies PresumptiveWithholding;
}

/** Withholdings that an invoice of fuel or newspapers collects in advance [retencion/codigoPorcentaje]. */
export const presumptiveWithholdings = [
  row('3', 'IVA', '1.00', 'IVA de combustibles', 'IVA of fuel'),
  row('4', 'IVA', '0.12', 'IVA presuntivo de editores a voceadores', 'Presumptive IVA, publishers to newsvendors'),
  row('5', 'IVA', '100.00', 'IVA de periódicos o revistas a distribuidores', 'IVA of newspapers to distributors'),
  row('6', 'IVA', '100.00', 'IVA de periódicos o revistas a voceadores', 'IVA of newspapers to newsvendors'),
  row('327', 'RENTA', '0.20', 'Renta, 2 por mil', 'Income tax, 2 per thousand'),
  row('328', 'RENTA', '0.30', 'Renta, 3 por mil', 'Income tax, 3 per thousand'),
] as const;

/** The code of a presumptive withholding. */
export type PresumptiveWithholdingCode = (typeof presumptiveWithholdings)[number]['code'];
