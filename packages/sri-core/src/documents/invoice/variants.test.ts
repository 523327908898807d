import { describe, expect, it } from 'vitest';
import { findRefusal, findReturn } from '../../sri/rules/content.js';
import { CONTEXT, failuresOf, submissionOf, warningsOf, write } from '../../testing/judged-bodies.js';
import { SAMPLE_INVOICE } from '../../testing/sample-bodies.js';
import { hasSriExample, rewriteSriExample } from '../../testing/sri-examples.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { EXPORT_EXAMPLE, FUEL_EXAMPLE, REIMBURSEMENT_EXAMPLE, TRANSPORT_EXAMPLE } from './examples.js';
import { invoiceRide } from './ride.js';
import type { InvoiceComprobante } from './xml.js';

const [LINE] = FUEL_EXAMPLE.items;
const [REIMBURSED] = REIMBURSEMENT_EXAMPLE.reimbursements;

const invoice = (change: object) => ({ ...SAMPLE_INVOICE, payments: [{ method: '20' }], ...change });
const exported = (change: object) => ({ ...EXPORT_EXAMPLE, export: { ...EXPORT_EXAMPLE.export, ...change } });
const reimbursed = (change: object) => ({ ...REIMBURSEMENT_EXAMPLE, reimbursements: [{ ...REIMBURSED, ...change }] });
const line = (change: object) => ({ ...FUEL_EXAMPLE, items: [{ ...LINE, ...change }] });
const advance = (change: object) => ({
  ...FUEL_EXAMPLE,
  withholdings: [{ ...FUEL_EXAMPLE.withholdings[0], ...change }],
});
const charge = (change: object) => invoice({ thirdPartyCharges: [{ concept: 'Bomberos', amount: '4.00', ...change }] });
const transport = (change: object) => ({
  ...TRANSPORT_EXAMPLE,
  deliveryGuide: { ...TRANSPORT_EXAMPLE.deliveryGuide, ...change },
});
const carrier = (change: object) => transport({ carrier: { ...TRANSPORT_EXAMPLE.deliveryGuide.carrier, ...change } });
const destination = (change: object) => transport({ destinations: [{ reason: 'Venta', ...change }] });

function read(xml: string): InvoiceComprobante {
  const comprobante = readComprobante(xml);
  return comprobante.documentType === '01' ? comprobante : expect.fail(comprobante.documentType);
}

describe('a rejected variant', () => {
  it.each([
    { body: exported({ incoterm: 'fob' }), failures: ['export.incoterm pattern'] },
    { body: exported({ incoterm: 'ABCDEFGHIJK' }), failures: ['export.incoterm pattern'] },
    { body: exported({ subtotalIncoterm: undefined }), failures: ['export.subtotalIncoterm required'] },
    { body: exported({ incotermPlace: ' ' }), failures: ['export.incotermPlace minLength'] },
    { body: exported({ shippingPort: 'x'.repeat(301) }), failures: ['export.shippingPort maxLength'] },
    { body: exported({ originCountry: 'EC' }), failures: ['export.originCountry catalog'] },
    { body: exported({ originCountry: '000' }), failures: ['export.originCountry catalog'] },
    { body: exported({ destinationCountry: undefined }), failures: ['export.destinationCountry required'] },
    { body: exported({ purchaseCountry: '999' }), failures: ['export.purchaseCountry catalog'] },
    { body: exported({ freight: '1.005' }), failures: ['export.freight decimal'] },
    { body: exported({ customs: -1 }), failures: ['export.customs decimal'] },
    { body: invoice({ export: 'FOB' }), failures: ['export type'] },
    { body: reimbursed({ supplier: undefined }), failures: ['reimbursements[0].supplier required'] },
    { body: reimbursed({ issueDate: '22/11/2026' }), failures: ['reimbursements[0].issueDate notLater'] },
    { body: invoice({ reimbursements: Array(301).fill(REIMBURSED) }), failures: ['reimbursements maxItems'] },
    { body: line({ unsubsidizedPrice: '1.502' }), failures: [] },
    { body: line({ unsubsidizedPrice: '1.501999' }), failures: ['items[0].unsubsidizedPrice unsubsidizedPrice'] },
    { body: line({ unsubsidizedPrice: '1.5020001' }), failures: ['items[0].unsubsidizedPrice decimal'] },
    { body: line({ unitOfMeasure: 'x'.repeat(51) }), failures: ['items[0].unitOfMeasure maxLength'] },
    { body: line({ quantity: '999999', unsubsidizedPrice: '99999999999' }), failures: ['items maxAmount'] },
    { body: advance({ code: '2' }), failures: ['withholdings[0].code oneOf'] },
    { body: advance({ rateCode: '9' }), failures: ['withholdings[0].rateCode oneOf'] },
    { body: advance({ rate: '1000' }), failures: ['withholdings[0].rate pattern'] },
    { body: advance({ amount: undefined }), failures: ['withholdings[0].amount required'] },
    { body: invoice({ licensePlate: 'x'.repeat(21) }), failures: ['licensePlate maxLength'] },
    { body: charge({ concept: 'x'.repeat(301) }), failures: ['thirdPartyCharges[0].concept maxLength'] },
    { body: charge({ amount: '4' }), failures: [] },
    { body: charge({ amount: '-4.00' }), failures: ['thirdPartyCharges[0].amount decimal'] },
    { body: charge({ amount: '999999999999.99' }), failures: ['thirdPartyCharges maxAmount'] },
    { body: exported({ freight: '999999999999.99' }), failures: ['export maxAmount'] },
    { body: transport({ startDate: '20/11/2026' }), failures: ['deliveryGuide.startDate notEarlier'] },
    { body: transport({ endDate: '20/11/2026' }), failures: ['deliveryGuide.endDate notEarlier'] },
    { body: transport({ startDate: '31/02/2026' }), failures: ['deliveryGuide.startDate date'] },
    { body: transport({ licensePlate: undefined }), failures: ['deliveryGuide.licensePlate required'] },
    { body: transport({ destinations: [] }), failures: ['deliveryGuide.destinations minItems'] },
    {
      body: transport({ destinations: [], startDate: '20/11/2026', endDate: '19/11/2026' }),
      failures: [
        'deliveryGuide.destinations minItems',
        'deliveryGuide.startDate notEarlier',
        'deliveryGuide.endDate notEarlier',
      ],
    },
    { body: carrier({ idType: '07' }), failures: ['deliveryGuide.carrier.idType oneOf'] },
    { body: carrier({ name: '' }), failures: ['deliveryGuide.carrier.name minLength'] },
    { body: destination({ reason: undefined }), failures: ['deliveryGuide.destinations[0].reason required'] },
    { body: destination({ customsDocument: 'x'.repeat(64) }), failures: [] },
    {
      body: destination({ customsDocument: 'x'.repeat(65) }),
      failures: ['deliveryGuide.destinations[0].customsDocument maxLength'],
    },
    { body: destination({ branchCode: '2' }), failures: ['deliveryGuide.destinations[0].branchCode pattern'] },
    {
      body: invoice({ buyer: { ...SAMPLE_INVOICE.buyer, address: ' ' }, negotiable: { email: 'a@b.ec' } }),
      failures: ['buyer.address negotiable', 'payments[0].term negotiable'],
    },
    {
      body: invoice({ payments: [{ method: '20', term: 30 }], negotiable: { email: 'a@b.ec' } }),
      failures: ['payments[0].termUnit negotiable'],
    },
    { body: invoice({ negotiable: { email: 'not an address' } }), failures: ['negotiable.email email'] },
    {
      body: invoice({ negotiable: { email: `${'a'.repeat(64)}@${'b'.repeat(33)}.ec` } }),
      failures: ['negotiable.email email'],
    },
  ])('a rejected variant has $failures', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it('a rejected variant reports the faults of every part at once, also in a body of a wrong shape', () => {
    const wrong = {
      ...transport({ startDate: '20/11/2026', endDate: '19/11/2026' }),
      buyer: { ...TRANSPORT_EXAMPLE.buyer, address: null },
      reimbursements: [{ ...REIMBURSED, issueDate: '22/11/2026' }],
    };
    const all = [
      'reimbursements[0].issueDate notLater',
      'deliveryGuide.startDate notEarlier',
      'deliveryGuide.endDate notEarlier',
      'buyer.address negotiable',
    ];
    expect(failuresOf(wrong)).toEqual(all);
    expect(failuresOf({ ...wrong, tip: 'x' })).toEqual(['tip decimal', ...all]);
  });
});

describe('a doubtful variant', () => {
  it.each([
    {
      body: { ...EXPORT_EXAMPLE, buyer: SAMPLE_INVOICE.buyer },
      warnings: [['EXPORT_BUYER', 'buyer.idType', undefined]],
    },
    {
      body: {
        ...REIMBURSEMENT_EXAMPLE,
        items: [
          {
            ...REIMBURSEMENT_EXAMPLE.items[0],
            taxes: [{ code: '2', rateCode: '0', rate: '0' }],
          },
        ],
      },
      warnings: [['REIMBURSEMENT_TAX', 'items[0].taxes[0].rateCode', undefined]],
    },
    {
      body: {
        ...REIMBURSEMENT_EXAMPLE,
        items: [
          { ...REIMBURSEMENT_EXAMPLE.items[0], unitPrice: '150.43', taxes: [{ code: '2', rateCode: '6', rate: '0' }] },
        ],
        payments: [{ method: '20' }],
      },
      warnings: [['SUM_MISMATCH', 'items', '170.00']],
    },
  ])('a doubtful variant has the warning $warnings.0.0, and passes strict checking', ({ body, warnings }) => {
    expect(warningsOf(body)).toEqual(warnings);
    expect(failuresOf(body, { strict: true })).toEqual([]);
  });

  it('a withholding rate beyond the table gives a warning, and fails strict checking', () => {
    const body = { ...advance({ rate: '13.00' }), payments: [{ method: '20' }] };
    expect(warningsOf(body)).toEqual([['TAX_RATE_MISMATCH', 'withholdings[0].rate', '1.00']]);
    expect(failuresOf(body, { strict: true })).toEqual(['withholdings[0].rate taxRateMismatch']);
  });
});

describe('the total', () => {
  it('the total includes the costs of an export, the tip, the withholdings and the amounts for third parties', () => {
    const body = {
      ...exported({ insurance: null }),
      tip: '5.00',
      withholdings: FUEL_EXAMPLE.withholdings,
      thirdPartyCharges: TRANSPORT_EXAMPLE.thirdPartyCharges,
      payments: [{ method: '20' }],
    };
    // 295000.00 + (1000.00 + 800.00 + 350.00) + 5.00 + (9.01 + 3.00) + (4.00 + 2.50)
    expect(prepareDocument(body, CONTEXT).total).toBe('297173.51');
  });

  it('the total excludes the subsidy, which the document states apart', () => {
    const xml = write(FUEL_EXAMPLE);
    expect(xml).toContain('<totalSinImpuestos>1502.00</totalSinImpuestos><totalSubsidio>900.00</totalSubsidio>');
    expect(read(xml).total).toBe('1739.31');
    expect(write({ ...FUEL_EXAMPLE, items: [{ ...LINE, unsubsidizedPrice: null }] })).not.toContain('Subsidio');
  });

  it('the total of the reimbursed documents is the sum of their bases and taxes', () => {
    expect(write(REIMBURSEMENT_EXAMPLE)).toContain(
      '<codDocReembolso>41</codDocReembolso><totalComprobantesReembolso>170.00</totalComprobantesReembolso>' +
        '<totalBaseImponibleReembolso>150.43</totalBaseImponibleReembolso><totalImpuestoReembolso>19.57</totalImpuestoReembolso>',
    );
  });
});

describe('the schema version', () => {
  const ordinary = invoice({});
  it.each([
    { name: 'an ordinary invoice', body: ordinary, version: '1.1.0' },
    {
      name: 'empty lists',
      body: { ...ordinary, thirdPartyCharges: [], withholdings: [], reimbursements: [] },
      version: '1.1.0',
    },
    { name: 'withholdings in advance', body: FUEL_EXAMPLE, version: '1.1.0' },
    { name: 'amounts for third parties', body: charge({}), version: '2.1.0' },
    { name: 'a transport', body: transport({}), version: '2.1.0' },
    { name: 'a transport to an unnamed consumer', body: toFinalConsumer(), version: '2.1.0' },
  ])('the schema version of $name is $version', ({ body, version }) => {
    expect(read(write(body)).version).toBe(version);
  });

  it('an invoice without the parts of a variant stays an ordinary invoice', () => {
    const empty = {
      export: null,
      reimbursements: [],
      thirdPartyCharges: [],
      withholdings: null,
      deliveryGuide: null,
      licensePlate: ' ',
      negotiable: null,
    };
    expect(write({ ...ordinary, ...empty })).toBe(write(ordinary));
  });
});

describe('the RIDE of a variant', () => {
  const sums = (body: unknown) => invoiceRide(read(write(body))).sums.map(({ label, amount }) => `${label} ${amount}`);

  it('the RIDE shows the saving with its IVA, and the total without the subsidy', () => {
    expect(sums(FUEL_EXAMPLE).slice(-3)).toEqual([
      'VALOR TOTAL 1739.31',
      'VALOR TOTAL SIN SUBSIDIO 2774.31',
      'AHORRO POR SUBSIDIO (incluye IVA) 1035.00',
    ]);
  });

  it('the RIDE shows the amounts for third parties above the total', () => {
    expect(sums(TRANSPORT_EXAMPLE).slice(-3)).toEqual([
      'Contribución bomberos 4.00',
      'Tasa de recolección de basura 2.50',
      'VALOR TOTAL 1386.50',
    ]);
  });

  it.each([
    {
      body: EXPORT_EXAMPLE,
      shown: ['EXPORTADOR', 'CIF, Miami', 'Ecuador, Guayaquil', 'Estados Unidos, Miami', 'saco'],
    },
    { body: REIMBURSEMENT_EXAMPLE, shown: ['001-002-000004521', '1790016919001', '130.43', '19.57', '150.43'] },
    { body: FUEL_EXAMPLE, shown: ['ABC1234', 'galón', '2.402'] },
    {
      body: TRANSPORT_EXAMPLE,
      shown: ['Transportes Andinos S.A.', 'PBA1234', '22/11/2026', 'Quito – Ambato – Cuenca', 'cobros@example.com'],
    },
  ])('the RIDE of a variant shows $shown', ({ body, shown }) => {
    const { blocks } = invoiceRide(read(write(body)));
    const texts = JSON.stringify(blocks);
    for (const text of shown) expect(texts).toContain(text);
  });

  it('the RIDE shows the stated subsidy when the lines have none, and no figure for an unreadable number', () => {
    const xml = write(FUEL_EXAMPLE);
    const stated = xml.replace(/<precioSinSubsidio>.*?<\/precioSinSubsidio>/, '');
    const odd = xml.replace('<cantidad>1000.00', '<cantidad>mil');
    const labels = (text: string) => invoiceRide(read(text)).sums.map(({ label, amount }) => `${label} ${amount}`);
    expect(labels(stated).at(-1)).toBe('AHORRO POR SUBSIDIO 900.00');
    expect(labels(odd).at(-1)).toBe('AHORRO POR SUBSIDIO 900.00');
  });

  it('the RIDE shows no subsidy when another program writes 0 for it', () => {
    const xml = write(FUEL_EXAMPLE)
      .replace(/(<precioSinSubsidio>).*?</, '$10.00<')
      .replace(/(<totalSubsidio>).*?</, '$10.00<');
    expect(invoiceRide(read(xml)).sums.filter(({ label }) => label.includes('SUBSIDIO'))).toEqual([]);
  });
});

describe('the SRI’s checks of a variant', () => {
  const refusalOf = (xml: string) => findRefusal(submissionOf(xml), { knows: () => true });

  it.each([EXPORT_EXAMPLE, REIMBURSEMENT_EXAMPLE, FUEL_EXAMPLE, TRANSPORT_EXAMPLE])(
    'the SRI’s checks accept example %#',
    (body) => {
      expect(refusalOf(write(body))).toBeNull();
    },
  );

  it.each([
    {
      body: EXPORT_EXAMPLE,
      from: '<fleteInternacional>1000.00',
      to: '<fleteInternacional>900.00',
      says: 'importe total',
    },
    { body: TRANSPORT_EXAMPLE, from: '<total>4.00', to: '<total>5.00', says: 'importe total' },
    { body: FUEL_EXAMPLE, from: '<valor>9.01', to: '<valor>19.01', says: 'importe total' },
    {
      body: REIMBURSEMENT_EXAMPLE,
      from: '<totalBaseImponibleReembolso>150.43',
      to: '<totalBaseImponibleReembolso>150.53',
      says: 'base imponible de reembolso',
    },
    {
      body: REIMBURSEMENT_EXAMPLE,
      from: '<totalImpuestoReembolso>19.57',
      to: '<totalImpuestoReembolso>19.67',
      says: 'impuesto de reembolso',
    },
    {
      body: REIMBURSEMENT_EXAMPLE,
      from: '<totalComprobantesReembolso>170.00',
      to: '<totalComprobantesReembolso>171.00',
      says: 'comprobantes de reembolso',
    },
  ])('the SRI’s checks refuse a variant with code 52: $to', ({ body, from, to, says }) => {
    const xml = write(body);
    expect(xml).toContain(from);
    const refusal = refusalOf(xml.replace(from, to));
    expect(refusal?.identifier).toBe('52');
    expect(refusal?.additionalInfo).toContain(says);
  });

  it('the SRI’s checks return an IVA refund to a buyer without a cédula with code 92', () => {
    const refund = (body: unknown, amount: string) =>
      submissionOf(
        write(body).replace(
          '</valor></totalImpuesto>',
          `</valor><valorDevolucionIva>${amount}</valorDevolucionIva></totalImpuesto>`,
        ),
      );
    expect(findReturn(refund(FUEL_EXAMPLE, '1.00'))?.identifier).toBe('92');
    expect(findReturn(refund(FUEL_EXAMPLE, '0.00'))).toBeNull();
    expect(findReturn(refund(SAMPLE_INVOICE, '1.00'))).toBeNull();
  });
});

const EXAMPLE = 'factura_V2.1.0.xml';

describe.skipIf(!hasSriExample(EXAMPLE))("the SRI's example of a factura", () => {
  it("reads the SRI's example of a factura into a body and writes it again, the same element for element", () => {
    const { example, written } = rewriteSriExample(
      EXAMPLE,
      [
        ['<codDoc>00', '<codDoc>01'],
        // The sums of the example are placeholders: two lines of 50.00, each with two taxes of 50.00.
        ['<totalSinImpuestos>50.00', '<totalSinImpuestos>100.00'],
        ['<totalDescuento>0.00', '<totalDescuento>100.00'],
        [
          '<baseImponible>50.00</baseImponible><tarifa>49.50</tarifa><valor>50.00',
          '<baseImponible>100.00</baseImponible><tarifa>49.50</tarifa><valor>100.00',
        ],
        [/(<codigoPorcentaje>)0(<\/codigoPorcentaje>.*?<codigoPorcentaje>)0/, '$10$24'],
        ['<cantidad>50.000000', '<cantidad>2.00'],
        ['<precioSinSubsidio>50.000000', '<precioSinSubsidio>62.50'],
        ['<importeTotal>50.00', '<importeTotal>750.00'],
        ['<moneda>moneda0', '<moneda>DOLAR'],
        [/<(pais\w+)>000/, '<$1>593'],
        ['<codPaisPagoProveedorReembolso>000', '<codPaisPagoProveedorReembolso>593'],
        [/<codDocReembolso>00(<\/codDocReembolso><totalC)/, '<codDocReembolso>41$1'],
        ['<codDocReembolso>00', '<codDocReembolso>01'],
        ['<totalComprobantesReembolso>50.00', '<totalComprobantesReembolso>400.00'],
        ['<totalBaseImponibleReembolso>50.00', '<totalBaseImponibleReembolso>200.00'],
        ['<totalImpuestoReembolso>50.00', '<totalImpuestoReembolso>200.00'],
        [/(<retencion><codigo>4<\/codigo><codigoPorcentaje>)0/, '$13'],
        ['<correo>correo0', '<correo>correo0@example.com'],
        // Not written by this library: discounts on the whole document, compensations, refunds, sums withheld apart.
        [/<descuentoAdicional>[^<]*<\/descuentoAdicional>/, ''],
        [/<valorDevolucionIva>[^<]*<\/valorDevolucionIva>/, ''],
        [/<compensaciones>.*?<\/compensaciones>/, ''],
        [/<compensacionesReembolso>.*?<\/compensacionesReembolso>/, ''],
        [/<valorRet(Iva|Renta)>[^<]*<\/valorRet\1>/, ''],
      ],
      (comprobante) => {
        if (comprobante.documentType !== '01') return expect.fail(comprobante.documentType);
        const { items, payments, reimbursement, buyer } = comprobante;
        return {
          ...comprobante,
          issueDate: null,
          buyer: { ...buyer, email: 'a@example.com' },
          items: items.map(({ subtotal, ...item }) => ({ ...item, total: subtotal })),
          payments: payments.map((payment) => ({ ...payment, term: Number(payment.term) })),
          reimbursements: reimbursement?.documents,
        };
      },
    );
    expect(example.length).toBeGreaterThan(150);
    expect(written).toEqual(example);
  });
});

// --- helpers, hoisted ---

function toFinalConsumer() {
  const { negotiable: _, ...body } = TRANSPORT_EXAMPLE;
  return { ...body, buyer: { ...TRANSPORT_EXAMPLE.buyer, idType: '07', id: '9999999999999' } };
}
