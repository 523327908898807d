import type { CatalogEntry } from './catalog.js';

const PRACTICE =
  'Ficha técnica off-line v2.34 (2026-07-27), anexo 1: free text of 1 to 10 characters; «dias» in its example';

/** Units of a payment's term [unidadTiempo]. The SRI publishes no table; these words are in common use. */
export const termUnits = [
  { code: 'dias', description: { es: 'Días', en: 'Days' }, source: PRACTICE },
  { code: 'semanas', description: { es: 'Semanas', en: 'Weeks' }, source: PRACTICE },
  { code: 'meses', description: { es: 'Meses', en: 'Months' }, source: PRACTICE },
  { code: 'anios', description: { es: 'Años', en: 'Years' }, source: PRACTICE },
] as const satisfies readonly CatalogEntry[];
