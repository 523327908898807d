import { describe, expect, it } from 'vitest';
import type { ValidationError } from '../errors.js';
import { CONTEXT, failuresOf } from '../testing/judged-bodies.js';
import { SAMPLE_CREDIT_NOTE, SAMPLE_INVOICE } from '../testing/sample-bodies.js';
import { MAX_FINDINGS } from './findings.js';
import { prepareDocument } from './prepare.js';

const [ITEM] = SAMPLE_INVOICE.items;
const [TAX] = ITEM.taxes;
const reported = (body: unknown) =>
  prepareDocument(body, CONTEXT).warnings.map(({ code, field, params }) => [code, field, params?.['nearest'] ?? null]);
const invoice = (change: object) => ({ ...SAMPLE_INVOICE, ...change });
const item = (change: object) => invoice({ items: [ITEM, { ...ITEM, ...change }], payments: [{ method: '01' }] });

describe('an unknown field', () => {
  it.each([
    { name: 'at the top', body: invoice({ tipp: '1' }), field: 'tipp', nearest: 'tip' },
    { name: 'without a close name', body: invoice({ color: 'red' }), field: 'color', nearest: null },
    { name: 'in other letters', body: invoice({ GuiaRemision: 'x' }), field: 'GuiaRemision', nearest: 'guiaRemision' },
    { name: 'in Spanish', body: item({ descripcion: 'x' }), field: 'items[1].descripcion', nearest: 'description' },
    {
      name: 'of the buyer',
      body: invoice({ buyer: { ...SAMPLE_INVOICE.buyer, adress: 'x' } }),
      field: 'buyer.adress',
      nearest: 'address',
    },
    { name: 'of a line', body: item({ discuont: '1' }), field: 'items[1].discuont', nearest: 'discount' },
    {
      name: 'of a tax',
      body: item({ taxes: [{ ...TAX, taxBase: '1' }] }),
      field: 'items[1].taxes[0].taxBase',
      nearest: null,
    },
    {
      name: 'of a detail',
      body: item({ additionalDetails: [{ name: 'a', value: 'b', valu: 'c' }] }),
      field: 'items[1].additionalDetails[0].valu',
      nearest: 'value',
    },
    {
      name: 'of a payment',
      body: invoice({ payments: [{ ...SAMPLE_INVOICE.payments[0], termUnits: 'dias' }] }),
      field: 'payments[0].termUnits',
      nearest: 'termUnit',
    },
    {
      name: 'of the original',
      body: { ...SAMPLE_CREDIT_NOTE, originalDocument: { ...SAMPLE_CREDIT_NOTE.originalDocument, numbre: 'x' } },
      field: 'originalDocument.numbre',
      nearest: 'number',
    },
    { name: 'of the other document', body: { ...SAMPLE_CREDIT_NOTE, tip: '1' }, field: 'tip', nearest: null },
  ])('an unknown field $name has a warning with the closest name', ({ body, field, nearest }) => {
    expect(reported(body)).toEqual([['UNKNOWN_FIELD', field, nearest]]);
  });

  it('an unknown field has its message in both languages', () => {
    const messages = (language: 'es' | 'en') =>
      prepareDocument(invoice({ tipp: '1', color: 'x' }), { ...CONTEXT, language }).warnings.map(
        ({ message }) => message,
      );
    expect(messages('es')).toEqual([
      'No es un campo del documento: se ignora. ¿Quiso decir «tip»?',
      'No es un campo del documento: se ignora.',
    ]);
    expect(messages('en')).toEqual([
      'Is not a field of the document: it is ignored. Did you mean «tip»?',
      'Is not a field of the document: it is ignored.',
    ]);
  });

  it('an unknown field does not change the document', () => {
    const { warnings: _, ...plain } = prepareDocument(SAMPLE_INVOICE, CONTEXT);
    expect(prepareDocument(invoice({ color: 'red', taxes: [1] }), CONTEXT)).toMatchObject(plain);
  });

  it('an unknown field is a failure in strict checking, next to all others', () => {
    const refusal = (body: unknown) => failuresOf(body, { strict: true });
    expect(refusal(invoice({ tipp: '1' }))).toEqual(['tipp unknownField']);
    const { description: _, ...line } = ITEM;
    expect(refusal(invoice({ items: [{ ...line, descripton: 'x' }] }))).toEqual([
      'items[0].description required',
      'items[0].descripton unknownField',
    ]);
    expect(refusal({ ...SAMPLE_CREDIT_NOTE, motivo: '', tip: '1' })).toEqual(['motivo minLength', 'tip unknownField']);
  });

  it('an unknown field of value undefined does not count', () => {
    expect(reported(invoice({ tipp: undefined }))).toEqual([]);
  });

  it('a body of known fields has no warning', () => {
    expect([
      reported(SAMPLE_INVOICE),
      reported(SAMPLE_CREDIT_NOTE),
      reported(item({ auxCode: 'x', total: '14.50' })),
    ]).toEqual([[], [], []]);
  });
});

describe('many unknown fields', () => {
  const many = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]));

  it.each([true, false])('reports 50 unknown fields at most (strict %s)', (strict) => {
    const body = item(many(200_000, (index) => `f${index}`));
    let count = 0;
    try {
      count = prepareDocument(body, { ...CONTEXT, strict }).warnings.length;
    } catch (error) {
      count = (error as ValidationError).failures.length;
    }
    expect(count).toBe(MAX_FINDINGS);
  });

  it('reads each unknown field once, and no more fields than it reports', () => {
    let reads = 0;
    const names = Array.from({ length: 5000 }, (_, index) => `descripton${index}`);
    const counted = new Proxy(
      many(5000, (index) => names[index] ?? ''),
      {
        get(target, name) {
          if (typeof name === 'string' && name in target) reads += 1;
          return Reflect.get(target, name);
        },
      },
    );
    expect(reported(new Proxy(invoice({ buyer: Object.assign(counted, SAMPLE_INVOICE.buyer) }), {}))).toHaveLength(50);
    // The reported fields, and the known fields of the buyer, which is copied for several checks.
    expect(reads).toBeLessThanOrEqual(100);
  });

  it('cuts long names of unknown fields, and shows them without control characters', () => {
    const warnings = reported(invoice({ ['x'.repeat(1_000_000)]: 1, '\u001b[31mred\u0000': 1 }));
    expect(warnings).toEqual([
      ['UNKNOWN_FIELD', `${'x'.repeat(60)}…`, null],
      ['UNKNOWN_FIELD', '?[31mred?', null],
    ]);
  });
});

describe('a hostile body', () => {
  it('validates a hostile body without its unreadable names or fields', () => {
    const boom = () => {
      throw new Error('boom');
    };
    const noNames = new Proxy({ ...SAMPLE_INVOICE.buyer }, { ownKeys: boom });
    expect(reported(invoice({ buyer: noNames }))).toEqual([]);
    const trap = Object.defineProperty({ ...SAMPLE_INVOICE }, 'odd', { get: boom, enumerable: true });
    expect(reported(trap)).toEqual([]);
  });
});
