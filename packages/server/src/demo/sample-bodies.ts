import type { CreditNoteInput, InvoiceInput } from 'sri-core/client';

const COFFEE_MAKER = {
  mainCode: 'CAF-01',
  description: 'Cafetera «Ñandú» & molinillo eléctrico',
  unitPrice: '45.50',
} as const;

/** An invoice with three items, two IVA rates, a discount, accents and an ampersand. 158.78 dollars in all. */
export const INVOICE: InvoiceInput = {
  documentType: '01',
  buyer: {
    idType: '05',
    id: '1710034065',
    name: 'María José Ñacata Pérez',
    email: 'maria.nacata@example.com',
    address: 'Av. González Suárez N32-17 & Whymper, Quito',
  },
  items: [
    { ...COFFEE_MAKER, quantity: '2', discount: '5.00', taxes: [iva('15', '86.00', '12.90')] },
    {
      mainCode: 'LIB-07',
      description: 'Libro «El café de Loja: guía del cultivo», edición rústica',
      quantity: '3',
      unitPrice: '8.46',
      taxes: [iva('0', '25.38', '0.00')],
    },
    {
      mainCode: 'SRV-02',
      description: 'Instalación y capacitación',
      quantity: '1',
      unitPrice: '30.00',
      taxes: [iva('15', '30.00', '4.50')],
    },
  ],
  payments: [{ method: '20', total: '158.78', term: 30, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Observación', value: 'Entregar en recepción, de 9h00 a 17h00' }],
};

/** The return of one of the two coffee makers. 49.45 dollars in all. */
export function creditNoteOn(invoice: { readonly number: string; readonly issueDate: string }): CreditNoteInput {
  return {
    documentType: '04',
    originalDocument: { documentType: '01', number: invoice.number, issueDate: invoice.issueDate },
    motivo: 'Devolución de una cafetera',
    buyer: INVOICE.buyer,
    items: [{ ...COFFEE_MAKER, quantity: '1', discount: '2.50', taxes: [iva('15', '43.00', '6.45')] }],
  };
}

// --- internal ---

function iva(rate: '0' | '15', taxableBase: string, taxAmount: string) {
  return { code: '2', rateCode: rate === '15' ? '4' : '0', rate, taxableBase, taxAmount } as const;
}
