import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { readFigures } from './read-figures.js';

const NONE = {
  ivaBases: {},
  iva: '0.00',
  ivaRefund: '0.00',
  ice: '0.00',
  irbpnr: '0.00',
  tip: '0.00',
  withheldIncomeTax: '0.00',
  withheldIva: '0.00',
  withheldIsd: '0.00',
};

function total(code: string, rateCode: string, [base, amount]: readonly [string, string]): string {
  return `<totalImpuesto><codigo>${code}</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje>
    <baseImponible>${base}</baseImponible><valor>${amount}</valor></totalImpuesto>`;
}

function factura(info: string, more = ''): string {
  return `<factura><infoTributaria/><infoFactura>${info}</infoFactura>${more}</factura>`;
}

describe('readFigures', () => {
  it('adds the bases of each rate of IVA separately, and every tax', () => {
    const taxes = [
      total('2', '4', ['10.00', '1.50']),
      total('2', '4', ['0.50', '0.08']),
      total('2', '0', ['7', '0']),
      total('2', '2', ['100.00', '12.00']),
      total('3', '3092', ['20.00', '3.00']),
      total('5', '5001', ['2.00', '0.04']),
    ];
    const xml = factura(`<totalConImpuestos>${taxes.join('')}</totalConImpuestos><propina>1.1</propina>`);
    const ivaBases = { '4': '10.50', '0': '7.00', '2': '100.00' };
    expect(readFigures(xml)).toEqual({ ...NONE, ivaBases, iva: '13.58', ice: '3.00', irbpnr: '0.04', tip: '1.10' });
  });

  it('adds the IVA that the SRI returns to the buyer', () => {
    const taxed = total('2', '4', ['10.00', '1.50']).replace(
      '</valor>',
      '</valor><valorDevolucionIva>1.2</valorDevolucionIva>',
    );
    const xml = factura(`<totalConImpuestos>${taxed}</totalConImpuestos>`);
    expect(readFigures(xml)).toEqual({ ...NONE, ivaBases: { '4': '10.00' }, iva: '1.50', ivaRefund: '1.20' });
  });

  it('adds the withheld amounts of a withholding receipt by tax', () => {
    const kept = (code: string, amount: string) =>
      `<impuesto><codigo>${code}</codigo><codigoRetencion>1</codigoRetencion><valorRetenido>${amount}</valorRetenido></impuesto>`;
    const taxes = [kept('1', '1.00'), kept('1', '0.75'), kept('2', '3.00'), kept('6', '5.00')];
    const xml = `<comprobanteRetencion><infoTributaria/><infoCompRetencion/><impuestos>${taxes.join('')}</impuestos></comprobanteRetencion>`;
    const withheld = { withheldIncomeTax: '1.75', withheldIva: '3.00', withheldIsd: '5.00' };
    expect(readFigures(xml)).toEqual({ ...NONE, ...withheld });
  });

  it('adds advance withholdings of each tax that an invoice does not state itself', () => {
    const kept = (code: string, rateCode: string, amount: string) =>
      `<retencion><codigo>${code}</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje><tarifa>1</tarifa><valor>${amount}</valor></retencion>`;
    const advance = `<retenciones>${kept('4', '3', '2.00')}${kept('4', '327', '1.00')}</retenciones>`;
    expect(readFigures(factura('', advance))).toEqual({ ...NONE, withheldIva: '2.00', withheldIncomeTax: '1.00' });
    const stated = factura('<valorRetIva>4.00</valorRetIva>', advance);
    expect(readFigures(stated)).toEqual({ ...NONE, withheldIva: '4.00', withheldIncomeTax: '1.00' });
    // Programs of issuers write zeros where they have nothing to state.
    const zeros = factura('<valorRetIva>0.00</valorRetIva><valorRetRenta>0.00</valorRetRenta>', advance);
    expect(readFigures(zeros)).toEqual(readFigures(factura('', advance)));
  });

  it('counts an unreadable amount as zero, and rejects a text that is no comprobante', () => {
    const taxes = total('2', '4', ['many', '1.50']);
    const xml = factura(`<totalConImpuestos>${taxes}</totalConImpuestos><propina>x</propina>`);
    expect(readFigures(xml)).toEqual({ ...NONE, ivaBases: { '4': '0.00' }, iva: '1.50' });
    expect(() => readFigures('<other/>')).toThrow(XmlError);
  });
});
