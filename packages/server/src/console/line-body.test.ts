import fc from 'fast-check';
import { formatDecimal, MONEY_SCALE, parseDecimal, prepareDocument, type Scaled } from 'sri-core';
import type { InvoiceInput } from 'sri-core/client';
import { describe, expect, it } from 'vitest';
import { fillSums } from '../cli/client/fill-sums.js';

type Item = InvoiceInput['items'][number];
interface Typed {
  readonly mainCode: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly discount: string;
  readonly rateCode: string;
  readonly rate: string;
}

/** The module as the console's pages load it. */
const { toLine, whatChanges } = (await import(new URL('../../console/line-body.js', import.meta.url).href)) as {
  toLine: (
    typed: Typed,
    carried: Item | null,
    shareTax: unknown,
  ) => { item: Item; base: bigint; taxes: readonly { amount: bigint }[] } | null;
  whatChanges: (carried: Item | null) => 'everything' | 'quantity' | 'nothing';
};
const { createTaxSharer } = (await import(new URL('../../console/money.js', import.meta.url).href)) as {
  createTaxSharer: () => unknown;
};

const ISSUER = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
const TODAY = new Date().toLocaleDateString('en-GB', { timeZone: 'America/Guayaquil' });
const BUYER = { idType: '05', id: '1710034065', name: 'María', email: 'maria@example.com', address: 'Quito' } as const;

const IVA = { code: '2', rateCode: '4', rate: '15' };
const OLD_IVA = { code: '2', rateCode: '2', rate: '12' };
const EXEMPT = { code: '2', rateCode: '0', rate: '0' };
const BOTTLES = { code: '5', rateCode: '5001', rate: '0.02' };
/** 10 % of the value. */
const ICE = { code: '3', rateCode: '3101', rate: '10' };
/** Its base is another one: the form cannot know it. */
const MIXED_ICE = { code: '3', rateCode: '3610', rate: '20', taxableBase: '7.35', taxAmount: '1.47' };

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => formatDecimal(BigInt(value), 2));
const pairs = fc.array(fc.record({ name: fc.constantFrom('Lote', 'Año'), value: fc.constantFrom('A-1', '2026') }), {
  minLength: 1,
  maxLength: 3,
});
const taxes = fc.constantFrom(
  [IVA],
  [EXEMPT],
  [OLD_IVA],
  [IVA, BOTTLES],
  [BOTTLES, IVA],
  [IVA, ICE],
  [ICE, BOTTLES, IVA],
  [IVA, MIXED_ICE],
  [
    { ...IVA, taxableBase: '0.01', taxAmount: '0.00' },
    { ...EXEMPT, taxableBase: '0.02', taxAmount: '0.00' },
  ],
  [ICE],
);
const items = fc.record(
  {
    mainCode: fc.constantFrom('A', 'B-2'),
    auxiliaryCode: fc.constantFrom('7861234567890', 'X'),
    description: fc.constantFrom('Café', 'Gaseosa'),
    quantity: fc.oneof(cents(100_000), fc.constantFrom('1', '2.000000', '7.352941')),
    unitPrice: cents(1_000_000),
    discount: fc.constantFrom('0.00', '0.01', null),
    additionalDetails: pairs,
    taxes,
  },
  { requiredKeys: ['mainCode', 'description', 'quantity', 'unitPrice', 'taxes'] },
);
const invoices = fc
  .record(
    {
      documentType: fc.constant('01'),
      buyer: fc.constant(BUYER),
      guiaRemision: fc.constant('001-002-000000123'),
      items: fc.array(items, { minLength: 1, maxLength: 8 }),
      tip: fc.constantFrom('0.00', '1.50'),
      payments: fc.constantFrom(
        [{ method: '20', term: 30, termUnit: 'dias' }],
        [
          { method: '01', total: '1.00' },
          { method: '19', total: '2.00', term: 3, termUnit: 'meses' },
        ],
      ),
      additionalInfo: pairs,
    },
    { requiredKeys: ['documentType', 'buyer', 'items', 'payments'] },
  )
  // A line with a discount above its value is not a valid line.
  .filter((body) => body.items.every(({ quantity, unitPrice }) => Number(quantity) * Number(unitPrice) >= 0.02));

const prepared = <const Body>(body: Body) =>
  prepareDocument(body, { issuer: ISSUER, today: TODAY.split('/').toReversed().join('-') });
/** A line as in the fields of the form. */
const shown = (item: Item): Typed => {
  const iva = item.taxes.find(({ code }) => code === '2');
  const { mainCode, description, quantity, unitPrice } = item;
  return {
    mainCode,
    description,
    quantity,
    unitPrice,
    discount: item.discount ?? '',
    rateCode: iva?.rateCode ?? '4',
    rate: iva?.rate ?? '15',
  };
};
const creditNote = (items: readonly unknown[]) => ({
  documentType: '04' as const,
  buyer: BUYER,
  originalDocument: { documentType: '01', number: '001-001-000000001', issueDate: TODAY },
  motivo: 'Devolución',
  items,
});
const withSums = (body: unknown) => fillSums(body) as InvoiceInput;
const money = (text: string): Scaled => parseDecimal(text, MONEY_SCALE);

describe('a credit note on an invoice, created by the form of the console', () => {
  it('copies every unchanged line: taxes, details, codes, to the cent', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const original = withSums(invoice);
        const share = createTaxSharer();
        const lines = original.items.map((item) => toLine(shown(item), item, share));
        expect(lines.map((line) => line?.item)).toEqual(original.items);
        const whole = prepared(original);
        const tip = money(invoice.tip ?? '0');
        const note = prepared(creditNote(lines.map((line) => line?.item)));
        expect(money(note.total)).toBe(money(whole.total) - tip);
        expect([note.taxTotals, note.items]).toEqual([whole.taxTotals, whole.items]);
        // The total in the form equals the total that the server computes.
        const sum = lines.reduce(
          (all, line) => (line?.taxes ?? []).reduce((more, { amount }) => more + amount, all + (line?.base ?? 0n)),
          0n,
        );
        expect(sum).toBe(money(note.total));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps every tax of a partial line, in proportion, with bases that the server accepts', () => {
    fc.assert(
      fc.property(invoices, cents(100_000), (invoice, quantity) => {
        const original = withSums(invoice);
        const changeable = original.items.filter((item) => whatChanges(item) !== 'nothing');
        const share = createTaxSharer();
        const lines = changeable.map((item) => toLine({ ...shown(item), quantity }, item, share));
        const whole = lines.flatMap((line) => line ?? []);
        for (const [index, line] of lines.entries()) {
          const { auxiliaryCode, additionalDetails, taxes: before } = changeable[index] as Item;
          if (line === null) continue;
          expect(line.item).toMatchObject({ quantity, ...(auxiliaryCode ? { auxiliaryCode } : {}) });
          expect(line.item.additionalDetails).toEqual(additionalDetails);
          const named = (each: Item['taxes']) => each.map(({ code, rateCode }) => `${code}:${rateCode}`);
          expect(named(line.item.taxes)).toEqual(named(before));
        }
        if (whole.length === 0) return;
        const { warnings } = prepared(creditNote(whole.map(({ item }) => item)));
        const doubts = warnings.filter(({ code }) => code === 'LINE_BASE_MISMATCH' || code === 'TAX_MISMATCH');
        expect(doubts).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('credits half of ICE and of bottles with half of the line', () => {
    const [item] = withSums({
      documentType: '01',
      buyer: BUYER,
      items: [{ mainCode: 'A', description: 'Gaseosa', quantity: '10', unitPrice: '5', taxes: [ICE, BOTTLES, IVA] }],
      payments: [{ method: '01' }],
    }).items as [Item];
    expect(whatChanges(item)).toBe('quantity');
    const line = toLine({ ...shown(item), quantity: '5,0' }, item, createTaxSharer());
    expect(line?.item).toMatchObject({
      quantity: '5.0',
      taxes: [
        { code: '3', taxableBase: '25.00', taxAmount: '2.50' },
        { code: '5', taxableBase: '5.00', taxAmount: '0.10' },
        { code: '2', taxableBase: '27.50', taxAmount: '4.13' },
      ],
    });
  });

  it('omits the given total of a line once its quantity changes', () => {
    const tax = { ...IVA, taxableBase: '20.00', taxAmount: '3.00' };
    const fuel = {
      mainCode: 'A',
      description: 'Ecopaís',
      quantity: '7.35',
      unitPrice: '2.72',
      total: '20.00',
      taxes: [tax],
    };
    const item = fuel as Item;
    expect(toLine(shown(item), item, createTaxSharer())).toMatchObject({ item: fuel, base: 2000n });
    const half = toLine({ ...shown(item), quantity: '3.5' }, item, createTaxSharer());
    expect(half?.item).not.toHaveProperty('total');
    expect(half).toMatchObject({ base: 952n, item: { taxes: [{ taxableBase: '9.52', taxAmount: '1.43' }] } });
  });

  it.each([
    { name: 'a line of one IVA', of: [IVA], changes: 'everything' },
    { name: 'a line with ICE', of: [IVA, ICE], changes: 'quantity' },
    { name: 'a line of two rates of IVA', of: [IVA, EXEMPT], changes: 'nothing' },
    { name: 'a line of ICE alone', of: [ICE], changes: 'nothing' },
  ])('allows to change $changes of $name', ({ of, changes }) => {
    expect(whatChanges({ taxes: of } as unknown as Item)).toBe(changes);
  });

  it('creates no line from an incomplete one', () => {
    const typed = {
      mainCode: 'A',
      description: 'x',
      quantity: '',
      unitPrice: '1',
      discount: '',
      rateCode: '4',
      rate: '15',
    };
    expect(toLine(typed, null, createTaxSharer())).toBeNull();
    expect(toLine({ ...typed, quantity: '1' }, null, createTaxSharer())?.item).toEqual({
      mainCode: 'A',
      description: 'x',
      quantity: '1',
      unitPrice: '1',
      taxes: [{ ...IVA, taxableBase: '1.00', taxAmount: '0.15' }],
    });
  });
});

describe('the value of a line', () => {
  it.each([
    { quantity: '0.05', unitPrice: '0.10', discount: '0.01', base: null },
    { quantity: '0.05', unitPrice: '0.12', discount: '0.01', base: 0n },
    { quantity: '0.05', unitPrice: '0.30', discount: '0.01', base: 1n },
  ])('equals that of the server: $quantity × $unitPrice − $discount', ({ base, ...typed }) => {
    const line = toLine(
      { ...typed, mainCode: 'A', description: 'x', rateCode: '4', rate: '15' },
      null,
      createTaxSharer(),
    );
    expect(line?.base ?? null).toBe(base);
    const item = { mainCode: 'A', description: 'x', ...typed, taxes: [IVA] };
    const judge = () => prepared(creditNote([item])).items[0]?.subtotal;
    if (base === null) expect(judge).toThrow('descuento');
    else expect(judge()).toBe(base);
  });
});

describe('the sums that the command line fills in', () => {
  it('keep the rest of a body, and create the same document', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const filled = withSums(invoice);
        expect(filled).toMatchObject(invoice);
        expect(prepared(filled)).toEqual(prepared(invoice));
        expect(withSums(filled)).toEqual(filled);
      }),
      { numRuns: 200 },
    );
  });

  it('replace empty texts too', () => {
    const tax = { ...IVA, taxableBase: '', taxAmount: ' ' };
    const line = { mainCode: 'A', description: 'x', quantity: '1', unitPrice: '1', taxes: [tax] };
    const body = { documentType: '01', buyer: BUYER, items: [line], payments: [{ method: '01', total: '' }] };
    expect(withSums(body)).toMatchObject({
      items: [{ taxes: [{ taxableBase: '1.00', taxAmount: '0.15' }] }],
      payments: [{ total: '1.15' }],
    });
  });
});
