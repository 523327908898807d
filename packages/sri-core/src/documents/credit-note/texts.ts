import type { DocumentTexts } from '../document-type.js';

/** The words of a credit note. */
export const CREDIT_NOTE_TEXTS = {
  name: { es: 'Nota de crédito', en: 'Credit note' },
  sriName: 'Nota de Crédito',
  rules: {},
} as const satisfies DocumentTexts;
