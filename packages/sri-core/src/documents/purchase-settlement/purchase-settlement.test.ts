import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRefusal, findWarnings } from '../../sri/rules/content.js';
import { CONTEXT, failuresOf, NUMBERING, submissionOf, warningsOf, write } from '../../testing/judged-bodies.js';
import { randomPurchaseSettlement } from '../../testing/random-bodies/purchase-settlement.js';
import { RANDOM_TODAY, randomIssuer } from '../../testing/random-bodies.js';
import { judgeRandomDocuments } from '../../testing/random-documents.js';
import { expectSound, pagesOf, textsOf } from '../../testing/ride-picture.js';
import { oneLine, toCents } from '../../testing/second-calculation.js';
import { hasSriExample, rewriteSriExample } from '../../testing/sri-examples.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import { PURCHASE_SETTLEMENT_EXAMPLE, REIMBURSEMENT_EXAMPLE } from './examples.js';
import type { PurchaseSettlementComprobante } from './xml.js';

const [ITEM] = PURCHASE_SETTLEMENT_EXAMPLE.items;
const [TAX] = ITEM.taxes;
/** Two of it exceed the schema's largest amount. */
const LARGE = {
  ...ITEM,
  quantity: '999999999999',
  unitPrice: '0.6',
  discount: '0',
  total: undefined,
  taxes: [{ code: '2', rateCode: '4', rate: '15' }],
};
const [REIMBURSED] = REIMBURSEMENT_EXAMPLE.reimbursements;

const settlement = (change: object) => ({ ...PURCHASE_SETTLEMENT_EXAMPLE, ...change });
const supplier = (change: object) => settlement({ supplier: { ...PURCHASE_SETTLEMENT_EXAMPLE.supplier, ...change } });
const tax = (change: object) => settlement({ items: [{ ...ITEM, taxes: [{ ...TAX, ...change }] }] });
const reimbursed = (change: object) => ({ ...REIMBURSEMENT_EXAMPLE, reimbursements: [{ ...REIMBURSED, ...change }] });
const reimbursedSupplier = (change: object) => reimbursed({ supplier: { ...REIMBURSED.supplier, ...change } });
const reimbursedTax = (change: object) => reimbursed({ taxes: [{ ...REIMBURSED.taxes[0], ...change }] });

function read(xml: string): PurchaseSettlementComprobante {
  const comprobante = readComprobante(xml);
  return comprobante.documentType === '03' ? comprobante : expect.fail(comprobante.documentType);
}

describe('a rejected purchase settlement', () => {
  it.each([
    { body: settlement({ supplier: undefined }), failures: ['supplier required'] },
    { body: supplier({ idType: '07' }), failures: ['supplier.idType oneOf'] },
    { body: supplier({ id: '' }), failures: ['supplier.id minLength'] },
    { body: supplier({ name: undefined }), failures: ['supplier.name required'] },
    { body: supplier({ email: 'x' }), failures: ['supplier.email email'] },
    { body: supplier({ address: 'x'.repeat(301) }), failures: ['supplier.address maxLength'] },
    { body: settlement({ items: [] }), failures: ['items minItems'] },
    { body: settlement({ items: [LARGE, LARGE] }), failures: ['items maxAmount'] },
    { body: settlement({ payments: undefined }), failures: ['payments required'] },
    {
      body: settlement({ items: [ITEM, { ...ITEM, taxes: [TAX, { code: '3', rateCode: '3101', rate: '10' }] }] }),
      failures: ['items[1].taxes[1].code onlyIva'],
    },
    { body: tax({ code: '5', rateCode: '5001', rate: '0.02' }), failures: ['items[0].taxes[0].code onlyIva'] },
    { body: tax({ code: '4' }), failures: ['items[0].taxes[0].code catalog'] },
    { body: tax({ rateCode: '99' }), failures: ['items[0].taxes[0].rateCode catalog'] },
    { body: settlement({ items: [{ ...ITEM, total: '130.00' }] }), failures: ['items[0].total lineTotal'] },
    { body: settlement({ reimbursements: {} }), failures: ['reimbursements type'] },
    { body: settlement({ reimbursements: Array(301).fill(REIMBURSED) }), failures: ['reimbursements maxItems'] },
    { body: reimbursed({ issueDate: '22/11/2026' }), failures: ['reimbursements[0].issueDate notLater'] },
    { body: reimbursed({ number: '1-1-1' }), failures: ['reimbursements[0].number pattern'] },
    { body: reimbursed({ documentType: '99' }), failures: ['reimbursements[0].documentType catalog'] },
    {
      body: reimbursed({ authorizationNumber: '1'.repeat(9) }),
      failures: ['reimbursements[0].authorizationNumber pattern'],
    },
    {
      body: reimbursed({ authorizationNumber: '1'.repeat(50) }),
      failures: ['reimbursements[0].authorizationNumber pattern'],
    },
    { body: reimbursed({ taxes: [] }), failures: ['reimbursements[0].taxes minItems'] },
    { body: reimbursedSupplier({ idType: '07' }), failures: ['reimbursements[0].supplier.idType oneOf'] },
    { body: reimbursedSupplier({ kind: '03' }), failures: ['reimbursements[0].supplier.kind oneOf'] },
    { body: reimbursedSupplier({ country: '000' }), failures: ['reimbursements[0].supplier.country catalog'] },
    { body: reimbursedTax({ rateCode: '99' }), failures: ['reimbursements[0].taxes[0].rateCode catalog'] },
    { body: reimbursedTax({ taxableBase: undefined }), failures: ['reimbursements[0].taxes[0].taxableBase required'] },
    {
      body: reimbursed({ taxes: Array(2).fill({ ...REIMBURSED.taxes[0], taxableBase: '999999999999.99' }) }),
      failures: ['reimbursements maxAmount'],
    },
  ])('a rejected purchase settlement has $failures', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it('a rejected purchase settlement reports all failures at once, in any part', () => {
    const body = {
      documentType: '03',
      issueDate: '20/11/2026',
      supplier: { idType: '07', id: '1', name: '', email: 'x' },
      items: [
        { ...ITEM, discount: '999' },
        { quantity: 1, taxes: [{ code: '3' }] },
        { ...ITEM, taxes: [{ ...TAX, rateCode: '99' }] },
      ],
      payments: [{ method: '01' }, { method: '20' }],
      reimbursements: [
        { ...REIMBURSED, issueDate: '22/11/2026' },
        { ...REIMBURSED, number: 7 },
      ],
      additionalInfo: [{}],
    };
    expect(failuresOf(body).toSorted()).toEqual(
      [
        'additionalInfo[0].name required',
        'additionalInfo[0].value required',
        'issueDate today',
        'items[0].discount discount',
        'items[0].total lineTotal',
        'items[1].description required',
        'items[1].mainCode required',
        'items[1].quantity decimal',
        'items[1].taxes[0].code onlyIva',
        'items[1].taxes[0].rate required',
        'items[1].taxes[0].rateCode required',
        'items[1].unitPrice required',
        'items[2].taxes[0].rateCode catalog',
        'payments[0].total required',
        'payments[1].total required',
        'reimbursements[0].issueDate notLater',
        'reimbursements[1].number type',
        'supplier.email email',
        'supplier.idType oneOf',
        'supplier.name minLength',
      ].toSorted(),
    );
  });
});

describe('a corrected purchase settlement', () => {
  it('a corrected purchase settlement has the rates of the day it keeps', () => {
    const former = { ...tax({ rateCode: '2', rate: '12', taxAmount: '14.40' }), payments: [{ method: '20' }] };
    const prepared = prepareDocument(former, { ...CONTEXT, keepIssueDate: '2024-03-31' });
    expect(prepared).toMatchObject({ issueDate: '2024-03-31', warnings: [] });
  });

  it('a corrected purchase settlement reimburses documents up to the day it keeps, in a body of any shape', () => {
    const again = { keepIssueDate: '2026-11-19' };
    const later = reimbursed({ issueDate: '20/11/2026' });
    expect(failuresOf(reimbursed({ issueDate: '19/11/2026' }), again)).toEqual([]);
    expect(failuresOf(later, again)).toEqual(['reimbursements[0].issueDate notLater']);
    expect(failuresOf({ ...later, supplier: undefined }, again)).toEqual([
      'supplier required',
      'reimbursements[0].issueDate notLater',
    ]);
  });
});

describe('the warnings of a purchase settlement', () => {
  it.each([
    { body: supplier({ id: '1710034064' }), warning: ['ID_CHECK_DIGIT', 'supplier.id', undefined] },
    { body: tax({ taxAmount: '18.02' }), warning: ['TAX_MISMATCH', 'items[0].taxes[0].taxAmount', '18.00'] },
    {
      body: tax({ rateCode: '2', rate: '12', taxAmount: '14.40' }),
      warning: ['TAX_RATE_MISMATCH', 'items[0].taxes[0].rateCode', '12 (… – 2024-03-31)'],
    },
    {
      body: settlement({ payments: [{ method: '01', total: '1.00' }] }),
      warning: ['PAYMENTS_MISMATCH', 'payments', '138.00'],
    },
    {
      body: reimbursedSupplier({ id: '179001167400' }),
      warning: ['ID_FORMAT', 'reimbursements[0].supplier.id', undefined],
    },
    {
      body: reimbursedTax({ taxAmount: '15.02' }),
      warning: ['TAX_MISMATCH', 'reimbursements[0].taxes[0].taxAmount', '15.00'],
    },
    {
      body: {
        ...reimbursed({}),
        issueDate: '21/11/2026',
        reimbursements: [{ ...REIMBURSED, issueDate: '31/03/2024' }],
      },
      warning: ['TAX_RATE_MISMATCH', 'reimbursements[0].taxes[0].rateCode', '15 (2024-04-01 – …)'],
    },
  ])(
    'a purchase settlement warns with $warning.0 of $warning.1, and strict checking rejects it',
    ({ body, warning }) => {
      expect(warningsOf(body)).toContainEqual(warning);
      expect(failuresOf(body, { strict: true })).toContainEqual(expect.stringContaining(String(warning[1])));
    },
  );

  it('a warning names the line of a reimbursement that has an IVA of its own', () => {
    const taxed = { ...REIMBURSEMENT_EXAMPLE, items: [ITEM], payments: [{ method: '20' }] };
    expect(warningsOf(taxed)).toEqual([['REIMBURSEMENT_TAX', 'items[0].taxes[0].rateCode', undefined]]);
    expect(failuresOf(taxed, { strict: true })).toEqual([]);
  });
});

describe('a purchase settlement', () => {
  it('a purchase settlement has the content of its body', () => {
    fc.assert(
      fc.property(randomPurchaseSettlement, randomIssuer, (body, issuer) => {
        const prepared = prepareDocument(body, { issuer, today: RANDOM_TODAY });
        const document = read(writeComprobante(prepared, issuer, NUMBERING).xml);
        expect(document.items.map((item) => [item.unitOfMeasure, item.unsubsidizedPrice])).toEqual(
          body.items.map((item) => [
            oneLine(item.unitOfMeasure ?? '') || null,
            item.unsubsidizedPrice ? expect.any(String) : null,
          ]),
        );
        const reimbursements = body.reimbursements ?? [];
        expect(document.reimbursement?.documents ?? []).toMatchObject(
          reimbursements.map(({ supplier: each, taxes, ...rest }) => ({
            ...rest,
            supplier: { idType: each.idType, id: oneLine(each.id), kind: each.kind, country: each.country ?? null },
            taxes: taxes.map(({ code, rateCode }) => ({ code, rateCode })),
          })),
        );
        const bases = reimbursements.flatMap(({ taxes }) => taxes.map(({ taxableBase }) => toCents(taxableBase)));
        expect(toCents(document.reimbursement?.taxableBase ?? '0')).toBe(bases.reduce((sum, base) => sum + base, 0n));
        expect(toCents(document.reimbursement?.total ?? '0')).toBe(
          toCents(document.reimbursement?.taxableBase ?? '0') + toCents(document.reimbursement?.taxAmount ?? '0'),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('a purchase settlement has no sums of reimbursed documents when their list is absent or empty', () => {
    for (const reimbursements of [undefined, null, []]) {
      const xml = write(settlement({ reimbursements }));
      expect(xml).not.toMatch(/eembolso/);
      expect(read(xml).reimbursement).toBeNull();
    }
  });

  it('reads settlements that the SRI authorized: no tarifa in the sums, three decimals, a term of 0', () => {
    const xml = write(PURCHASE_SETTLEMENT_EXAMPLE)
      .replace('<tarifa>15.00</tarifa><valor>18.00</valor></totalImpuesto>', '<valor>18.00</valor></totalImpuesto>')
      .replace('<precioUnitario>12.50<', '<precioUnitario>12.500<')
      .replace('<unidadTiempo>dias', '<unidadTiempo>DIAS');
    expect(read(xml)).toMatchObject({
      taxes: [{ rate: null, taxAmount: '18.00' }],
      items: [{ unitPrice: '12.500' }],
      payments: [{ term: '0', termUnit: 'DIAS' }],
    });
    expect(judge(xml)).toEqual({ refusal: null, warnings: [] });
    expect(textsIn(xml)).toEqual(expect.arrayContaining(['SUBTOTAL 15 %', 'IVA 15 %', '12.50']));
  });
});

describe("the SRI's checks of a purchase settlement", () => {
  const xml = write(PURCHASE_SETTLEMENT_EXAMPLE);

  it('the SRI’s checks accept valid settlements', () => {
    expect(judge(xml)).toEqual({ refusal: null, warnings: [] });
    expect(judge(write(REIMBURSEMENT_EXAMPLE))).toEqual({ refusal: null, warnings: [] });
  });

  it.each([
    {
      from: '<totalSinImpuestos>120.00',
      to: '<totalSinImpuestos>121.00',
      says: 'El valor del total sin impuestos 121.00',
    },
    {
      from: '<totalDescuento>5.00',
      to: '<totalDescuento>0.00',
      says: 'El valor del total de descuento 0.00 debe ser igual al calculado 5.00',
    },
    {
      from: '<importeTotal>138.00',
      to: '<importeTotal>120.00',
      says: 'El valor del importe total 120.00 debe ser igual al calculado 138.00',
    },
    {
      from: '<precioTotalSinImpuesto>120.00',
      to: '<precioTotalSinImpuesto>125.00',
      says: 'del detalle 1 125.00 debe ser igual al calculado 120.00',
    },
    {
      from: '<valor>18.00</valor></totalImpuesto>',
      to: '<valor>14.40</valor></totalImpuesto>',
      says: 'según su tarifa, 14.40',
    },
  ])('the SRI’s checks refuse a settlement with $to: 52', ({ from, to, says }) => {
    expect(xml).toContain(from);
    expect(judge(xml.replace(from, to)).refusal).toEqual(['52', expect.stringContaining(says)]);
  });

  it('the SRI’s checks refuse sums of reimbursed documents that differ from their list: 52', () => {
    const stated = write(REIMBURSEMENT_EXAMPLE);
    const changed = stated.replace(/(<totalBaseImponibleReembolso>)/, '$11');
    expect(changed).not.toBe(stated);
    expect(judge(changed).refusal).toEqual(['52', expect.stringContaining('base imponible de reembolso')]);
  });

  it('the SRI’s checks accept a discount on the whole document', () => {
    const discounted = xml
      .replace('<baseImponible>120.00', '<descuentoAdicional>20.00</descuentoAdicional><baseImponible>100.00')
      .replace('<valor>18.00</valor></totalImpuesto>', '<valor>15.00</valor></totalImpuesto>')
      .replace('<totalDescuento>5.00', '<totalDescuento>25.00')
      .replace('<importeTotal>138.00', '<importeTotal>115.00');
    expect(judge(discounted).refusal).toBeNull();
  });

  it('the SRI’s checks warn about the supplier’s cédula: 62', () => {
    expect(judge(xml.replace('<identificacionProveedor>1710034065', '<identificacionProveedor>1710034064'))).toEqual({
      refusal: null,
      warnings: ['62'],
    });
  });
});

describe('the RIDE of a purchase settlement', () => {
  it('the RIDE has its title in full on the first page, and in short on the others', () => {
    const list = Array.from({ length: 60 }, (_, index) => ({
      ...REIMBURSED,
      number: `001-001-${String(index + 1).padStart(9, '0')}`,
    }));
    const xml = write({ ...REIMBURSEMENT_EXAMPLE, reimbursements: list });
    const pages = pagesOf(xml);
    expect(pages.length).toBeGreaterThan(2);
    expectSound(pages);
    expect(textsIn(xml)).toEqual(
      expect.arrayContaining(['LIQUIDACIÓN DE COMPRA No. 001-001-000000007', '001-001-000000060']),
    );
    expect(textsIn(xml).join(' ')).toContain('LIQUIDACIÓN DE COMPRA DE BIENES Y PRESTACIÓN DE SERVICIOS');
  });

  it('the RIDE has a table of reimbursed documents only when the settlement has some', () => {
    const xml = write(REIMBURSEMENT_EXAMPLE);
    expect(textsIn(xml)).toContain('Comprobante reembolsado');
    expect(textsIn(xml.replace(/<reembolsos>.*<\/reembolsos>/s, ''))).not.toContain('Comprobante reembolsado');
  });
});

const EXAMPLE = 'LiquidacionCompra_V1.1.0.xml';

describe.skipIf(!hasSriExample(EXAMPLE))("the SRI's example of a purchase settlement", () => {
  it("reads the SRI's example of a purchase settlement, and writes it again element for element", () => {
    const { example, written } = rewriteSriExample(
      EXAMPLE,
      [
        ['<codDoc>00', '<codDoc>03'],
        // The sums of the example are placeholders: two lines of 50.00, each with two taxes of 50.00.
        ['<totalSinImpuestos>50.00', '<totalSinImpuestos>100.00'],
        ['<totalDescuento>0.00', '<totalDescuento>100.00'],
        [
          '<baseImponible>50.00</baseImponible><tarifa>49.50</tarifa><valor>50.00',
          '<baseImponible>100.00</baseImponible><tarifa>49.50</tarifa><valor>100.00',
        ],
        [/(<codigoPorcentaje>)0(.*?<codigoPorcentaje>)0/, '$10$24'],
        ['<importeTotal>50.00', '<importeTotal>300.00'],
        ['<moneda>moneda0', '<moneda>DOLAR'],
        ['<cantidad>50.000000', '<cantidad>2.00'],
        [/<codDocReembolso>00(<\/codDocReembolso><totalC)/, '<codDocReembolso>41$1'],
        ['<codDocReembolso>00', '<codDocReembolso>01'],
        ['<codPaisPagoProveedorReembolso>000', '<codPaisPagoProveedorReembolso>593'],
        ['<totalComprobantesReembolso>50.00', '<totalComprobantesReembolso>400.00'],
        ['<totalBaseImponibleReembolso>50.00', '<totalBaseImponibleReembolso>200.00'],
        ['<totalImpuestoReembolso>50.00', '<totalImpuestoReembolso>200.00'],
        // Not written by this library: a discount on the whole document, the mail of a negotiable settlement.
        [/<descuentoAdicional>[^<]*<\/descuentoAdicional>/, ''],
        [/<tipoNegociable>.*<\/tipoNegociable>/, ''],
      ],
      (comprobante) => {
        if (comprobante.documentType !== '03') return expect.fail(comprobante.documentType);
        const { supplier: party, items, payments, reimbursement, additionalInfo } = comprobante;
        return {
          documentType: '03',
          supplier: party,
          items: items.map(({ subtotal, ...item }) => ({ ...item, total: subtotal })),
          payments: payments.map((payment) => ({ ...payment, term: Number(payment.term) })),
          reimbursements: reimbursement?.documents,
          additionalInfo,
        };
      },
    );
    expect(example.length).toBeGreaterThan(100);
    expect(written).toEqual(example);
  });
});

judgeRandomDocuments({
  body: randomPurchaseSettlement,
  root: 'liquidacionCompra',
  schema: 'LiquidacionCompra_V1.1.0.xsd',
});

// --- helpers, hoisted ---

function judge(xml: string) {
  const submission = submissionOf(xml);
  const context = { knows: () => false };
  const refusal = findRefusal(submission, context);
  return {
    refusal: refusal && [refusal.identifier, refusal.additionalInfo],
    warnings: findWarnings(submission, context).map(({ identifier }) => identifier),
  };
}

function textsIn(xml: string) {
  return pagesOf(xml).flatMap(textsOf);
}
