import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TAX } from '../../catalogs/tax-types.js';
import { findRefusal, findReturn, findWarnings } from '../../sri/rules/content.js';
import { CONTEXT, failuresOf, NUMBERING, submissionOf, warningsOf, write } from '../../testing/judged-bodies.js';
import { randomDebitNote } from '../../testing/random-bodies/debit-note.js';
import { RANDOM_TODAY, randomIssuer } from '../../testing/random-bodies.js';
import { judgeRandomDocuments } from '../../testing/random-documents.js';
import { expectSound, pagesOf, textsOf } from '../../testing/ride-picture.js';
import { fromCents, oneLine, toCents } from '../../testing/second-calculation.js';
import { hasSriExample, rewriteSriExample } from '../../testing/sri-examples.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { DebitNoteBody } from './body.js';
import { DEBIT_NOTE_EXAMPLE } from './examples.js';

const [FIRST] = DEBIT_NOTE_EXAMPLE.reasons;
const [TAXED] = [DEBIT_NOTE_EXAMPLE.reasons[1]];
const [IVA] = TAXED.taxes;

const note = (change: object) => ({ ...DEBIT_NOTE_EXAMPLE, ...change });
const reason = (change: object) => note({ reasons: [{ ...TAXED, ...change }], payments: [{ method: '20' }] });
const tax = (change: object) => reason({ taxes: [{ ...IVA, ...change }] });
const original = (change: object) => note({ originalDocument: { ...DEBIT_NOTE_EXAMPLE.originalDocument, ...change } });

describe('a rejected debit note', () => {
  it.each([
    { body: note({ buyer: { ...DEBIT_NOTE_EXAMPLE.buyer, idType: '07' } }), failures: ['buyer.idType finalConsumer'] },
    { body: note({ originalDocument: null }), failures: ['originalDocument required'] },
    { body: original({ issueDate: '22/11/2026' }), failures: ['originalDocument.issueDate notLater'] },
    { body: original({ number: '001001000000123' }), failures: ['originalDocument.number pattern'] },
    { body: original({ documentType: '99' }), failures: ['originalDocument.documentType catalog'] },
    { body: note({ reasons: undefined }), failures: ['reasons required'] },
    { body: note({ reasons: [] }), failures: ['reasons minItems'] },
    {
      body: { ...original({ issueDate: '22/11/2026' }), reasons: [] },
      failures: ['originalDocument.issueDate notLater', 'reasons minItems'],
    },
    { body: note({ reasons: Array(1001).fill(FIRST) }), failures: ['reasons maxItems'] },
    { body: note({ payments: [] }), failures: ['payments minItems'] },
    { body: note({ payments: undefined }), failures: ['payments required'] },
    { body: reason({ reason: ' ' }), failures: ['reasons[0].reason minLength'] },
    { body: reason({ reason: 'x'.repeat(301) }), failures: ['reasons[0].reason maxLength'] },
    { body: reason({ amount: '1.005' }), failures: ['reasons[0].amount decimal'] },
    { body: reason({ amount: '-1.00' }), failures: ['reasons[0].amount decimal'] },
    { body: reason({ amount: 12.5 }), failures: ['reasons[0].amount decimal'] },
    { body: reason({ taxes: [] }), failures: ['reasons[0].taxes minItems'] },
    { body: tax({ rateCode: '99' }), failures: ['reasons[0].taxes[0].rateCode catalog'] },
    { body: tax({ rate: undefined }), failures: ['reasons[0].taxes[0].rate required'] },
    {
      body: tax({ code: '5', rateCode: '5001', rate: '0.02', taxableBase: undefined, taxAmount: undefined }),
      failures: ['reasons[0].taxes[0].taxableBase required'],
    },
    {
      body: note({ reasons: [TAXED, { ...TAXED, taxes: [{ ...IVA, rate: '12.00' }] }] }),
      failures: ['reasons[1].taxes[0].rate rateOfCode'],
    },
    {
      body: note({ reasons: [TAXED, { ...TAXED, amount: '999999999999.99' }] }),
      failures: ['reasons maxAmount'],
    },
    {
      // Its subtotal and its taxes are within the schema, its total is not.
      body: reason({ amount: '900000000000.00', taxes: [{ code: '2', rateCode: '4', rate: '15' }] }),
      failures: ['reasons maxAmount'],
    },
    {
      body: note({ payments: [{ method: '01' }, { method: '20' }] }),
      failures: ['payments[0].total required', 'payments[1].total required'],
    },
  ])('a rejected debit note has $failures', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it('a rejected debit note reports all failures at once, in any part', () => {
    const body = {
      documentType: '05',
      issueDate: '20/11/2026',
      buyer: { idType: '07', id: '9999999999999', name: '', email: 'x' },
      reasons: [
        { ...FIRST, reason: '' },
        { amount: '1', taxes: [{ code: '2', rateCode: '99' }] },
        { ...TAXED, taxes: [{ ...IVA, rateCode: '98' }] },
      ],
      payments: [{ method: '01' }, { method: '20' }],
      additionalInfo: [{}],
    };
    expect(failuresOf(body).toSorted()).toEqual(
      [
        'additionalInfo[0].name required',
        'additionalInfo[0].value required',
        'buyer.email email',
        'buyer.idType finalConsumer',
        'buyer.name minLength',
        'issueDate today',
        'originalDocument required',
        'payments[0].total required',
        'payments[1].total required',
        'reasons[0].reason minLength',
        'reasons[1].reason required',
        'reasons[1].taxes[0].rate required',
        'reasons[1].taxes[0].rateCode catalog',
        'reasons[2].taxes[0].rateCode catalog',
      ].toSorted(),
    );
  });
});

describe('the warnings of a debit note', () => {
  it.each([
    { body: tax({ taxAmount: '2.30' }), warning: ['TAX_MISMATCH', 'reasons[0].taxes[0].taxAmount', '2.25'] },
    {
      body: tax({ taxableBase: '14.00', taxAmount: '2.10' }),
      warning: ['LINE_BASE_MISMATCH', 'reasons[0].taxes[0].taxableBase', '15.00'],
    },
    {
      body: tax({ rate: '12.00', taxAmount: '1.80' }),
      warning: ['TAX_RATE_MISMATCH', 'reasons[0].taxes[0].rate', '15'],
    },
    {
      body: { ...tax({}), originalDocument: { ...DEBIT_NOTE_EXAMPLE.originalDocument, issueDate: '31/03/2024' } },
      warning: ['TAX_RATE_MISMATCH', 'reasons[0].taxes[0].rateCode', '15 (2024-04-01 – …)'],
    },
    {
      body: note({ payments: [{ method: '01', total: '1.00' }] }),
      warning: ['PAYMENTS_MISMATCH', 'payments', '29.75'],
    },
    { body: note({ motivo: 'x' }), warning: ['UNKNOWN_FIELD', 'motivo', undefined] },
  ])('a debit note warns with $warning.0 of $warning.1, and strict checking rejects it', ({ body, warning }) => {
    expect(warningsOf(body)).toEqual([warning]);
    expect(failuresOf(body, { strict: true })).toHaveLength(1);
  });

  it('a debit note at the rate of the day of its original has no warning', () => {
    const former = { ...tax({ rateCode: '2', rate: '12', taxAmount: undefined }) };
    expect(
      warningsOf({ ...former, originalDocument: { ...DEBIT_NOTE_EXAMPLE.originalDocument, issueDate: '31/03/2024' } }),
    ).toEqual([]);
  });
});

describe('the sums of a debit note', () => {
  it('the sums of a debit note have one entry for each code, whose reasons add up to base × rate', () => {
    const small = { reason: 'Recargo', amount: '0.90', taxes: [{ code: '2', rateCode: '4', rate: '15' }] };
    const untaxed = { reason: 'Interés', amount: '3.00', taxes: [{ code: '2', rateCode: '6', rate: '0' }] };
    const prepared = prepareDocument(
      note({ reasons: [...Array(10).fill(small), untaxed], payments: [{ method: '20' }] }),
      CONTEXT,
    );
    expect(prepared).toMatchObject({
      subtotal: 1200n,
      taxTotals: [
        { code: '2', rateCode: '4', rate: 1500n, taxableBase: 900n, taxAmount: 135n },
        { code: '2', rateCode: '6', rate: 0n, taxableBase: 300n, taxAmount: 0n },
      ],
      payments: [{ total: 1335n }],
      total: '13.35',
      warnings: [],
    });
  });

  it('the sums of a debit note equal a second calculation, and the XML has the content of the body', () => {
    fc.assert(
      fc.property(randomDebitNote, randomIssuer, (body, issuer) => {
        const prepared = prepareDocument(body, { issuer, today: RANDOM_TODAY });
        const read = readComprobante(writeComprobante(prepared, issuer, NUMBERING).xml);
        const { taxes, subtotal, total } = calculate(body);
        expect(read).toMatchObject({
          documentType: '05',
          subtotal,
          total,
          taxes: taxes.map(({ code, rateCode, taxableBase, taxAmount }) => ({
            code,
            rateCode,
            taxableBase,
            taxAmount,
          })),
          originalDocument: body.originalDocument,
          buyer: {
            idType: body.buyer.idType,
            id: oneLine(body.buyer.id),
            name: oneLine(body.buyer.name),
            address: null,
          },
          reasons: body.reasons.map(({ reason: text, amount }) => ({
            reason: oneLine(text),
            amount: fromCents(toCents(amount)),
          })),
          payments: body.payments.map(({ method, total: paid }) => ({
            method,
            total: paid ? fromCents(toCents(paid)) : total,
          })),
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("the SRI's checks of a debit note", () => {
  const xml = write(DEBIT_NOTE_EXAMPLE);

  function judge(changed: string) {
    const submission = submissionOf(changed);
    const context = { knows: () => true };
    const refusal = findReturn(submission) ?? findRefusal(submission, context);
    const warnings = findWarnings(submission, { knows: () => false });
    return {
      refusal: refusal && [refusal.identifier, refusal.additionalInfo],
      warnings: warnings.map(({ identifier }) => identifier),
    };
  }

  it('the SRI’s checks accept a valid debit note, with a warning when the original is unknown', () => {
    expect(judge(xml)).toEqual({ refusal: null, warnings: ['68'] });
  });

  it.each([
    {
      from: '<valor>12.50',
      to: '<valor>12.60',
      code: '52',
      says: 'El valor del total sin impuestos 27.50 debe ser igual al calculado 27.60',
    },
    {
      from: '<valor>2.25',
      to: '<valor>2.50',
      code: '52',
      says: 'según su tarifa, 2.50 debe ser igual al calculado 2.25',
    },
    {
      from: '<valorTotal>29.75',
      to: '<valorTotal>29.00',
      code: '52',
      says: 'El valor total 29.00 debe ser igual al calculado 29.75',
    },
    { from: '<codDocModificado>01', to: '<codDocModificado>99', code: '64', says: 'codDocModificado: 99' },
    {
      from: '<tipoIdentificacionComprador>05',
      to: '<tipoIdentificacionComprador>07',
      code: '69',
      says: 'consumidor final',
    },
  ])('the SRI’s checks refuse a debit note with $to: $code', ({ from, to, code, says }) => {
    expect(xml).toContain(from);
    expect(judge(xml.replace(from, to)).refusal).toEqual([code, expect.stringContaining(says)]);
  });

  it('the SRI’s checks accept a refund of IVA that lowers the total of a debit note, for a cédula alone', () => {
    const refunded = xml
      .replace('<valor>2.25</valor>', '<valor>2.25</valor><valorDevolucionIva>1.25</valorDevolucionIva>')
      .replace('<valorTotal>29.75', '<valorTotal>28.50');
    expect(judge(refunded).refusal).toBeNull();
    const toCompany = refunded.replace('<tipoIdentificacionComprador>05', '<tipoIdentificacionComprador>04');
    expect(judge(toCompany).refusal?.[0]).toBe('92');
  });

  it.each([
    { from: '<identificacionComprador>1710034065', to: '<identificacionComprador>1710034064', code: '62' },
    { from: '<valor>2.25', to: '<valor>2.27', code: '52' },
  ])('the SRI’s checks warn about a debit note with $to: $code', ({ from, to, code }) => {
    expect(
      judge(
        xml.replace(from, to).replace('<valorTotal>29.75', code === '52' ? '<valorTotal>29.77' : '<valorTotal>29.75'),
      ),
    ).toEqual({
      refusal: null,
      warnings: expect.arrayContaining([code]),
    });
  });
});

describe('the RIDE of a debit note', () => {
  const textsIn = (xml: string) => pagesOf(xml).flatMap(textsOf);

  it('the RIDE of a debit note prints a refund of IVA', () => {
    const xml = write(DEBIT_NOTE_EXAMPLE).replace(
      '<valor>2.25</valor>',
      '<valor>2.25</valor><valorDevolucionIva>1.25</valorDevolucionIva>',
    );
    expect(textsIn(xml)).toEqual(expect.arrayContaining(['DEVOLUCIÓN DE IVA', '1.25']));
    expect(textsIn(write(DEBIT_NOTE_EXAMPLE))).not.toContain('DEVOLUCIÓN DE IVA');
  });

  it('the RIDE of a debit note continues over several pages with many reasons, under the same headings', () => {
    const reasons = Array.from({ length: 120 }, (_, index) => ({
      ...FIRST,
      reason: `Motivo ${index + 1} ${'largo '.repeat(index % 30)}`,
    }));
    const xml = write(note({ reasons, payments: [{ method: '20' }] }));
    const pages = pagesOf(xml);
    expect(pages.length).toBeGreaterThan(2);
    expectSound(pages);
    const headings = textsIn(xml).filter((text) => text === 'Razón de la modificación');
    expect(headings.length).toBeGreaterThan(2);
  });
});

const EXAMPLE = 'NotaDebito_V1.0.0.xml';

describe.skipIf(!hasSriExample(EXAMPLE))("the SRI's example of a debit note", () => {
  it("reads the SRI's example of a debit note, and writes it again element for element", () => {
    const { example, written } = rewriteSriExample(
      EXAMPLE,
      [
        ['<codDoc>00', '<codDoc>05'],
        ['<codDocModificado>00', '<codDocModificado>01'],
        // The sums of the example are placeholders: two reasons of 50.00, each with a tax of 50.00.
        ['<totalSinImpuestos>0.00', '<totalSinImpuestos>100.00'],
        ['<valorTotal>50.00', '<valorTotal>200.00'],
        [/(<codigoPorcentaje>)0(.*?<codigoPorcentaje>)0/, '$14$20'],
        // Not written by this library: a regime that ended, compensations that ended, refunds, a second list of payments.
        ['<rise>rise0</rise>', ''],
        [/<compensaciones>.*<\/compensaciones>/, ''],
        [/<valorDevolucionIva>[^<]*<\/valorDevolucionIva>/, ''],
        ['</pagos><pagos>', ''],
      ],
      (read) => {
        if (read.documentType !== '05') return expect.fail(read.documentType);
        return {
          documentType: '05',
          buyer: { ...read.buyer, email: 'a@b.ec' },
          originalDocument: read.originalDocument,
          reasons: read.reasons.map((each, index) => ({ ...each, taxes: read.taxes.slice(index, index + 1) })),
          payments: read.payments.map((payment) => ({ ...payment, term: Number(payment.term) })),
          additionalInfo: read.additionalInfo,
        };
      },
    );
    expect(example.length).toBeGreaterThan(50);
    expect(written).toEqual(example);
  });
});

judgeRandomDocuments({ body: randomDebitNote, root: 'notaDebito', schema: 'NotaDebito_V1.0.0.xsd' });

// --- a second calculation, in whole numbers ---

/** base × rate in cents, half up. Both have two decimals. */
function taxOf(base: bigint, rate: string, byUnit: boolean): bigint {
  const divisor = byUnit ? 100n : 10_000n;
  return (base * toCents(rate) * 2n + divisor) / (divisor * 2n);
}

function calculate({ reasons }: DebitNoteBody) {
  const groups = new Map<string, { code: string; rateCode: string; base: bigint; amount: bigint }>();
  const add = (line: DebitNoteBody['reasons'][number]['taxes'][number], base: bigint) => {
    const { code, rateCode, rate } = line;
    const group = groups.get(code + rateCode) ?? { code, rateCode, base: 0n, amount: 0n };
    const before = group.amount;
    group.base += base;
    group.amount = taxOf(group.base, rate, code === TAX.IRBPNR || rateCode === '3680');
    groups.set(code + rateCode, group);
    return group.amount - before;
  };
  for (const { amount, taxes } of reasons) {
    let withIce = toCents(amount);
    for (const each of taxes.filter(({ code }) => code === TAX.ICE)) {
      withIce += add(each, each.taxableBase ? toCents(each.taxableBase) : toCents(amount));
    }
    for (const each of taxes.filter(({ code }) => code !== TAX.ICE)) {
      add(each, each.taxableBase ? toCents(each.taxableBase) : withIce);
    }
  }
  const order = [...new Set(reasons.flatMap(({ taxes }) => taxes.map(({ code, rateCode }) => code + rateCode)))];
  const sorted = order.flatMap((key) => groups.get(key) ?? []);
  const subtotal = reasons.reduce((sum, { amount }) => sum + toCents(amount), 0n);
  return {
    subtotal: fromCents(subtotal),
    total: fromCents(sorted.reduce((sum, { amount }) => sum + amount, subtotal)),
    taxes: sorted.map(({ base, amount, ...codes }) => ({
      ...codes,
      taxableBase: fromCents(base),
      taxAmount: fromCents(amount),
    })),
  };
}
