import { describe, expect, it } from 'vitest';
import { sameComprobante } from './same-comprobante.js';

const signed = (value: string) =>
  `<factura><ds:Signature><ds:SignatureValue Id="a">${value}</ds:SignatureValue></ds:Signature></factura>`;

describe('same comprobante', () => {
  it.each([
    ['the same bytes', signed('QUJD'), signed('QUJD'), true],
    ['wrapped lines and a declaration', `<?xml version="1.0"?>\n${signed('QU\r\nJD\n')}`, signed('QUJD'), true],
    ['another prefix', signed('QUJD').replaceAll('ds:', 'dsig:'), signed('QUJD'), true],
    ['another signature', signed('QUJE'), signed('QUJD'), false],
    ['no signature at all', '<factura/>', signed('QUJD'), null],
    ['an empty signature', signed(''), signed('QUJD'), null],
  ])('%s', (_, one, other, expected) => {
    expect(sameComprobante(one, other)).toBe(expected);
  });
});
