import type { DocumentTexts } from '../document-type.js';

/** The words of a delivery guide. */
export const DELIVERY_GUIDE_TEXTS = {
  name: { es: 'Guía de remisión', en: 'Delivery guide' },
  sriName: 'Guía de Remisión',
  total: null,
  rules: {},
} as const satisfies DocumentTexts;
