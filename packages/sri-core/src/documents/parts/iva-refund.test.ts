import { describe, expect, it } from 'vitest';
import { findSumFaults } from '../../sri/rules/content.js';
import { checkStructure } from '../../sri/rules/reception.js';
import { CONTEXT, failuresOf, submissionOf, write } from '../../testing/judged-bodies.js';
import { hasSchemas, schemaComplaints } from '../../testing/official-schemas.js';
import { CREDIT_NOTE_EXAMPLE } from '../credit-note/examples.js';
import { DEBIT_NOTE_EXAMPLE } from '../debit-note/examples.js';
import { INVOICE_EXAMPLE } from '../invoice/examples.js';
import { prepareDocument } from '../prepare.js';
import { readFigures } from '../read-figures.js';
import { type DocumentBody, documentTypeOf, uncheckedBody } from '../registry.js';

const elderly = { ...INVOICE_EXAMPLE.buyer, idType: '05', id: '1710034065' } as const;
const line = {
  mainCode: 'MED-1',
  description: 'Medicina',
  quantity: '1',
  unitPrice: '10.00',
  taxes: [{ code: '2', rateCode: '4', rate: '15.00' }],
} as const;
const reason = { reason: 'Ajuste', amount: '10.00', taxes: line.taxes } as const;

const bodies: readonly DocumentBody[] = [
  { documentType: '01', buyer: elderly, items: [line], payments: [{ method: '01' }], ivaRefund: '1.20' },
  {
    documentType: '04',
    buyer: elderly,
    originalDocument: CREDIT_NOTE_EXAMPLE.originalDocument,
    motivo: 'Devolución',
    items: [line],
    ivaRefund: '1.20',
  },
  {
    documentType: '05',
    buyer: elderly,
    originalDocument: DEBIT_NOTE_EXAMPLE.originalDocument,
    reasons: [reason],
    payments: [{ method: '01' }],
    ivaRefund: '1.20',
  },
];

describe.each(bodies)('the IVA refund of a document of type $documentType', (body) => {
  it('the IVA refund lowers the total and its payment, and stands with the taxed IVA', () => {
    const prepared = prepareDocument(body, CONTEXT);
    expect(prepared).toMatchObject({ total: '10.30', warnings: [] });
    const xml = write(body);
    expect(xml).toContain('<valor>1.50</valor><valorDevolucionIva>1.20</valorDevolucionIva>');
    const submission = submissionOf(xml);
    expect(checkStructure(submission, 'production')).toBeNull();
    expect(findSumFaults(submission, 'refuses')).toEqual([]);
    if (hasSchemas()) expect(schemaComplaints(documentTypeOf(body.documentType).schema(prepared), [xml])).toBe('');
  });

  it('the IVA refund is refused for a buyer without a cédula, and above the tax', () => {
    expect(failuresOf({ ...body, buyer: { ...elderly, idType: '04', id: '1790012345001' } })).toEqual([
      'ivaRefund refundBuyer',
    ]);
    expect(failuresOf({ ...body, ivaRefund: '1.50' })).toEqual([]);
    expect(failuresOf({ ...body, ivaRefund: '1.51' })).toEqual(['ivaRefund maxAmount']);
  });

  it('the IVA refund goes to the rates in their order, each up to its tax', () => {
    const reduced = [
      { code: '3', rateCode: '3101', rate: '10.00' },
      { code: '2', rateCode: '5', rate: '5.00' },
    ];
    const mixed = {
      ...body,
      ...('items' in body
        ? { items: [{ ...line, taxes: reduced }, line] }
        : { reasons: [{ ...reason, taxes: reduced }, reason] }),
    };
    const prepared = prepareDocument(uncheckedBody(mixed), CONTEXT);
    expect(prepared).toMatchObject({ total: '21.85', taxTotals: [{}, { refund: 55n }, { refund: 65n }] });
    expect(prepared).not.toHaveProperty('taxTotals[0].refund');
    const xml = write(mixed);
    const submission = submissionOf(xml);
    expect(checkStructure(submission, 'production')).toBeNull();
    expect(findSumFaults(submission, 'refuses')).toEqual([]);
    expect(readFigures(xml).ivaRefund).toBe('1.20');
    expect(failuresOf({ ...mixed, ivaRefund: '2.06' })).toEqual(['ivaRefund maxAmount']);
  });

  it('an IVA refund without a taxed IVA is refused, and a refund of zero is absent', () => {
    const untaxed = [{ code: '2', rateCode: '0', rate: '0' }];
    const zeroRated = {
      ...body,
      ...('items' in body ? { items: [{ ...line, taxes: untaxed }] } : { reasons: [{ ...reason, taxes: untaxed }] }),
    };
    expect(failuresOf(zeroRated)).toEqual(['ivaRefund refundTax']);
    expect(failuresOf({ ...zeroRated, ivaRefund: '0.00' })).toEqual([]);
  });
});
