import type { CreditNoteBody, InvoiceBody } from '../documents/bodies.js';
import type { Issuer } from '../documents/issuer.js';

/** An issuer with nothing out of the ordinary. */
export const SAMPLE_ISSUER: Issuer = {
  ruc: '1790012345001',
  businessName: 'Café Andino S.A.',
  tradeName: 'Café Andino',
  mainAddress: 'Av. Amazonas N21-147, Quito',
  branchCode: '001',
  issuePointCode: '001',
  branchAddress: 'Calle Loja 5-20, Cuenca',
  requiredAccounting: true,
  specialTaxpayer: null,
  withholdingAgent: null,
  rimpe: null,
};

/** An invoice of 16.68 with every field of the contract, right by every rule, for the day 21/11/2026. */
export const SAMPLE_INVOICE = {
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

/** A credit note of 16.68 with every field of the contract, right by every rule, for the day 21/11/2026. */
export const SAMPLE_CREDIT_NOTE = {
  documentType: '04',
  issueDate: '21/11/2026',
  buyer: SAMPLE_INVOICE.buyer,
  originalDocument: { documentType: '01', number: '001-001-000000123', issueDate: '02/11/2026' },
  motivo: 'Devolución',
  items: SAMPLE_INVOICE.items,
  additionalInfo: SAMPLE_INVOICE.additionalInfo,
} as const satisfies CreditNoteBody;
