import { describe, expect, it } from 'vitest';
import { CONTEXT } from '../../testing/judged-bodies.js';
import { SAMPLE_INVOICE } from '../../testing/sample-bodies.js';
import { prepareDocument } from '../prepare.js';
import { createTaxSharer, lineSubtotal, taxOf } from './totals.js';

describe('sums', () => {
  it.each([
    { quantity: 1_000000n, price: 10_000000n, discount: 0n, expected: 1000n },
    { quantity: 3_000000n, price: 7_333333n, discount: 150n, expected: 2050n },
    { quantity: 1_000000n, price: 5000n, discount: 0n, expected: 1n },
    { quantity: 1_000000n, price: 4999n, discount: 0n, expected: 0n },
    { quantity: 1n, price: 1n, discount: 0n, expected: 0n },
    { quantity: 1_000000n, price: 1_000000n, discount: 200n, expected: -100n },
  ])('computes the sum of a line: $quantity × $price − $discount', ({ quantity, price, discount, expected }) => {
    expect(lineSubtotal(quantity, price, discount)).toBe(expected);
  });

  it.each([
    { name: '15 % of 14.50', base: 1450n, rate: 1500n, basis: 'value', expected: 218n },
    { name: '12 % of 1.41, the case of an error 52', base: 141n, rate: 1200n, basis: 'value', expected: 17n },
    { name: '2 cents a bottle, 12 bottles', base: 1200n, rate: 2n, basis: 'unit', expected: 24n },
  ] as const)('computes the sum of a tax: $name', ({ base, rate, basis, expected }) => {
    expect(taxOf(base, rate, basis)).toBe(expected);
  });

  it('computes the tax of a group from its base and rate, however the lines round', () => {
    const share = createTaxSharer();
    const lines = Array.from({ length: 100 }, () => share('2:4', 10n, 1500n, 'value'));
    expect(lines.slice(0, 4)).toEqual([2n, 1n, 2n, 1n]);
    expect(lines.reduce((total, tax) => total + tax, 0n)).toBe(taxOf(1000n, 1500n, 'value'));
  });
});

describe('absent sums', () => {
  const [item] = SAMPLE_INVOICE.items;
  const prepare = (taxes: readonly object[], change: object = {}) =>
    prepareDocument(
      { ...SAMPLE_INVOICE, items: [{ ...item, taxes, ...change }], payments: [{ method: '01' }] },
      CONTEXT,
    );
  const iva = { code: '2', rateCode: '4', rate: '15' };

  it('computes absent sums: base, tax, and the one payment', () => {
    const document = prepare([iva]);
    expect(document.items[0]?.taxes).toMatchObject([{ taxableBase: 1450n, taxAmount: 218n }]);
    expect(document).toMatchObject({ total: '16.68', payments: [{ total: 1668n }] });
  });

  it('includes ICE in the base of IVA, in any position', () => {
    const ice = { code: '3', rateCode: '3101', rate: '10' };
    expect(prepare([iva, ice]).items[0]?.taxes).toMatchObject([
      { code: '2', taxableBase: 1595n, taxAmount: 239n },
      { code: '3', taxableBase: 1450n, taxAmount: 145n },
    ]);
  });

  it.each([
    { quantity: '12', taxableBase: 1200n, taxAmount: 24n },
    { quantity: '12.255', taxableBase: 1226n, taxAmount: 25n },
  ])('counts $quantity bottles for IRBPNR', ({ quantity, ...tax }) => {
    const taxes = [iva, { code: '5', rateCode: '5001', rate: '0.02' }];
    expect(prepare(taxes, { quantity, unitPrice: '1' })).toMatchObject({ items: [{ taxes: [{}, tax] }] });
  });

  it('computes absent sums from the given ones', () => {
    expect(prepare([{ ...iva, taxableBase: '10.00' }]).taxTotals).toMatchObject([
      { taxableBase: 1000n, taxAmount: 150n },
    ]);
    expect(prepare([{ ...iva, taxAmount: '2.17' }]).taxTotals).toMatchObject([{ taxableBase: 1450n, taxAmount: 217n }]);
  });

  it.each([
    {
      name: 'by unit, without its base',
      tax: { rateCode: '3680', rate: '0.08' },
      field: 'items[0].taxes[1].taxableBase',
    },
    {
      name: 'by litre of alcohol',
      tax: { rateCode: '3031', rate: '75', taxableBase: '1' },
      field: 'items[0].taxes[1].taxAmount',
    },
    {
      name: 'of a code outside the table',
      tax: { rateCode: '3999', rate: '5', taxableBase: '1' },
      field: 'items[0].taxes[1].taxAmount',
    },
  ])('requires sums where ICE cannot be computed from the line: $name', ({ tax, field }) => {
    expect(() => prepare([iva, { code: '3', ...tax }])).toThrow(
      expect.objectContaining({ failures: [expect.objectContaining({ field, rule: 'required' })] }),
    );
  });

  it('requires the sums of two payments', () => {
    const body = { ...SAMPLE_INVOICE, payments: [{ method: '01', total: '1.00' }, { method: '20' }] };
    expect(() => prepareDocument(body, CONTEXT)).toThrow(
      expect.objectContaining({
        failures: [expect.objectContaining({ field: 'payments[1].total', rule: 'required' })],
      }),
    );
  });

  it('joins lines of one code, without a common rate when their rates differ', () => {
    const line = (rate: string) => ({ ...item, taxes: [iva, { code: '3', rateCode: '3610', rate }] });
    const { taxTotals } = prepareDocument(
      { ...SAMPLE_INVOICE, items: [line('10'), line('20')], payments: [{ method: '01' }] },
      CONTEXT,
    );
    expect(taxTotals).toMatchObject([
      { code: '2', rate: 1500n },
      { code: '3', rate: null, taxableBase: 2900n, taxAmount: 435n },
    ]);
  });
});
