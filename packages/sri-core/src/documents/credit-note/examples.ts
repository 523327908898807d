import type { CreditNoteBody } from './body.js';

/** A valid credit note of 16.68 with every field of the contract, for the day 21/11/2026. */
export const CREDIT_NOTE_EXAMPLE = {
  documentType: '04',
  issueDate: '21/11/2026',
  buyer: {
    idType: '05',
    id: '1710034065',
    name: 'María Muñoz & Cía.',
    email: 'maria@example.com',
    address: 'Av. 10 de Agosto N10-20',
  },
  originalDocument: { documentType: '01', number: '001-001-000000123', issueDate: '02/11/2026' },
  motivo: 'Devolución',
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
  additionalInfo: [{ name: 'Vendedor', value: 'J. Pérez' }],
} as const satisfies CreditNoteBody;

/** Valid credit notes. */
export const CREDIT_NOTE_EXAMPLES: readonly CreditNoteBody[] = [CREDIT_NOTE_EXAMPLE];
