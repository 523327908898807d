import type { CatalogEntry } from './catalog.js';

const TABLE_19 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 19';

/** Taxes that a comprobante de retención withholds [codigo]. */
export const withholdingTaxes = [
  { code: '1', description: { es: 'Impuesto a la renta', en: 'Income tax' }, source: TABLE_19 },
  { code: '2', description: { es: 'IVA', en: 'IVA (value added tax)' }, source: TABLE_19 },
  {
    code: '6',
    description: { es: 'Impuesto a la salida de divisas (ISD)', en: 'Tax on money sent abroad (ISD)' },
    source: TABLE_19,
  },
] as const satisfies readonly CatalogEntry[];

/** Income tax, IVA or ISD, by its code. */
export type WithholdingTaxCode = (typeof withholdingTaxes)[number]['code'];

/** Codes by name, for rules that speak of one tax. */
export const WITHHELD = { INCOME: '1', IVA: '2', ISD: '6' } as const satisfies Record<string, WithholdingTaxCode>;
