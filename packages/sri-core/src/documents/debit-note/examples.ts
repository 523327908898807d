import type { DebitNoteBody } from './body.js';

/** A valid debit note of 29.75 with every field of the contract, for the day 21/11/2026. */
export const DEBIT_NOTE_EXAMPLE = {
  documentType: '05',
  issueDate: '21/11/2026',
  buyer: {
    idType: '05',
    id: '1710034065',
    name: 'María Muñoz & Cía.',
    email: 'maria@example.com',
    address: 'Av. 10 de Agosto N10-20',
  },
  originalDocument: { documentType: '01', number: '001-001-000000123', issueDate: '02/11/2026' },
  reasons: [
    {
      reason: 'Interés por mora',
      amount: '12.50',
      taxes: [{ code: '2', rateCode: '0', rate: '0.00', taxableBase: '12.50', taxAmount: '0.00' }],
    },
    {
      reason: 'Transporte no facturado',
      amount: '15.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '15.00', taxAmount: '2.25' }],
    },
  ],
  payments: [{ method: '20', total: '29.75', term: 30, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Vendedor', value: 'J. Pérez' }],
} as const satisfies DebitNoteBody;

/** A debit note whose sums are left out, for an invoice of the former rate; the buyer is foreign. */
const WITHOUT_SUMS = {
  documentType: '05',
  buyer: { idType: '08', id: 'CO-900123', name: 'Importadora del Sur S.A.S.', email: 'compras@example.com' },
  originalDocument: { documentType: '01', number: '001-002-000000045', issueDate: '15/03/2024' },
  reasons: [
    { reason: 'Diferencia de precio', amount: '100.00', taxes: [{ code: '2', rateCode: '2', rate: '12' }] },
    { reason: 'Embalaje', amount: '8.05', taxes: [{ code: '2', rateCode: '2', rate: '12' }] },
  ],
  payments: [{ method: '20' }],
} as const satisfies DebitNoteBody;

/** A debit note with ICE and the tax on bottles, paid in two ways. */
const WITH_OTHER_TAXES = {
  documentType: '05',
  buyer: { idType: '04', id: '1790011674001', name: 'Tienda La Esquina', email: 'tienda@example.com' },
  originalDocument: { documentType: '01', number: '001-001-000000124', issueDate: '20/11/2026' },
  reasons: [
    {
      reason: 'Bebidas entregadas de más',
      amount: '40.00',
      taxes: [
        { code: '3', rateCode: '3101', rate: '10.00', taxableBase: '40.00', taxAmount: '4.00' },
        { code: '5', rateCode: '5001', rate: '0.02', taxableBase: '24.00', taxAmount: '0.48' },
        { code: '2', rateCode: '4', rate: '15.00', taxableBase: '44.00', taxAmount: '6.60' },
      ],
    },
  ],
  payments: [
    { method: '01', total: '20.00' },
    { method: '16', total: '31.08' },
  ],
} as const satisfies DebitNoteBody;

/** Valid debit notes. */
export const DEBIT_NOTE_EXAMPLES: readonly DebitNoteBody[] = [DEBIT_NOTE_EXAMPLE, WITHOUT_SUMS, WITH_OTHER_TAXES];
