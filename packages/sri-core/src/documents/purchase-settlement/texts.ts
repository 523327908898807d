import type { DocumentTexts } from '../document-type.js';

/** The words of a purchase settlement. */
export const PURCHASE_SETTLEMENT_TEXTS = {
  name: { es: 'Liquidación de compra', en: 'Purchase settlement' },
  sriName: 'Liquidación de Compra',
  rules: {
    onlyIva: {
      es: 'Debe ser 2: una liquidación de compra lleva solo IVA.',
      en: 'Must be 2: a purchase settlement carries IVA alone.',
    },
  },
} as const satisfies DocumentTexts;
