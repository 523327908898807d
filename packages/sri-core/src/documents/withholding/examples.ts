import type { WithholdingBody } from './body.js';

const SUPPLIER = {
  idType: '04',
  id: '1790011674001',
  name: 'Suministros Andinos S.A.',
  email: 'cobros@example.com',
} as const;

/** A valid withholding of 6.50 on an invoice of 115.00, for the day 21/11/2026. */
export const WITHHOLDING_EXAMPLE = {
  documentType: '07',
  version: '2.0.0',
  issueDate: '21/11/2026',
  subject: { ...SUPPLIER, address: 'Av. 10 de Agosto N10-20', relatedParty: false },
  fiscalPeriod: '11/2026',
  supportingDocuments: [
    {
      supportCode: '01',
      documentType: '01',
      number: '001-001-000000123',
      issueDate: '18/11/2026',
      registrationDate: '19/11/2026',
      authorizationNumber: '1811202601179001167400120010010000001231234567814',
      payment: { location: '01' },
      subtotal: '100.00',
      total: '115.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '100.00', taxAmount: '15.00' }],
      withholdings: [
        { tax: '1', code: '312', taxableBase: '100.00', rate: '2.00', amount: '2.00' },
        { tax: '2', code: '1', taxableBase: '15.00', rate: '30.00', amount: '4.50' },
      ],
      payments: [{ method: '20', total: '115.00' }],
    },
  ],
  additionalInfo: [{ name: 'Contacto', value: 'J. Pérez' }],
} as const satisfies WithholdingBody;

/** A service from abroad: income tax without a treaty, and ISD. */
const PAYMENT_ABROAD: WithholdingBody = {
  documentType: '07',
  issueDate: '21/11/2026',
  subject: {
    idType: '08',
    id: 'US-98-7654321',
    name: 'Cloud Hosting Inc.',
    email: 'billing@example.com',
    kind: '02',
    relatedParty: true,
  },
  supportingDocuments: [
    {
      supportCode: '02',
      documentType: '15',
      number: '001-001-000004410',
      issueDate: '05/11/2026',
      registrationDate: '23/11/2026',
      payment: {
        location: '02',
        regime: '01',
        country: '110',
        treaty: false,
        subjectToWithholding: true,
        taxHaven: false,
      },
      taxes: [{ code: '2', rateCode: '6', taxableBase: '1000.00' }],
      withholdings: [
        { tax: '1', code: '502', taxableBase: '1000.00', rate: '25' },
        { tax: '6', code: '4580', taxableBase: '1000.00', rate: '5' },
      ],
      payments: [{ method: '20' }],
    },
  ],
};

/** A dividend of 2025 to a shareholder. */
const DIVIDEND: WithholdingBody = {
  documentType: '07',
  issueDate: '21/11/2026',
  subject: { idType: '05', id: '1710034065', name: 'María Muñoz', email: 'maria@example.com', relatedParty: true },
  supportingDocuments: [
    {
      supportCode: '10',
      documentType: '19',
      number: '001-001-000000007',
      issueDate: '20/11/2026',
      taxes: [{ code: '2', rateCode: '6', taxableBase: '5000.00' }],
      withholdings: [
        {
          tax: '1',
          code: '327',
          taxableBase: '5000.00',
          rate: '12.00',
          dividend: { paymentDate: '20/11/2026', incomeTax: '1666.67', fiscalYear: '2025' },
        },
      ],
      payments: [{ method: '20' }],
    },
  ],
};

/** A local purchase of bananas, paid in two parts. */
const BANANAS: WithholdingBody = {
  documentType: '07',
  issueDate: '21/11/2026',
  subject: SUPPLIER,
  supportingDocuments: [
    {
      supportCode: '06',
      documentType: '01',
      number: '002-001-000000951',
      issueDate: '17/11/2026',
      taxes: [{ code: '2', rateCode: '0', taxableBase: '8220.00' }],
      withholdings: [
        { tax: '1', code: '338', taxableBase: '8220.00', rate: '1.25', bananas: { boxes: '1200', boxPrice: '6.85' } },
      ],
      payments: [
        { method: '20', total: '8000.00' },
        { method: '01', total: '220.00' },
      ],
    },
  ],
};

/** A fee next to an invoice for reimbursed expenses. */
const REIMBURSEMENT: WithholdingBody = {
  documentType: '07',
  issueDate: '21/11/2026',
  subject: SUPPLIER,
  supportingDocuments: [
    {
      supportCode: '01',
      documentType: '01',
      number: '001-001-000000124',
      issueDate: '18/11/2026',
      taxes: [{ code: '2', rateCode: '4', taxableBase: '300.00' }],
      withholdings: [
        { tax: '1', code: '303A', taxableBase: '300.00', rate: '5' },
        { tax: '2', code: '2', taxableBase: '45.00', rate: '70' },
      ],
      payments: [{ method: '20' }],
    },
    {
      supportCode: '02',
      documentType: '41',
      number: '001-001-000000125',
      issueDate: '18/11/2026',
      taxes: [{ code: '2', rateCode: '6', taxableBase: '115.00' }],
      withholdings: [{ tax: '1', code: '332', taxableBase: '115.00', rate: '0' }],
      payments: [{ method: '20' }],
      reimbursements: [
        {
          supplier: { idType: '04', id: '1790016919001', kind: '02', country: '593' },
          documentType: '01',
          number: '001-002-000000042',
          issueDate: '10/11/2026',
          authorizationNumber: '1011202601179001691900120010020000000421234567818',
          taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '100.00' }],
        },
      ],
    },
  ],
};

/** The first example as schema 1.0.0 holds it. */
const OLD_SCHEMA: WithholdingBody = { ...WITHHOLDING_EXAMPLE, version: '1.0.0' };

/** Valid withholding receipts: a purchase, a payment abroad, a dividend, bananas, a reimbursement, schema 1.0.0. */
export const WITHHOLDING_EXAMPLES: readonly WithholdingBody[] = [
  WITHHOLDING_EXAMPLE,
  PAYMENT_ABROAD,
  DIVIDEND,
  BANANAS,
  REIMBURSEMENT,
  OLD_SCHEMA,
];
