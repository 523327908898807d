import type { InvoiceBody } from './body.js';

/** A valid invoice of 16.68 with every field of an ordinary one, for the day 21/11/2026. */
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

const IMPORTER = {
  idType: '08',
  id: 'US-45-1234567',
  name: 'Andes Imports LLC',
  email: 'buyer@example.com',
  address: '100 Main St, Miami',
} as const;

/** An export: the costs are part of the total. */
export const EXPORT_EXAMPLE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: IMPORTER,
  export: {
    incoterm: 'CIF',
    incotermPlace: 'Miami',
    originCountry: '593',
    shippingPort: 'Guayaquil',
    destinationPort: 'Miami',
    destinationCountry: '110',
    purchaseCountry: '110',
    subtotalIncoterm: 'FOB',
    freight: '1000.00',
    insurance: '200.00',
    customs: '800.00',
    otherTransport: '350.00',
  },
  items: [
    {
      mainCode: 'CAC-69',
      description: 'Cacao en grano, saco de 69 kg',
      unitOfMeasure: 'saco',
      quantity: '1000.00',
      unitPrice: '295.00',
      additionalDetails: [
        { name: 'Peso neto', value: '69000 kg' },
        { name: 'Partida arancelaria', value: '1801.00.19' },
      ],
      taxes: [{ code: '2', rateCode: '0', rate: '0.00', taxableBase: '295000.00', taxAmount: '0.00' }],
    },
  ],
  payments: [{ method: '20', total: '297350.00', term: 60, termUnit: 'dias' }],
} as const satisfies InvoiceBody;

/** A reimbursement of expenses: the line has the total of the reimbursed documents, and IVA of code 6. */
export const REIMBURSEMENT_EXAMPLE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: { idType: '04', id: '1790011674001', name: 'Comercial Sierra S.A.', email: 'pagos@example.com' },
  items: [
    {
      mainCode: 'REE-01',
      description: 'Reembolso de gastos de viaje',
      quantity: '1.00',
      unitPrice: '170.00',
      taxes: [{ code: '2', rateCode: '6', rate: '0.00', taxableBase: '170.00', taxAmount: '0.00' }],
    },
  ],
  reimbursements: [
    {
      supplier: { idType: '04', id: '1790016919001', kind: '02', country: '593' },
      documentType: '01',
      number: '001-002-000004521',
      issueDate: '02/11/2026',
      authorizationNumber: '0211202601179001691900120010020000045211234567815',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '130.43', taxAmount: '19.57' }],
    },
    {
      supplier: { idType: '05', id: '1710034065', kind: '01' },
      documentType: '02',
      number: '001-001-000000087',
      issueDate: '03/11/2026',
      authorizationNumber: '1123456789',
      taxes: [{ code: '2', rateCode: '0', rate: '0.00', taxableBase: '20.00', taxAmount: '0.00' }],
    },
  ],
  payments: [{ method: '20', total: '170.00' }],
} as const satisfies InvoiceBody;

/** Subsidized fuel: the withholdings in advance are part of the total, the subsidy is not. */
export const FUEL_EXAMPLE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: { idType: '04', id: '1790011674001', name: 'Estación Loja S.A.', email: 'pagos@example.com' },
  items: [
    {
      mainCode: '0121',
      description: 'DIESEL PREMIUM',
      unitOfMeasure: 'galón',
      quantity: '1000.00',
      unitPrice: '1.502000',
      unsubsidizedPrice: '2.402000',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '1502.00', taxAmount: '225.30' }],
    },
  ],
  withholdings: [
    { code: '4', rateCode: '3', rate: '1.00', amount: '9.01' },
    { code: '4', rateCode: '327', rate: '0.20', amount: '3.00' },
  ],
  licensePlate: 'ABC1234',
  payments: [{ method: '20', total: '1739.31' }],
} as const satisfies InvoiceBody;

/** A negotiable invoice with amounts for third parties that replaces the delivery guide: version 2.1.0. */
export const TRANSPORT_EXAMPLE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: {
    idType: '04',
    id: '1790011674001',
    name: 'Comercial Sierra S.A.',
    email: 'pagos@example.com',
    address: 'Calle Loja 5-20, Cuenca',
  },
  items: [
    {
      mainCode: 'TRA-10',
      description: 'Transformador 10 kVA',
      quantity: '1.00',
      unitPrice: '1200.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '1200.00', taxAmount: '180.00' }],
    },
  ],
  tip: '0.00',
  thirdPartyCharges: [
    { concept: 'Contribución bomberos', amount: '4.00' },
    { concept: 'Tasa de recolección de basura', amount: '2.50' },
  ],
  deliveryGuide: {
    departureAddress: 'Av. Amazonas N21-147, Quito',
    arrivalAddress: 'Calle Loja 5-20, Cuenca',
    startDate: '21/11/2026',
    endDate: '22/11/2026',
    carrier: { idType: '04', id: '1790016919001', name: 'Transportes Andinos S.A.' },
    licensePlate: 'PBA1234',
    destinations: [
      { reason: 'Venta', customsDocument: '028-2026-10-00012345', branchCode: '002', route: 'Quito – Ambato – Cuenca' },
      { reason: 'Traslado entre establecimientos' },
    ],
  },
  negotiable: { email: 'cobros@example.com' },
  payments: [{ method: '20', total: '1386.50', term: 30, termUnit: 'dias' }],
} as const satisfies InvoiceBody;

/** Valid invoices. */
export const INVOICE_EXAMPLES: readonly InvoiceBody[] = [
  INVOICE_EXAMPLE,
  EXPORT_EXAMPLE,
  REIMBURSEMENT_EXAMPLE,
  FUEL_EXAMPLE,
  TRANSPORT_EXAMPLE,
];
