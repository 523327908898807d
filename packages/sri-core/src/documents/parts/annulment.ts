import type { LocalizedText } from '../../catalogs/catalog.js';

/**
 * What the annulment of a credit note, a debit note or a withholding receipt also needs. Resolución
 * NAC-DGERCGC25-00000014, art. 4, and NAC-DGERCGC25-00000017; in force since 2025-08-01.
 */
export const ACCEPTED_ANNULMENT = {
  es: 'El SRI anula este comprobante solo si quien lo recibió acepta la anulación en su portal dentro de cinco días hábiles. Compruebe allí que la aceptó: sin ella sigue vigente. No hace falta para receptores del exterior o fallecidos.',
  en: 'The SRI annuls this document only if its receiver accepts the annulment in the SRI portal within five working days. Check there that it was accepted: without it the document stays valid. Receivers abroad or deceased need not accept.',
} as const satisfies LocalizedText;
