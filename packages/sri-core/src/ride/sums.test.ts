import { describe, expect, it } from 'vitest';
import { readComprobante } from '../documents/read-comprobante.js';
import { type Comprobante, documentTypeOf } from '../documents/registry.js';

const totalRows = (document: Comprobante) => documentTypeOf(document.documentType).ride(document).sums;

interface Tax {
  readonly codes: string;
  readonly base: string;
  readonly amount: string;
  readonly rate?: string;
  readonly refund?: string;
  readonly discount?: string;
}

function rows(taxes: readonly Tax[], more = '', root = 'factura', items = '') {
  const totals = taxes.map(({ codes, base, amount, rate, refund, discount }) => {
    const [code, rateCode] = codes.split('/');
    return `<totalImpuesto><codigo>${code}</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje>${
      discount ? `<descuentoAdicional>${discount}</descuentoAdicional>` : ''
    }<baseImponible>${base}</baseImponible>${
      rate ? `<tarifa>${rate}</tarifa>` : ''
    }<valor>${amount}</valor>${refund ? `<valorDevolucionIva>${refund}</valorDevolucionIva>` : ''}</totalImpuesto>`;
  });
  const info = root === 'factura' ? 'infoFactura' : 'infoNotaCredito';
  const total = root === 'factura' ? 'importeTotal' : 'valorModificacion';
  const document = readComprobante(
    `<${root}><infoTributaria/><${info}><totalSinImpuestos>100.00</totalSinImpuestos>${more}<totalConImpuestos>${totals.join('')}</totalConImpuestos><${total}>115.00</${total}></${info}><detalles>${items}</detalles></${root}>`,
  );
  return totalRows(document).map(({ label, amount }) => `${label} ${amount}`);
}

const IVA_15: Tax = { codes: '2/4', base: '100.00', amount: '15.00', rate: '15.00' };
const SHARED = ['SUBTOTAL SIN IMPUESTOS 100.00', 'TOTAL DESCUENTO 0.00'];

describe('the sums of a RIDE', () => {
  it.each([
    { name: '15 %', taxes: [IVA_15], above: ['SUBTOTAL 15 % 100.00'], below: ['IVA 15 % 15.00'] },
    {
      name: '0 %: no row of IVA',
      taxes: [{ codes: '2/0', base: '9.00', amount: '0.00' }],
      above: ['SUBTOTAL 0 % 9.00'],
      below: [],
    },
    {
      name: 'an old rate without tarifa, by the table',
      taxes: [{ codes: '2/2', base: '9.00', amount: '1.08' }],
      above: ['SUBTOTAL 12 % 9.00'],
      below: ['IVA 12 % 1.08'],
    },
    {
      name: 'an unknown rate, by its code',
      taxes: [{ codes: '2/99', base: '9.00', amount: '1.08' }],
      above: ['SUBTOTAL (código 99) 9.00'],
      below: ['IVA (código 99) 1.08'],
    },
    {
      name: 'all kinds, the highest rate first',
      taxes: [
        { codes: '2/7', base: '7.00', amount: '0.00' },
        { codes: '2/6', base: '6.00', amount: '0.00' },
        { codes: '2/0', base: '5.00', amount: '0.00', rate: '0.00' },
        { codes: '2/8', base: '8.00', amount: '0.64', rate: '8.00' },
        { codes: '2/5', base: '4.00', amount: '0.20', rate: '5.00' },
        IVA_15,
      ],
      above: [
        'SUBTOTAL 15 % 100.00',
        'SUBTOTAL 5 % 4.00',
        'SUBTOTAL TARIFA ESPECIAL 8 % 8.00',
        'SUBTOTAL 0 % 5.00',
        'SUBTOTAL NO OBJETO DE IVA 6.00',
        'SUBTOTAL EXENTO DE IVA 7.00',
      ],
      below: ['IVA 15 % 15.00', 'IVA 5 % 0.20', 'IVA 8 % 0.64'],
    },
    {
      name: 'ICE of two codes as one sum, before IVA; IRBPNR after it',
      taxes: [
        { codes: '5/5001', base: '10.00', amount: '0.20' },
        IVA_15,
        { codes: '3/3092', base: '10.00', amount: '1.50' },
        { codes: '3/3610', base: '10.00', amount: '2.00' },
      ],
      above: ['SUBTOTAL 15 % 100.00'],
      below: ['ICE 3.50', 'IVA 15 % 15.00', 'IRBPNR 0.20'],
    },
    {
      name: 'an empty subtotal is left out',
      taxes: [{ ...IVA_15, base: '0.00', amount: '0.00' }],
      above: [],
      below: [],
    },
    {
      name: 'a rate that the document states otherwise than the table',
      taxes: [{ ...IVA_15, amount: '14.00', rate: '14.00' }],
      above: ['SUBTOTAL 14 % 100.00'],
      below: ['IVA 14 % 14.00'],
    },
    {
      name: 'a tax that rounds to nothing, and a tax at 0 %',
      taxes: [
        { ...IVA_15, base: '0.01', amount: '0.00' },
        { codes: '2/0', base: '9.00', amount: '1.35' },
      ],
      above: ['SUBTOTAL 15 % 0.01', 'SUBTOTAL 0 % 9.00'],
      below: ['IVA 15 % 0.00', 'IVA 0 % 1.35'],
    },
    {
      name: 'IVA given back',
      taxes: [{ ...IVA_15, refund: '3.00' }],
      above: ['SUBTOTAL 15 % 100.00'],
      below: ['IVA 15 % 15.00', 'DEVOLUCIÓN DE IVA 3.00'],
    },
    {
      name: 'discounts on the whole document as one sum',
      taxes: [
        { ...IVA_15, discount: '2.00' },
        { codes: '2/0', base: '9.00', amount: '0.00', discount: '0.50' },
      ],
      above: ['SUBTOTAL 15 % 100.00', 'SUBTOTAL 0 % 9.00'],
      below: ['IVA 15 % 15.00', 'DESCUENTO ADICIONAL 2.50'],
    },
  ])('the sums of a RIDE show the taxes: $name', ({ taxes, above, below }) => {
    expect(rows(taxes)).toEqual([...above, ...SHARED, ...below, 'VALOR TOTAL 115.00']);
  });

  it('the sums of a RIDE show a tip only if there is one', () => {
    expect(rows([IVA_15], '<propina>0.00</propina>')).not.toContain('PROPINA 0.00');
    expect(rows([IVA_15], '<propina>10.00</propina>')).toContain('PROPINA 10.00');
  });

  it('the sums of a RIDE show compensations by their rate', () => {
    const compensation = (rate: string, amount: string) =>
      `<compensacion><tarifa>${rate}</tarifa><valor>${amount}</valor></compensacion>`;
    const list = `<compensaciones>${compensation('2.00', '1.13')}${compensation('4.00', '0.00')}</compensaciones>`;
    expect(rows([IVA_15], list).slice(-2)).toEqual(['COMPENSACIÓN 2 % 1.13', 'VALOR TOTAL 115.00']);
  });

  it('the sums of a RIDE normalize the numbers of a foreign program', () => {
    const foreign: Tax = { codes: '2/4', base: '+0100', amount: '15.', rate: '15.' };
    expect(rows([foreign], '<totalDescuento>.5</totalDescuento><propina>+1.500</propina>')).toEqual([
      'SUBTOTAL 15 % 100.00',
      'SUBTOTAL SIN IMPUESTOS 100.00',
      'TOTAL DESCUENTO 0.50',
      'IVA 15 % 15.00',
      'PROPINA 1.50',
      'VALOR TOTAL 115.00',
    ]);
  });

  it('the sums of a RIDE show amounts collected in advance, which the total includes', () => {
    const withheld = [
      ['3', '1.00', '9.60'],
      ['327', '0.20', '.2'],
      ['328', '0.30', '0.00'],
    ].map(
      ([rateCode, rate, amount]) =>
        `<retencion><codigo>4</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje><tarifa>${rate}</tarifa><valor>${amount}</valor></retencion>`,
    );
    const document = readComprobante(
      `<factura><infoTributaria/><infoFactura><totalSinImpuestos>100</totalSinImpuestos><importeTotal>109.80</importeTotal></infoFactura><detalles/><retenciones>${withheld.join('')}</retenciones></factura>`,
    );
    expect(totalRows(document).map(({ label, amount }) => `${label} ${amount}`)).toEqual([
      'SUBTOTAL SIN IMPUESTOS 100.00',
      'TOTAL DESCUENTO 0.00',
      'RETENCIÓN PRESUNTIVA DE IVA (3) 9.60',
      'RETENCIÓN PRESUNTIVA DE RENTA (327) 0.20',
      'VALOR TOTAL 109.80',
    ]);
  });

  it('the sums of a RIDE add the discounts of a credit note’s lines, and take its rates from them', () => {
    const line = (discount: string, rateCode: string, rate: string) =>
      `<detalle><descuento>${discount}</descuento><impuestos><impuesto><codigo>2</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje><tarifa>${rate}</tarifa></impuesto></impuestos></detalle>`;
    const lines = line('1.50', '2', '12.00') + line('0.00', '4', '') + line('0.25', '4', '15.00');
    expect(rows([{ ...IVA_15, rate: '' }], '', 'notaCredito', lines)).toEqual([
      'SUBTOTAL 15 % 100.00',
      'SUBTOTAL SIN IMPUESTOS 100.00',
      'TOTAL DESCUENTO 1.75',
      'IVA 15 % 15.00',
      'VALOR TOTAL 115.00',
    ]);
  });
});
