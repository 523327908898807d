import type { DocumentTexts } from '../document-type.js';
import { ACCEPTED_ANNULMENT } from '../parts/annulment.js';

/** The words of a debit note. */
export const DEBIT_NOTE_TEXTS = {
  name: { es: 'Nota de débito', en: 'Debit note' },
  sriName: 'Nota de Débito',
  voidAdvice: ACCEPTED_ANNULMENT,
  rules: {
    rateOfCode: {
      es: 'Otro motivo lleva ese código con la tarifa {rate}: la nota escribe cada código una vez, con una sola tarifa.',
      en: 'Another reason has this code at the rate {rate}: the note writes each code once, at one rate.',
    },
  },
} as const satisfies DocumentTexts;
