import type { CatalogEntry } from './catalog.js';

const TABLE_16 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 16';

/** Taxes of a sale [codigo]. */
export const taxTypes = [
  { code: '2', description: { es: 'IVA', en: 'IVA (value added tax)' }, source: TABLE_16 },
  { code: '3', description: { es: 'ICE', en: 'ICE (special consumption tax)' }, source: TABLE_16 },
  { code: '5', description: { es: 'IRBPNR', en: 'IRBPNR (plastic bottle tax)' }, source: TABLE_16 },
] as const satisfies readonly CatalogEntry[];

/** IVA, ICE or IRBPNR, by its code. */
export type TaxTypeCode = (typeof taxTypes)[number]['code'];

/** Codes by name, for rules that speak of one tax. */
export const TAX = { IVA: '2', ICE: '3', IRBPNR: '5' } as const satisfies Record<string, TaxTypeCode>;
