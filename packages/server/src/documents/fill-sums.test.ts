import fc from 'fast-check';
import { DOCUMENTS, prepareDocument } from 'sri-core';
import { expect, it } from 'vitest';
import { BUYER, invoices } from '../testing/random-invoices.js';
import { fillSums } from './fill-sums.js';

const ISSUER = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
const TODAY = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Guayaquil' });
const prepared = (body: unknown) => prepareDocument(body, { issuer: ISSUER, today: TODAY });

it('keeps the rest of a body, and creates the same document', () => {
  fc.assert(
    fc.property(invoices, (invoice) => {
      const filled = fillSums(invoice);
      expect(filled).toMatchObject(invoice);
      expect(prepared(filled)).toEqual(prepared(invoice));
      expect(fillSums(filled)).toEqual(filled);
    }),
    { numRuns: 200 },
  );
});

it('omits the total of a supporting document, which would stay when the taxes change', () => {
  const [, withholding] = DOCUMENTS['07'].examples;
  const filled = fillSums(withholding, 'es', '2026-11-21');
  expect(filled).toMatchObject({ supportingDocuments: [{ payments: [{ total: expect.any(String) }] }] });
  expect(filled).not.toHaveProperty('supportingDocuments[0].total');
});

it('replaces empty texts', () => {
  const tax = { code: '2', rateCode: '4', rate: '15', taxableBase: '', taxAmount: ' ' };
  const line = { mainCode: 'A', description: 'x', quantity: '1', unitPrice: '1', taxes: [tax] };
  const body = { documentType: '01', buyer: BUYER, items: [line], payments: [{ method: '01', total: '' }] };
  expect(fillSums(body)).toMatchObject({
    items: [{ taxes: [{ taxableBase: '1.00', taxAmount: '0.15' }] }],
    payments: [{ total: '1.15' }],
  });
});
