import type { CatalogEntry } from './catalog.js';

const TABLE_25 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 25';

/** Countries [paisOrigen, paisDestino, paisEfecPago, codPaisPagoProveedorReembolso]. */
export const countries: readonly CatalogEntry[] = [
  { code: '593', description: { es: 'Ecuador', en: 'Ecuador' }, source: TABLE_25 },
  { code: '110', description: { es: 'Estados Unidos', en: 'United States' }, source: TABLE_25 },
];
