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

/** The text of a body that is invalid as a whole, or valid at a limit. */
export interface WholeBody {
  readonly name: string;
  readonly json: string;
  /** The field that the refusal names; empty for several, null if the body is valid. */
  readonly field: string | null;
}

/** Bodies with too many or too few parts, or with numbers that only JSON can express. */
export function wholeBodies(): readonly WholeBody[] {
  const [item] = FULL_INVOICE.items;
  const [tax] = item.taxes;
  const [payment] = FULL_INVOICE.payments;
  const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const small = { ...item, auxiliaryCode: null, auxCode: null, additionalDetails: null };
  const bodies: readonly (readonly [string, unknown, string])[] = [
    ['an empty object', {}, ''],
    ['only its type', { documentType: '01' }, ''],
    ['a credit note as an invoice', { ...FULL_CREDIT_NOTE, documentType: '01' }, 'payments'],
    ['an invoice as a credit note', { ...FULL_INVOICE, documentType: '04' }, ''],
    ['1 000 lines, more than the SRI takes in bytes', { ...FULL_INVOICE, items: times(1000, item) }, 'items'],
    ['1 001 lines', { ...FULL_INVOICE, items: times(1001, small) }, 'items'],
    ['20 000 lines that are nothing', { ...FULL_INVOICE, items: times(20_000, null) }, 'items'],
    ['11 taxes', { ...FULL_INVOICE, items: [{ ...item, taxes: times(11, tax) }] }, 'items[0].taxes'],
    ['51 payments', { ...FULL_INVOICE, payments: times(51, payment) }, 'payments'],
    ['16 further fields', { ...FULL_INVOICE, additionalInfo: times(16, { name: 'a', value: 'b' }) }, 'additionalInfo'],
    [
      '4 details',
      { ...FULL_INVOICE, items: [{ ...item, additionalDetails: times(4, { name: 'a', value: 'b' }) }] },
      'items[0].additionalDetails',
    ],
    ['a sum that no document holds', { ...FULL_INVOICE, items: [{ ...item, quantity: '999999999999' }] }, 'items'],
    ['a discount above the line', { ...FULL_INVOICE, items: [{ ...item, discount: '100.01' }] }, 'items[0].discount'],
    [
      'a credit note without a buyer',
      { ...FULL_CREDIT_NOTE, buyer: { ...FULL_CREDIT_NOTE.buyer, idType: '07' } },
      'buyer.idType',
    ],
    [
      'a credit note of a document of tomorrow',
      { ...FULL_CREDIT_NOTE, originalDocument: { ...FULL_CREDIT_NOTE.originalDocument, issueDate: '22/11/2026' } },
      'originalDocument.issueDate',
    ],
  ];
  const fine: readonly (readonly [string, unknown])[] = [
    ['100 lines', { ...FULL_INVOICE, items: times(100, small) }],
    ['10 taxes', { ...FULL_INVOICE, items: [{ ...item, taxes: times(10, tax) }] }],
    ['50 payments', { ...FULL_INVOICE, payments: times(50, payment) }],
    ['15 further fields', { ...FULL_INVOICE, additionalInfo: times(15, { name: 'a', value: 'b' }) }],
    ['3 details', { ...FULL_INVOICE, items: [{ ...item, additionalDetails: times(3, { name: 'a', value: 'b' }) }] }],
  ];
  const numbers: readonly (readonly [string, boolean])[] = [
    ['30', true],
    ['30.0', true],
    ['3e1', true],
    ['-0', true],
    ['0.25', true],
    ['1e400', false],
    ['-1e400', false],
    ['1e-400', true],
    ['0.001', false],
    ['99999999999999999999', false],
    ['30.000000000000000000001', true],
  ];
  const invoice = JSON.stringify(FULL_INVOICE);
  return [
    ...bodies.map(([name, body, field]): WholeBody => ({ name, json: JSON.stringify(body), field })),
    ...fine.map(([name, body]): WholeBody => ({ name, json: JSON.stringify(body), field: null })),
    ...numbers.map(
      ([written, isFine]): WholeBody => ({
        name: `a term of ${written}`,
        json: invoice.replace('"term":30', `"term":${written}`),
        field: isFine ? null : 'payments[0].term',
      }),
    ),
    { name: 'a field twice, the last value wrong', json: `${invoice.slice(0, -1)},"items":[]}`, field: 'items' },
    { name: 'a field twice, the last value right', json: `{"items":[],${invoice.slice(1)}`, field: null },
    { name: 'a name written in escapes', json: invoice.replace('"tip"', '"\\u0074ip"'), field: null },
    { name: 'a text written in escapes', json: invoice.replace('María', '\\u004dar\\u00eda'), field: null },
    { name: 'half a pair written in escapes', json: invoice.replace('María', '\\ud83d'), field: 'buyer.name' },
    { name: 'NUL written in escapes', json: invoice.replace('María', '\\u0000'), field: 'buyer.name' },
    { name: 'a pair written in escapes', json: invoice.replace('María', '\\ud83d\\ude00'), field: null },
  ];
}
