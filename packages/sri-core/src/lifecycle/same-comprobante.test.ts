import { describe, expect, it } from 'vitest';
import { sameComprobante } from './same-comprobante.js';

const signed = (value: string) =>
  `<factura><ds:Signature><ds:SignatureValue Id="a">${value}</ds:SignatureValue></ds:Signature></factura>`;

describe('same comprobante', () => {
  it.each([
    ['the same bytes', signed('QUJD'), signed('QUJD'), true],
    ['wrapped lines and a declaration', `<?xml version="1.0"?>\n${signed('QU\r\nJD\n')}`, signed('QUJD'), true],
    ['another prefix', signed('QUJD').replaceAll('ds:', 'dsig:'), signed('QUJD'), true],
    ['no prefix', '<SignatureValue>QUJD</SignatureValue>', signed('QUJD'), true],
    ['a prefix with a dash', signed('QUJD').replaceAll('ds:', 'xml-dsig:'), signed('QUJD'), true],
    ['another element before', `<SignatureValues>QUJE</SignatureValues>${signed('QUJD')}`, signed('QUJD'), true],
    ['no signature at all in the other', signed('QUJD'), '<factura/>', null],
    ['another signature', signed('QUJE'), signed('QUJD'), false],
    ['no signature at all', '<factura/>', signed('QUJD'), null],
    ['an empty signature', signed(''), signed('QUJD'), null],
  ])('%s', (_, one, other, expected) => {
    expect(sameComprobante(one, other)).toBe(expected);
  });
});
