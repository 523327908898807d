import type { DocumentTexts } from '../document-type.js';
import { ACCEPTED_ANNULMENT } from '../parts/annulment.js';

/** The words of a credit note. */
export const CREDIT_NOTE_TEXTS = {
  name: { es: 'Nota de crédito', en: 'Credit note' },
  sriName: 'Nota de Crédito',
  voidAdvice: ACCEPTED_ANNULMENT,
  rules: {
    finalConsumer: {
      es: 'No se puede emitir una nota de crédito a consumidor final.',
      en: 'A credit note cannot be issued to an unnamed consumer (consumidor final).',
    },
  },
} as const satisfies DocumentTexts;
