import { describe, expect, it } from 'vitest';
import { CONTEXT, failuresOf } from '../testing/judged-bodies.js';
import { SAMPLE_CREDIT_NOTE, SAMPLE_INVOICE } from '../testing/sample-bodies.js';
import { MAX_FINDINGS } from './findings.js';
import { WARNING_RULES, type Warning } from './messages.js';
import { prepareDocument } from './prepare.js';

const [ITEM] = SAMPLE_INVOICE.items;
const [TAX] = ITEM.taxes;

const warningsOf = (body: unknown) => prepareDocument(body, CONTEXT).warnings;
const reported = (warnings: readonly Warning[]) => warnings.map(({ field, code }) => `${field} ${code}`);
const invoice = (change: object) => ({ ...SAMPLE_INVOICE, ...change });
/** An invoice of one line with a computed payment. */
const priced = (item: object) => invoice({ items: [{ ...ITEM, ...item }], payments: [{ method: '20' }] });
const taxed = (tax: object) => priced({ taxes: [{ ...TAX, ...tax }] });
const buyer = (change: object) => invoice({ buyer: { ...SAMPLE_INVOICE.buyer, ...change } });
const credit = (issueDate: string, tax: object) => ({
  ...SAMPLE_CREDIT_NOTE,
  originalDocument: { ...SAMPLE_CREDIT_NOTE.originalDocument, issueDate },
  items: [{ ...ITEM, taxes: [{ ...TAX, taxAmount: undefined, ...tax }] }],
});
const ice = { code: '3', rateCode: '3101', rate: '10', taxableBase: '14.50', taxAmount: '1.45' };

describe('warnings that do not stop a document', () => {
  it.each([
    { name: 'no warning for a base a cent off', body: taxed({ taxableBase: '14.51' }), warnings: [] },
    {
      name: 'a base two cents off',
      body: taxed({ taxableBase: '14.52' }),
      warnings: ['items[0].taxes[0].taxableBase LINE_BASE_MISMATCH'],
    },
    {
      name: 'a base without the ICE that belongs to it',
      body: priced({ taxes: [ice, TAX] }),
      warnings: ['items[0].taxes[1].taxableBase LINE_BASE_MISMATCH'],
    },
    {
      name: 'a base with ICE',
      body: priced({ taxes: [{ ...TAX, taxableBase: '15.95', taxAmount: '2.39' }, ice] }),
      warnings: [],
    },
    {
      name: 'a line with two rates whose bases add up to the line',
      body: priced({
        taxes: [
          { ...TAX, taxableBase: '10', taxAmount: '1.50' },
          { code: '2', rateCode: '0', rate: '0', taxableBase: '4.50', taxAmount: '0' },
        ],
      }),
      warnings: [],
    },
    {
      name: 'building materials with a code that table 31 does not have',
      body: priced({ taxes: [{ code: '2', rateCode: '5', rate: '5' }] }),
      warnings: ['items[0].auxiliaryCode BUILDING_MATERIAL_CODE'],
    },
    {
      name: 'building materials with their code',
      body: priced({ auxiliaryCode: 'F010101', taxes: [{ code: '2', rateCode: '5', rate: '5' }] }),
      warnings: [],
    },
    { name: 'no warning for a tax a cent off', body: taxed({ taxAmount: '2.17' }), warnings: [] },
    {
      name: 'a tax two cents off',
      body: taxed({ taxAmount: '2.20' }),
      warnings: ['items[0].taxes[0].taxAmount TAX_MISMATCH'],
    },
    {
      name: "the base and amount of ICE are the caller's",
      body: priced({
        taxes: [
          { ...ice, taxableBase: '3', taxAmount: '9' },
          { ...TAX, taxableBase: '23.50', taxAmount: '3.53' },
        ],
      }),
      warnings: [],
    },
    {
      name: 'payments a cent short',
      body: invoice({ payments: [{ method: '20', total: '16.67' }] }),
      warnings: ['payments PAYMENTS_MISMATCH'],
    },
    {
      name: 'payments that add up',
      body: invoice({
        payments: [
          { method: '20', total: '16.00' },
          { method: '01', total: '0.68' },
        ],
      }),
      warnings: [],
    },
    {
      name: 'another percentage',
      body: taxed({ rate: '12', taxAmount: '1.74' }),
      warnings: ['items[0].taxes[0].rate TAX_RATE_MISMATCH'],
    },
    {
      name: 'a code of another time',
      body: taxed({ rateCode: '2', rate: '12', taxAmount: '1.74' }),
      warnings: ['items[0].taxes[0].rateCode TAX_RATE_MISMATCH'],
    },
    {
      name: 'the bottle tax at another rate',
      body: priced({ taxes: [TAX, { code: '5', rateCode: '5001', rate: '0.03' }] }),
      warnings: ['items[0].taxes[1].rate TAX_RATE_MISMATCH'],
    },
    {
      name: 'a credit note at the rate of its original',
      body: credit('31/03/2024', { rateCode: '2', rate: '12' }),
      warnings: [],
    },
    {
      name: 'a credit note at the rate of today on an older original',
      body: credit('31/03/2024', {}),
      warnings: ['items[0].taxes[0].rateCode TAX_RATE_MISMATCH'],
    },
    { name: 'a cédula of nine digits', body: buyer({ id: '171003406' }), warnings: ['buyer.id ID_FORMAT'] },
    {
      name: 'a cédula with a wrong check digit',
      body: buyer({ id: '1710034064' }),
      warnings: ['buyer.id ID_CHECK_DIGIT'],
    },
    { name: 'a RUC of ten digits', body: buyer({ idType: '04', id: '1710034065' }), warnings: ['buyer.id ID_FORMAT'] },
    {
      name: "a person's RUC with a wrong check digit",
      body: buyer({ idType: '04', id: '1710034064001' }),
      warnings: ['buyer.id ID_CHECK_DIGIT'],
    },
    {
      name: "a company's RUC without the algorithm",
      body: buyer({ idType: '04', id: '1793213150001' }),
      warnings: ['buyer.id ID_CHECK_DIGIT'],
    },
    {
      name: 'a RUC that ends in other digits than 001',
      body: buyer({ idType: '04', id: '1710034065000' }),
      warnings: ['buyer.id ID_FORMAT'],
    },
    {
      name: 'a consumer with a number',
      body: buyer({ idType: '07', id: '1710034065' }),
      warnings: ['buyer.id ID_FORMAT'],
    },
    {
      name: 'the number of the final consumer under another type',
      body: buyer({ idType: '06', id: '9999999999999' }),
      warnings: ['buyer.id ID_FORMAT'],
    },
    { name: 'a passport of any form', body: buyer({ idType: '06', id: 'Ñ-1' }), warnings: [] },
    {
      name: 'a consumer up to the limit',
      body: {
        ...priced({
          quantity: '1',
          unitPrice: '50.00',
          discount: '0',
          taxes: [{ code: '2', rateCode: '0', rate: '0' }],
        }),
        buyer: { ...SAMPLE_INVOICE.buyer, idType: '07', id: '9999999999999' },
      },
      warnings: [],
    },
    {
      name: 'a consumer above it',
      body: {
        ...priced({
          quantity: '1',
          unitPrice: '50.01',
          discount: '0',
          taxes: [{ code: '2', rateCode: '0', rate: '0' }],
        }),
        buyer: { ...SAMPLE_INVOICE.buyer, idType: '07', id: '9999999999999' },
      },
      warnings: ['buyer.idType FINAL_CONSUMER_LIMIT'],
    },
    { name: 'a tip of a tenth', body: invoice({ tip: '1.45', payments: [{ method: '01' }] }), warnings: [] },
    {
      name: 'a tip above a tenth',
      body: invoice({ tip: '1.46', payments: [{ method: '01' }] }),
      warnings: ['tip TIP_LIMIT'],
    },
  ])('a document passes with its warnings: $name', ({ body, warnings }) => {
    expect(reported(warningsOf(body))).toEqual(warnings);
  });

  it('an older document at a rate of its day has no warning', () => {
    const former = taxed({ rateCode: '2', rate: '12', taxAmount: '1.74' });
    expect(prepareDocument(former, { ...CONTEXT, keepIssueDate: '2024-03-31' }).warnings).toEqual([]);
  });

  it('a warning states the expected value, in the requested language', () => {
    const body = taxed({ taxAmount: '2.20' });
    expect(warningsOf(body)).toEqual([
      {
        code: 'TAX_MISMATCH',
        field: 'items[0].taxes[0].taxAmount',
        message: 'El impuesto no es base × tarifa: se esperaba 2.18.',
        params: { expected: '2.18' },
      },
    ]);
    expect(prepareDocument(body, { ...CONTEXT, language: 'en' }).warnings[0]?.message).toBe(
      'The tax is not base × rate: expected 2.18.',
    );
  });

  it(`a document has up to ${MAX_FINDINGS} warnings`, () => {
    const items = Array(200).fill({ ...ITEM, taxes: [{ ...TAX, taxableBase: '1', taxAmount: '9' }] });
    expect(warningsOf(invoice({ items }))).toHaveLength(MAX_FINDINGS);
  });

  it('a document has a warning of each kind, however often another is repeated', () => {
    const items = Array(200).fill({ ...ITEM, taxes: [{ ...TAX, taxableBase: '1', taxAmount: '9' }] });
    const warnings = warningsOf(invoice({ items, payments: [{ method: '01', total: '1.00' }], tipp: '1.00' }));
    expect(warnings).toHaveLength(MAX_FINDINGS);
    expect(reported(warnings)).toEqual(expect.arrayContaining(['payments PAYMENTS_MISMATCH', 'tipp UNKNOWN_FIELD']));
    expect(new Set(warnings.map(({ code }) => code)).size).toBe(4);
  });
});

describe('strict checking', () => {
  const strict = true;

  it.each([
    { body: taxed({ taxableBase: '14.52' }), failure: 'items[0].taxes[0].taxableBase lineBaseMismatch' },
    { body: taxed({ taxAmount: '2.20' }), failure: 'items[0].taxes[0].taxAmount taxMismatch' },
    { body: taxed({ rate: '12', taxAmount: '1.74' }), failure: 'items[0].taxes[0].rate taxRateMismatch' },
    { body: invoice({ payments: [{ method: '20', total: '16.67' }] }), failure: 'payments paymentsMismatch' },
    { body: buyer({ id: '171003406' }), failure: 'buyer.id idFormat' },
    { body: buyer({ id: '1710034064' }), failure: 'buyer.id idCheckDigit' },
    { body: invoice({ tip: '1.46', payments: [{ method: '01' }] }), failure: 'tip tipLimit' },
  ])('strict checking turns $failure into a failure', ({ body, failure }) => {
    expect(failuresOf(body, { strict })).toEqual([failure]);
  });

  it('strict checking reports everything at once, sums included', () => {
    const body = invoice({
      items: [{ ...ITEM, taxes: [{ ...TAX, taxAmount: '2.20' }] }],
      buyer: { ...SAMPLE_INVOICE.buyer, id: '1710034064' },
      payments: [{ method: '20', total: '1.00' }],
      tip: '5.00',
    });
    expect(failuresOf(body, { strict })).toEqual([
      'buyer.id idCheckDigit',
      'items[0].taxes[0].taxAmount taxMismatch',
      'payments paymentsMismatch',
      'tip tipLimit',
    ]);
  });

  it("strict checking never rejects a company's RUC, because active ones follow no algorithm", () => {
    const body = buyer({ idType: '04', id: '1793213150001' });
    expect(prepareDocument(body, { ...CONTEXT, strict }).warnings).toMatchObject([{ code: 'ID_CHECK_DIGIT' }]);
  });

  it('strict checking reports its failures next to those of the shape', () => {
    expect(failuresOf({ ...buyer({ id: '1710034064' }), guiaRemision: 'x' }, { strict })).toEqual([
      'guiaRemision pattern',
      'buyer.id idCheckDigit',
    ]);
  });

  it('strict checking has a separate rule for each warning', () => {
    expect(new Set(Object.values(WARNING_RULES)).size).toBe(Object.keys(WARNING_RULES).length);
  });
});
