import {
  alsoTried,
  but,
  decimalOf,
  documentText,
  emailAddress,
  exactly,
  type FieldKind,
  numberWhere,
  part,
} from './field-kinds.js';

/** An invoice with every field of the contract, valid on 21/11/2026, and far from every limit. */
export const FULL_INVOICE = {
  documentType: '01',
  issueDate: '21/11/2026',
  buyer: { idType: '06', id: 'P123456', name: 'María Muñoz', email: 'maria@ejemplo.ec', address: 'Quito' },
  guiaRemision: '001-002-000000123',
  items: [
    {
      mainCode: 'A1',
      auxiliaryCode: 'A2',
      auxCode: 'A3',
      description: 'Café',
      quantity: '1',
      unitPrice: '100.00',
      discount: '0.00',
      additionalDetails: [{ name: 'Lote', value: 'A-1' }],
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '100.00', taxAmount: '15.00' }],
    },
  ],
  tip: '0.00',
  payments: [{ method: '20', total: '115.00', term: 30, termUnit: 'dias' }],
  additionalInfo: [{ name: 'Vendedor', value: 'J. Pérez' }],
} as const;

/** A credit note with every field of the contract. */
export const FULL_CREDIT_NOTE = {
  documentType: '04',
  issueDate: '21/11/2026',
  buyer: FULL_INVOICE.buyer,
  originalDocument: { documentType: '01', number: '001-001-000000123', issueDate: '02/11/2026' },
  motivo: 'Devolución',
  items: FULL_INVOICE.items,
  additionalInfo: FULL_INVOICE.additionalInfo,
} as const;

const OPTIONAL = { optional: true } as const;
const NUMBER = { 'a number without dashes': '001001000000123', 'a number of one digit less': '001-001-00000012' };

const COMMON: Readonly<Record<string, FieldKind>> = {
  issueDate: exactly(['21/11/2026'], OPTIONAL),
  buyer: part(),
  'buyer.idType': exactly(['05', '04', '06', '07', '08']),
  'buyer.id': documentText(20),
  'buyer.name': documentText(300),
  'buyer.email': emailAddress(),
  'buyer.address': documentText(300, OPTIONAL),
  items: part(),
  'items[0]': part(),
  'items[0].mainCode': documentText(25),
  'items[0].auxiliaryCode': documentText(25, OPTIONAL),
  'items[0].auxCode': documentText(25, OPTIONAL),
  'items[0].description': documentText(300),
  'items[0].quantity': decimalOf(6),
  'items[0].unitPrice': decimalOf(6),
  // More than the value of the line.
  'items[0].discount': but(decimalOf(2, OPTIONAL), { refuses: ['999999999'] }),
  'items[0].additionalDetails': part({ optional: true, emptyList: true }),
  'items[0].additionalDetails[0]': part(),
  'items[0].additionalDetails[0].name': documentText(300),
  'items[0].additionalDetails[0].value': documentText(300),
  'items[0].taxes': part(),
  'items[0].taxes[0]': part(),
  'items[0].taxes[0].code': alsoTried(exactly(['2']), { 'no tax': '9' }),
  'items[0].taxes[0].rateCode': alsoTried(exactly(['4', '0', '2']), { 'no rate': '9', 'five digits': '00004' }),
  'items[0].taxes[0].rate': alsoTried(
    exactly(['15', '15.00', '0', '00', '1', '12', '01', '04', '05', '07', '20', '1.5', '1.25', '100', '9999']),
    { 'a percent sign': '15%', 'five digits': '10000' },
  ),
  'items[0].taxes[0].taxableBase': decimalOf(2),
  'items[0].taxes[0].taxAmount': decimalOf(2),
  additionalInfo: part({ optional: true, emptyList: true }),
  'additionalInfo[0]': part(),
  'additionalInfo[0].name': documentText(300),
  'additionalInfo[0].value': documentText(300),
};

/** Fields with the same rules in both documents. */
export const COMMON_FIELDS: ReadonlySet<string> = new Set(Object.keys(COMMON));

/** The kind of each field of an invoice. */
export const INVOICE_FIELDS: Readonly<Record<string, FieldKind>> = {
  documentType: but(exactly(['01']), {}),
  ...COMMON,
  guiaRemision: alsoTried(exactly(['001-002-000000123'], OPTIONAL), NUMBER),
  tip: decimalOf(2, OPTIONAL),
  payments: part(),
  'payments[0]': part(),
  'payments[0].method': exactly(['01', '15', '16', '17', '18', '19', '20', '21']),
  'payments[0].total': decimalOf(2),
  'payments[0].term': numberWhere((value) => value >= 0 && /^\d{1,12}(\.\d{1,2})?$/.test(String(value)), OPTIONAL),
  'payments[0].termUnit': exactly(['dias', 'meses'], OPTIONAL),
};

/** The kind of each field of a credit note. */
export const CREDIT_NOTE_FIELDS: Readonly<Record<string, FieldKind>> = {
  documentType: exactly(['04']),
  ...COMMON,
  // The SRI refuses a credit note to an unnamed consumer.
  'buyer.idType': but(exactly(['05', '04', '06', '08']), {}),
  originalDocument: part(),
  'originalDocument.documentType': exactly(['01', '04', '05', '07']),
  'originalDocument.number': alsoTried(exactly(['001-001-000000123']), NUMBER),
  'originalDocument.issueDate': exactly(['02/11/2026', '20/11/2026', '21/11/2026', '29/02/2024']),
  motivo: documentText(300),
};
