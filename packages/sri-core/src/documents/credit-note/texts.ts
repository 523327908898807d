import type { DocumentTexts } from '../document-type.js';
import { ACCEPTED_ANNULMENT } from '../parts/annulment.js';

/** The words of a credit note. */
export const CREDIT_NOTE_TEXTS = {
  name: { es: 'Nota de crédito', en: 'Credit note' },
  sriName: 'Nota de Crédito',
  voidAdvice: ACCEPTED_ANNULMENT,
  rules: {},
} as const satisfies DocumentTexts;
