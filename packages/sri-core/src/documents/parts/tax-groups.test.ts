import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../errors.js';
import { parseDecimal } from '../../money.js';
import { CONTEXT, failuresOf } from '../../testing/judged-bodies.js';
import { SAMPLE_CREDIT_NOTE, SAMPLE_INVOICE } from '../../testing/sample-bodies.js';
import { prepareDocument } from '../prepare.js';
import { taxOf } from './totals.js';

const IVA = { code: '2', rateCode: '4', rate: '15' };
const line = (unitPrice: string, tax: object, quantity = '1') => ({
  mainCode: 'A',
  description: 'Chicle',
  quantity,
  unitPrice,
  taxes: [tax],
});
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const invoice = (items: readonly object[]) => ({ ...SAMPLE_INVOICE, items, payments: [{ method: '01' }] });
const groupWarnings = (body: unknown) =>
  prepareDocument(body, CONTEXT).warnings.filter(({ code }) => code === 'TAX_GROUP_MISMATCH');

/** Rounded one by one: 0.135 becomes 0.14. */
const HUNDRED_LINES = times(100, line('0.90', { ...IVA, taxableBase: '0.90', taxAmount: '0.14' }));

describe('a hundred lines of 0.90 at 15 %', () => {
  it('a hundred lines rounded one by one give a warning with both figures', () => {
    expect(prepareDocument(invoice(HUNDRED_LINES), CONTEXT).warnings).toEqual([
      {
        code: 'TAX_GROUP_MISMATCH',
        field: 'items[0].taxes[0]',
        message:
          'El impuesto de las líneas suma 14.00, y base × tarifa del grupo es 13.50: el SRI compara los dos (código 52).',
        params: { sum: '14.00', expected: '13.50' },
      },
    ]);
    const [warning] = prepareDocument(invoice(HUNDRED_LINES), { ...CONTEXT, language: 'en' }).warnings;
    expect(warning?.message).toMatch(/14\.00.*13\.50/);
  });

  it('a hundred lines rounded one by one give a warning in a credit note too', () => {
    const body = { ...SAMPLE_CREDIT_NOTE, items: HUNDRED_LINES };
    expect(groupWarnings(body)).toMatchObject([{ params: { sum: '14.00', expected: '13.50' } }]);
  });

  it('strict checking rejects a hundred lines rounded one by one', () => {
    expect(() => prepareDocument(invoice(HUNDRED_LINES), { ...CONTEXT, strict: true })).toThrow(ValidationError);
    expect(() => prepareDocument(invoice(HUNDRED_LINES), { ...CONTEXT, strict: true })).toThrow(/14\.00.*13\.50/);
  });

  it('a hundred lines add up to the group when the library computes their amounts', () => {
    const { taxTotals, warnings } = prepareDocument(invoice(times(100, line('0.90', IVA))), CONTEXT);
    expect(taxTotals).toMatchObject([{ taxableBase: 9000n, taxAmount: 1350n }]);
    expect(warnings).toEqual([]);
  });
});

describe('the tax of a group', () => {
  it.each([
    {
      name: 'may differ by a cent',
      items: times(2, line('0.90', { ...IVA, taxableBase: '0.90', taxAmount: '0.14' })),
      fields: [],
    },
    {
      name: 'may not differ by two cents',
      items: times(4, line('0.90', { ...IVA, taxableBase: '0.90', taxAmount: '0.14' })),
      fields: ['items[0].taxes[0]'],
    },
    {
      name: 'is named by its first line',
      items: [line('1', { code: '2', rateCode: '0', rate: '0' }), ...HUNDRED_LINES],
      fields: ['items[1].taxes[0]'],
    },
    {
      name: 'is checked for every rate separately',
      items: [
        ...HUNDRED_LINES,
        ...times(100, line('0.90', { code: '2', rateCode: '5', rate: '5', taxableBase: '0.90', taxAmount: '0.05' })),
      ],
      fields: ['items[0].taxes[0]', 'items[100].taxes[0]'],
    },
    {
      name: 'is not reported on top of a line with a wrong tax',
      items: [line('1.00', { ...IVA, taxableBase: '1.00', taxAmount: '0.17' }), ...HUNDRED_LINES],
      fields: [],
    },
    {
      name: 'of bottles is cents per bottle',
      items: [line('1', { code: '5', rateCode: '5001', rate: '0.02', taxableBase: '10', taxAmount: '0.30' })],
      fields: ['items[0].taxes[0]'],
    },
    {
      name: 'of ICE is given by the caller',
      items: [line('1', { code: '3', rateCode: '3101', rate: '10', taxableBase: '3', taxAmount: '9' })],
      fields: [],
    },
    {
      name: 'at two rates of one code has no rate to compare with',
      items: [...HUNDRED_LINES, line('1', { ...IVA, rate: '14', taxableBase: '1', taxAmount: '0.14' })],
      fields: [],
    },
  ])('the tax of a group $name', ({ items, fields }) => {
    expect(groupWarnings(invoice(items)).map(({ field }) => field)).toEqual(fields);
  });

  it('the tax of a group matches whenever the library computes the amounts, for any lines', () => {
    const rates = [
      IVA,
      { code: '2', rateCode: '5', rate: '5' },
      { code: '5', rateCode: '5001', rate: '0.02' },
    ] as const;
    const price = fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2));
    const lines = fc.array(fc.tuple(price, fc.constantFrom(...rates), fc.constantFrom('1', '3', '0.333333')), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(lines, (drawn) => {
        const items = drawn.map(([unitPrice, tax, quantity]) => ({
          ...line(unitPrice, tax, quantity),
          auxiliaryCode: 'F010101',
        }));
        const document = prepareDocument(invoice(items), CONTEXT);
        expect(document.warnings).toEqual([]);
        for (const { code, rate, taxableBase, taxAmount } of document.taxTotals) {
          expect(taxAmount).toBe(taxOf(taxableBase, rate ?? 0n, code === '5' ? 'unit' : 'value'));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a line sold for an amount', () => {
  const fuel = (change: object) =>
    invoice([{ ...line('2.72', IVA), description: 'Ecopaís', quantity: '7.352941', ...change }]);
  const fails = (change: object) => failuresOf(fuel(change));

  it('a line sold for an amount totals that amount', () => {
    // 7.35294 × 2.72 is 19.9999968, and 7.3529 × 2.72 is 19.999888: both are 20.00. At two decimals it is 19.99 or 20.02.
    expect(prepareDocument(fuel({ total: '20' }), CONTEXT)).toMatchObject({ subtotal: 2000n, total: '23.00' });
    const cut = { quantity: '7.35', total: '20.00' };
    expect(prepareDocument(fuel(cut), CONTEXT)).toMatchObject({ subtotal: 2000n, taxTotals: [{ taxableBase: 2000n }] });
    const bought = fuel({ quantity: '30', unitPrice: '1.333333', total: '40.00' });
    expect(prepareDocument(bought, CONTEXT).items[0]).toMatchObject({ subtotal: 4000n, unitPrice: 1_333_333n });
  });

  it('a line sold for an amount totals it after its discount', () => {
    expect(prepareDocument(fuel({ discount: '1.00', total: '19.00' }), CONTEXT).subtotal).toBe(1900n);
    expect(fails({ discount: '1.00', total: '20.00' })).toEqual(['items[0].total lineTotal']);
  });

  it.each([
    { name: 'off by a cent', change: { total: '20.01' }, failures: [] },
    { name: 'off by two cents', change: { total: '20.02' }, failures: ['items[0].total lineTotal'] },
    { name: 'three decimals', change: { total: '20.001' }, failures: ['items[0].total decimal'] },
    { name: 'a negative amount', change: { total: '-20.00' }, failures: ['items[0].total decimal'] },
    { name: 'a number', change: { total: 20 }, failures: ['items[0].total decimal'] },
    { name: 'null', change: { total: null }, failures: [] },
    { name: 'an empty text', change: { total: '' }, failures: [] },
    {
      name: 'the value of the price’s sixth decimal for a tanker',
      change: { quantity: '50000', unitPrice: '0.246913', total: '12345.67' },
      failures: [],
    },
    {
      name: 'more than that',
      change: { quantity: '50000', unitPrice: '0.246913', total: '12345.69' },
      failures: ['items[0].total lineTotal'],
    },
  ])('a line accepts or rejects its amount when it is $name', ({ change, failures }) => {
    expect(fails(change)).toEqual(failures);
  });

  it('a line reaches any amount with six decimals of quantity or price', () => {
    const cents = fc.integer({ min: 1, max: 500_000 });
    const micros = fc.integer({ min: 100_000, max: 9_999_999 });
    fc.assert(
      fc.property(cents, micros, fc.boolean(), (amount, known, isPriceKnown) => {
        const other = ((amount / 100) * 1e6) / (known / 1e6);
        const text = (value: number) => (Math.round(value) / 1e6).toFixed(6);
        const [price, quantity] = isPriceKnown ? [known, other] : [other, known];
        const total = (amount / 100).toFixed(2);
        const prepared = prepareDocument(fuel({ quantity: text(quantity), unitPrice: text(price), total }), CONTEXT);
        expect(prepared.subtotal).toBe(parseDecimal(total, 2));
      }),
      { numRuns: 300 },
    );
  });
});
