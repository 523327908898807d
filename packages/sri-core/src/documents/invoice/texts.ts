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
    exportBuyer: {
      es: 'El comprador de una exportación suele identificarse con RUC, pasaporte o identificación del exterior.',
      en: 'The buyer of an export usually has a RUC, a passport or a foreign identification.',
    },
    buildingMaterialCode: {
      es: 'El IVA 5 % es de materiales de construcción: la Ficha pide aquí su código de la tabla 31 (F010101 a F010804).',
      en: 'IVA 5% is for building materials: the Ficha wants their code of table 31 here (F010101 to F010804).',
    },
    negotiable: { es: 'Una factura comercial negociable lo exige.', en: 'A negotiable invoice requires it.' },
  },
} as const satisfies DocumentTexts;
