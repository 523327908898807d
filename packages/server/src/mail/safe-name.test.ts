import { describe, expect, it } from 'vitest';
import { safeName } from './safe-name.js';

describe('a name in a mail of the operator', () => {
  it.each([
    ['Comercial Ñandú & Hijos S.A.', 'Comercial Ñandú & Hijos S.A.'],
    ['C.L. Pérez CIA.LTDA.', 'C.L. Pérez CIA. LTDA.'],
    ['Gane 3.50 hoy', 'Gane 3.50 hoy'],
    ['東京 商店', '東京 商店'],
    ['Pague en https://ladron.ec/pago ahora', 'Pague en ahora'],
    ['Pague en ftp://ladron.ec', 'Pague en'],
    ['entre a www.ladron.ec/pago', 'entre a www. ladron. ec/pago'],
    ['entre a ladron.ec', 'entre a ladron. ec'],
    ['entre a ladron。ec y ladron．ec', 'entre a ladron. ec y ladron. ec'],
    ['entre a ดี.com y ladron.भारत', 'entre a ดี. com y ladron. भारत'],
    ['escriba a pagos@ladron.ec ya', 'escriba a ya'],
    ['escriba a pagos＠ladron.ec ya', 'escriba a ya'],
    ['mailto:pagos@ladron.ec', ''],
    ['uno\r\nBcc: otro\tdos', 'uno Bcc: otro dos'],
    ['\u202Eodnauqes\u200B\u2028fin', 'odnauqes fin'],
    ['=?utf-8?B?UGFndWUgYWhvcmE=?=', 'utf-8?B?UGFndWUgYWhvcmE ='],
    ['   ', ''],
    ['x'.repeat(300), 'x'.repeat(80)],
    ['😀'.repeat(300), '😀'.repeat(80)],
  ])('the name %j is shown as %j', (name, shown) => {
    expect(safeName(name)).toBe(shown);
  });

  it('a long name is read in little time', () => {
    const began = performance.now();
    for (const part of ['a.', '=?', '@', '://', ' ', 'a']) safeName(part.repeat(500_000));
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
