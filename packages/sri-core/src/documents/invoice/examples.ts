import type { InvoiceBody } from './body.js';

/** A valid invoice of 16.68 with every field of the contract, for the day 21/11/2026. */
export const INVOICE_EXAMPLE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: {
    idType: '05',
    id: '1710034065',
    name: 'María Muñoz & Cía.',
    email: 'maria@example.com',
    address: 'Av. 10 de Agosto N10-20',
  },
  guiaRemision: '001-002-000000123',
  items: [
    {
      mainCode: 'CAF-500',
      auxiliaryCode: '7861234567890',
      auxCode: 'UNUSED',
      description: 'Café de Loja 500 g',
      quantity: '2.00',
      unitPrice: '7.50',
      discount: '0.50',
      additionalDetails: [{ name: 'Lote', value: 'A-1' }],
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '14.50', taxAmount: '2.18' }],
    },
  ],
  tip: '0.00',
  payments: [{ method: '20', total: '16.68', term: 30, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Vendedor', value: 'J. Pérez' }],
} as const satisfies InvoiceBody;

/** Valid invoices. */
export const INVOICE_EXAMPLES: readonly InvoiceBody[] = [INVOICE_EXAMPLE];
