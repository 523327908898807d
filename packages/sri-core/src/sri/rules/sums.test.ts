import { describe, expect, it } from 'vitest';
import { sampleFactura, sampleNotaCredito } from '../../testing/sample-comprobante.js';
import { findSumFaults } from './content.js';
import { readSubmission } from './submission.js';

function read(xml: string) {
  const submission = readSubmission(Buffer.from(xml));
  if (!('root' in submission)) throw new Error(submission.message);
  return submission;
}
const differences = (xml: string) => findSumFaults(read(xml), 'refuses');

const factura = sampleFactura().xml;
const notaCredito = sampleNotaCredito().xml;
type Edit = readonly (readonly [from: string, to: string])[];
const edited = (xml: string, edits: Edit) =>
  edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${from} is not there`);
    return text.replace(from, to);
  }, xml);

describe('sums that agree', () => {
  it.each([
    { name: 'an invoice', edits: [] },
    { name: 'a credit note', xml: notaCredito, edits: [] },
    {
      name: 'IVA rounded by lines, two cents off its group',
      edits: [
        ['<valor>3.98</valor></totalImpuesto>', '<valor>4.00</valor></totalImpuesto>'],
        ['<importeTotal>40.48', '<importeTotal>40.50'],
      ],
    },
    {
      name: 'a cent less than a line that rounds down by itself, and up from six decimals',
      edits: [
        ['<cantidad>1</cantidad><precioUnitario>3.00', '<cantidad>0.999999</cantidad><precioUnitario>3.005003'],
        ['<precioTotalSinImpuesto>3.00', '<precioTotalSinImpuesto>2.99'],
      ],
    },
    {
      name: 'a tip',
      edits: [
        ['<propina>0.00', '<propina>3.00'],
        ['<importeTotal>40.48', '<importeTotal>43.48'],
      ],
    },
    {
      name: 'a discount on the whole document',
      edits: [
        [
          '<codigoPorcentaje>4</codigoPorcentaje><baseImponible>26.50',
          '<codigoPorcentaje>4</codigoPorcentaje><descuentoAdicional>6.50</descuentoAdicional><baseImponible>20.00',
        ],
        ['<valor>3.98</valor></totalImpuesto>', '<valor>3.00</valor></totalImpuesto>'],
        ['<totalDescuento>1.50', '<totalDescuento>8.00'],
        ['<importeTotal>40.48', '<importeTotal>33.00'],
      ],
    },
    {
      name: 'IVA given back, freight, withholdings and items of third parties',
      edits: [
        [
          '<valor>3.98</valor></totalImpuesto>',
          '<valor>3.98</valor><valorDevolucionIva>1.00</valorDevolucionIva></totalImpuesto>',
        ],
        ['<propina>0.00</propina>', '<propina>0.00</propina><fleteInternacional>2.00</fleteInternacional>'],
        [
          '</detalles>',
          '</detalles><retenciones><retencion><valor>0.50</valor></retencion></retenciones><otrosRubrosTerceros><rubro><total>5.00</total></rubro></otrosRubrosTerceros>',
        ],
        ['<importeTotal>40.48', '<importeTotal>46.98'],
      ],
    },
    {
      name: 'compensations',
      xml: notaCredito,
      edits: [
        [
          '</totalSinImpuestos>',
          '</totalSinImpuestos><compensaciones><compensacion><codigo>1</codigo><tarifa>2</tarifa><valor>0.06</valor></compensacion></compensaciones>',
        ],
        ['<valorModificacion>3.45', '<valorModificacion>3.39'],
      ],
    },
    {
      name: 'ICE, whose rate may be by unit',
      xml: notaCredito,
      edits: [
        [
          '</totalImpuesto>',
          '</totalImpuesto><totalImpuesto><codigo>3</codigo><codigoPorcentaje>3011</codigoPorcentaje><baseImponible>3.00</baseImponible><valor>9.99</valor></totalImpuesto>',
        ],
        [
          '</impuesto>',
          '</impuesto><impuesto><codigo>3</codigo><codigoPorcentaje>3011</codigoPorcentaje><tarifa>1</tarifa><baseImponible>3.00</baseImponible><valor>9.99</valor></impuesto>',
        ],
        ['<valorModificacion>3.45', '<valorModificacion>13.44'],
      ],
    },
    {
      name: 'amounts in every form of the schema',
      xml: notaCredito,
      edits: [
        ['<cantidad>1.000000', '<cantidad>+1.'],
        ['<valorModificacion>3.45', `<valorModificacion>${'0'.repeat(40)}3.45${'0'.repeat(40)}`],
        ['<valor>0.45</valor></impuesto>', '<valor>.45</valor></impuesto>'],
      ],
    },
  ] as { name: string; xml?: string; edits: Edit }[])('accepts the sums of $name', ({ xml = factura, edits }) => {
    expect(differences(edited(xml, edits))).toEqual([]);
  });
});

describe('sums that differ', () => {
  it.each([
    {
      name: 'a line',
      edits: [['<cantidad>2.5<', '<cantidad>2.6<']],
      says: ['El precio total sin impuesto del detalle 1 23.50 debe ser igual al calculado 24.50'],
    },
    {
      name: 'the subtotal',
      edits: [['<totalSinImpuestos>36.50', '<totalSinImpuestos>36.60']],
      says: ['El valor del total sin impuestos 36.60', 'El valor del importe total 40.48'],
    },
    {
      name: 'the discount',
      edits: [['<totalDescuento>1.50', '<totalDescuento>45.0']],
      says: ['El valor del total de descuento 45.00 debe ser igual al calculado 1.50'],
    },
    {
      name: 'a negative discount, which the schema takes',
      edits: [['<totalDescuento>1.50', '<totalDescuento>-1.50']],
      says: ['El valor del total de descuento -1.50 debe ser igual al calculado 1.50'],
    },
    {
      name: 'the total',
      edits: [['<importeTotal>40.48', '<importeTotal>40.52']],
      says: ['El valor del importe total 40.52 debe ser igual al calculado 40.48'],
    },
    {
      name: 'the base of a rate',
      edits: [['<baseImponible>10.00</baseImponible><tarifa>0.00', '<baseImponible>11.00</baseImponible><tarifa>0.00']],
      says: ['La base imponible del impuesto 2, código de porcentaje 0, 11.00'],
    },
    {
      name: 'the tax against its lines and its rate',
      edits: [
        ['<valor>3.98</valor></totalImpuesto>', '<valor>3.18</valor></totalImpuesto>'],
        ['<importeTotal>40.48', '<importeTotal>39.68'],
      ],
      says: [
        'El valor del impuesto 2, código de porcentaje 4, 3.18 debe ser igual al calculado 3.98',
        'según su tarifa, 3.18 debe ser igual al calculado 3.975',
      ],
    },
    {
      name: 'a rate that the code does not have',
      edits: [
        [
          '<codigoPorcentaje>4</codigoPorcentaje><baseImponible>26.50',
          '<codigoPorcentaje>2</codigoPorcentaje><baseImponible>26.50',
        ],
        [
          '<codigoPorcentaje>4</codigoPorcentaje><tarifa>15.00</tarifa><baseImponible>23.50',
          '<codigoPorcentaje>2</codigoPorcentaje><tarifa>15.00</tarifa><baseImponible>23.50',
        ],
        [
          '<codigoPorcentaje>4</codigoPorcentaje><tarifa>15.00</tarifa><baseImponible>3.00',
          '<codigoPorcentaje>2</codigoPorcentaje><tarifa>15.00</tarifa><baseImponible>3.00',
        ],
      ],
      says: ['según su tarifa, 3.98 debe ser igual al calculado 3.18'],
    },
  ] as { name: string; edits: Edit; says: string[] }[])('reports a difference in $name', ({ edits, says }) => {
    const found = differences(edited(factura, edits));
    expect(found).toHaveLength(says.length);
    for (const [index, text] of says.entries()) expect(found[index]).toContain(text);
  });

  it('reports a difference in the value of a credit note', () => {
    expect(differences(notaCredito.replace('<valorModificacion>3.45', '<valorModificacion>3.00'))).toEqual([
      'El valor de la modificación 3.00 debe ser igual al calculado 3.45',
    ]);
  });
});

describe('the tolerance', () => {
  it.each([
    {
      what: 'a sum is a cent per line',
      of: 'importeTotal',
      within: ['40.45', '40.51'],
      beyond: ['40.449999', '40.510001'],
    },
    {
      what: 'a line is a cent',
      of: 'precioTotalSinImpuesto',
      within: ['23.49', '23.51'],
      beyond: ['23.489999', '23.510001'],
    },
  ])('the tolerance of $what', ({ of, within, beyond }) => {
    const found = (value: string) => differences(factura.replace(new RegExp(`(<${of}>)[0-9.]+`), `$1${value}`));
    expect(within.flatMap(found)).toEqual([]);
    for (const value of beyond) expect(found(value)).toEqual([expect.stringContaining(` ${value} debe ser igual`)]);
  });
});

describe('the tax of a group', () => {
  const said = (edits: Edit, xml = factura) => findSumFaults(read(edited(xml, edits)), 'warns');

  it('the tax of a group equals base × rate to the cent', () => {
    expect(said([])).toEqual([]);
    expect(said([['<valor>3.98</valor></totalImpuesto>', '<valor>3.99</valor></totalImpuesto>']])).toEqual([]);
    expect(said([['<valor>3.98</valor></totalImpuesto>', '<valor>3.97</valor></totalImpuesto>']])).toEqual([]);
    for (const value of ['3.969999', '3.990001']) {
      const [found] = said([['<valor>3.98</valor></totalImpuesto>', `<valor>${value}</valor></totalImpuesto>`]]);
      expect(found).toContain(`${value} debe ser base por tarifa, 3.98`);
    }
  });

  it('the tax of a group two cents off is reported with both amounts, within the rounding of the lines', () => {
    expect(said([['<valor>3.98</valor></totalImpuesto>', '<valor>4.00</valor></totalImpuesto>']])).toEqual([
      'El valor del impuesto 2, código de porcentaje 4, 4.00 debe ser base por tarifa, 3.98',
    ]);
  });

  it.each([
    { name: 'ICE', tax: ['3', '3101'] },
    { name: 'an unknown code', tax: ['2', '99'] },
  ])('the tax of a group of $name cannot be checked', ({ tax: [code, rateCode] }) => {
    const unknown = `<totalImpuesto><codigo>${code}</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje><baseImponible>3.00</baseImponible><valor>9.99</valor></totalImpuesto>`;
    expect(said([['</totalImpuesto></totalConImpuestos>', `</totalImpuesto>${unknown}</totalConImpuestos>`]])).toEqual(
      [],
    );
  });

  it('the tax of bottles is two cents per bottle', () => {
    const bottles =
      '<totalImpuesto><codigo>5</codigo><codigoPorcentaje>5001</codigoPorcentaje><baseImponible>10.00</baseImponible><valor>0.30</valor></totalImpuesto>';
    const edits: Edit = [['</totalImpuesto></totalConImpuestos>', `</totalImpuesto>${bottles}</totalConImpuestos>`]];
    expect(said(edits)).toEqual([
      'El valor del impuesto 5, código de porcentaje 5001, 0.30 debe ser base por tarifa, 0.20',
    ]);
    expect(differences(edited(factura, edits)).join()).not.toContain('según su tarifa');
  });
});
