import type { PurchaseSettlementBody } from './body.js';

/** A valid purchase settlement of 138.00 with every field of the contract but reimbursements, for the day 21/11/2026. */
export const PURCHASE_SETTLEMENT_EXAMPLE = {
  documentType: '03',
  issueDate: '21/11/2026',
  supplier: {
    idType: '05',
    id: '1710034065',
    name: 'Rosa Chimbo',
    email: 'rosa@example.com',
    address: 'Comunidad San Pablo, Otavalo',
  },
  items: [
    {
      mainCode: 'ART-01',
      auxiliaryCode: '7861234567890',
      auxCode: 'UNUSED',
      description: 'Sombreros de paja toquilla',
      unitOfMeasure: 'unidad',
      quantity: '10.000000',
      unitPrice: '12.500000',
      discount: '5.00',
      total: '120.00',
      additionalDetails: [{ name: 'Talla', value: 'M' }],
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '120.00', taxAmount: '18.00' }],
    },
  ],
  payments: [{ method: '20', total: '138.00', term: 0, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Bodega', value: 'Otavalo' }],
} as const satisfies PurchaseSettlementBody;

/** A settlement with a foreign supplier without an address or e-mail; its sums are left out. */
const FOREIGN_SERVICE = {
  documentType: '03',
  supplier: { idType: '08', id: 'US-552-019', name: 'Cloud Hosting Inc.' },
  items: [
    {
      mainCode: 'HOST',
      description: 'Alojamiento de servidores, noviembre',
      quantity: '1',
      unitPrice: '99.125',
      taxes: [{ code: '2', rateCode: '4', rate: '15' }],
    },
    {
      mainCode: 'FEE',
      description: 'Comisión de la transferencia',
      quantity: '1',
      unitPrice: '5',
      taxes: [{ code: '2', rateCode: '6', rate: '0' }],
    },
  ],
  payments: [
    { method: '19', total: '100.00' },
    { method: '20', total: '19.00' },
  ],
} as const satisfies PurchaseSettlementBody;

/** A settlement that reimburses the expenses of an employee: an invoice of two rates and a note of sale. */
export const REIMBURSEMENT_EXAMPLE = {
  documentType: '03',
  supplier: { idType: '05', id: '1710034065', name: 'Luis Andrade', email: 'luis@example.com' },
  items: [
    {
      mainCode: 'REEMB',
      description: 'Reembolso de gastos de viaje',
      quantity: '1',
      unitPrice: '170.00',
      taxes: [{ code: '2', rateCode: '6', rate: '0' }],
    },
  ],
  payments: [{ method: '20', total: '170.00' }],
  reimbursements: [
    {
      supplier: { idType: '04', id: '1790011674001', kind: '02', country: '593' },
      documentType: '01',
      number: '001-001-000000123',
      issueDate: '02/11/2026',
      authorizationNumber: '0211202601179001167400120010010000001231234567811',
      taxes: [
        { code: '2', rateCode: '4', rate: '15.00', taxableBase: '100.00', taxAmount: '15.00' },
        { code: '2', rateCode: '0', rate: '0.00', taxableBase: '35.00' },
      ],
    },
    {
      supplier: { idType: '05', id: '1710034065', kind: '01' },
      documentType: '02',
      number: '002-001-000000045',
      issueDate: '05/11/2026',
      authorizationNumber: '1123456789',
      taxes: [{ code: '2', rateCode: '0', rate: '0', taxableBase: '20.00', taxAmount: '0.00' }],
    },
  ],
} as const satisfies PurchaseSettlementBody;

/** Valid purchase settlements. */
export const PURCHASE_SETTLEMENT_EXAMPLES: readonly PurchaseSettlementBody[] = [
  PURCHASE_SETTLEMENT_EXAMPLE,
  FOREIGN_SERVICE,
  REIMBURSEMENT_EXAMPLE,
];
