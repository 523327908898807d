import { describe, expect, it } from 'vitest';
import { hasSriExample, rewriteSriExample } from '../../testing/sri-examples.js';

const EXAMPLE = 'NotaCredito_V1.1.0.xml';

describe.skipIf(!hasSriExample(EXAMPLE))("the SRI's example of a notaCredito", () => {
  it("reads the SRI's example of a notaCredito into a body and writes it again, the same element for element", () => {
    const { example, written } = rewriteSriExample(
      EXAMPLE,
      [
        ['<codDoc>00', '<codDoc>04'],
        ['<codDocModificado>00', '<codDocModificado>01'],
        // The sums of the example are placeholders: two lines of 50.00, each with two taxes of 50.00.
        ['<totalSinImpuestos>50.00', '<totalSinImpuestos>100.00'],
        ['<valorModificacion>50.00', '<valorModificacion>300.00'],
        [
          /<baseImponible>50.00<\/baseImponible><valor>50.00<\/valor><valorDevolucionIva>/,
          '<baseImponible>100.00</baseImponible><valor>100.00</valor><valorDevolucionIva>',
        ],
        [/(<codigoPorcentaje>)0(<\/codigoPorcentaje>.*?<codigoPorcentaje>)0/, '$10$24'],
        ['<cantidad>50.000000', '<cantidad>2.00'],
        ['<moneda>moneda0', '<moneda>DOLAR'],
        // Not written by this library: the old RISE, compensations, refunds.
        ['<rise>rise0</rise>', ''],
        [/<valorDevolucionIva>[^<]*<\/valorDevolucionIva>/, ''],
        [/<compensaciones>.*?<\/compensaciones>/, ''],
      ],
      (comprobante) => {
        if (comprobante.documentType !== '04') return expect.fail(comprobante.documentType);
        const { buyer, originalDocument, motivo, items, additionalInfo } = comprobante;
        return {
          documentType: '04',
          buyer: { ...buyer, email: 'a@example.com' },
          originalDocument,
          motivo,
          items: items.map(({ subtotal, ...item }) => ({ ...item, total: subtotal })),
          additionalInfo,
        };
      },
    );
    expect(example.length).toBeGreaterThan(80);
    expect(written).toEqual(example);
  });
});
