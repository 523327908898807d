import type { DocumentTexts } from '../document-type.js';

/** The words of an invoice. */
export const INVOICE_TEXTS = {
  name: { es: 'Factura', en: 'Invoice' },
  sriName: 'Factura',
  rules: {
    finalConsumerLimit: {
      es: 'Sobre USD {max} se debe identificar al comprador.',
      en: 'Above USD {max} the buyer has to be identified.',
    },
    tipLimit: {
      es: 'La propina pasa del {percent} % del subtotal.',
      en: 'The tip is above {percent}% of the subtotal.',
    },
  },
} as const satisfies DocumentTexts;
