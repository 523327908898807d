import type { CreditNoteInput, InvoiceInput } from 'sri-core/client';

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
    {
      mainCode: 'CAF-01',
      description: 'Cafetera «Ñandú» & molinillo eléctrico',
      quantity: '2',
      unitPrice: '45.50',
      discount: '5.00',
      taxes: [
        {
          code: '2',
          rateCode: '4',
          rate: '15',
          taxableBase: '86.00',
          taxAmount: '12.90',
        },
      ],
    },
    {
      mainCode: 'LIB-07',
      description: 'Libro «El café de Loja: guía del cultivo», edición rústica',
      quantity: '3',
      unitPrice: '8.46',
      taxes: [
        {
          code: '2',
          rateCode: '0',
          rate: '0',
          taxableBase: '25.38',
          taxAmount: '0.00',
        },
      ],
    },
    {
      mainCode: 'SRV-02',
      description: 'Instalación y capacitación',
      quantity: '1',
      unitPrice: '30.00',
      taxes: [
        {
          code: '2',
          rateCode: '4',
          rate: '15',
          taxableBase: '30.00',
          taxAmount: '4.50',
        },
      ],
    },
  ],
  payments: [{ method: '20', total: '158.78', term: 30, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Observación', value: 'Entregar en recepción, de 9h00 a 17h00' }],
};

/** The return of one of the two coffee makers. 49.45 dollars in all. */
export function creditNoteOn(invoice: { readonly number: string; readonly issueDate: string }): CreditNoteInput {
  return {
    documentType: '04',
    originalDocument: {
      documentType: '01',
      number: invoice.number,
      issueDate: invoice.issueDate,
    },
    motivo: 'Devolución de una cafetera',
    buyer: INVOICE.buyer,
    items: [
      {
        mainCode: 'CAF-01',
        description: 'Cafetera «Ñandú» & molinillo eléctrico',
        quantity: '1',
        unitPrice: '45.50',
        discount: '2.50',
        taxes: [
          {
            code: '2',
            rateCode: '4',
            rate: '15',
            taxableBase: '43.00',
            taxAmount: '6.45',
          },
        ],
      },
    ],
  };
}
