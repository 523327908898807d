import type { CatalogEntry } from './catalog.js';

const TABLE_6 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 6';

/** How a buyer is identified [tipoIdentificacionComprador]. */
export const idTypes = [
  { code: '04', description: { es: 'RUC', en: 'RUC (taxpayer number)' }, source: TABLE_6 },
  { code: '05', description: { es: 'Cédula', en: 'Cédula (national identity card)' }, source: TABLE_6 },
  { code: '06', description: { es: 'Pasaporte', en: 'Passport' }, source: TABLE_6 },
  { code: '07', description: { es: 'Venta a consumidor final', en: 'Sale to an unnamed consumer' }, source: TABLE_6 },
  { code: '08', description: { es: 'Identificación del exterior', en: 'Foreign identification' }, source: TABLE_6 },
] as const satisfies readonly CatalogEntry[];

/** The identification for type `07`. Ficha técnica off-line v2.34, tabla 6. */
export const FINAL_CONSUMER_ID = '9999999999999';

/**
 * Above this total, taxes included, the invoice must name its buyer. Ficha técnica off-line v2.34, §9.10; in force since
 * 2022-11-10 (Decreto 586).
 */
export const FINAL_CONSUMER_LIMIT = '50.00';
