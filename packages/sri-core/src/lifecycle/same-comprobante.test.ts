import { beforeAll, describe, expect, it } from 'vitest';
import { signXml } from '../signing/sign-xml.js';
import { testSigner } from '../testing/engine-bench.js';
import { compareComprobante } from './same-comprobante.js';

const FACTURA = '<factura id="comprobante" version="1.1.0"><a>uno</a>\n<importeTotal>11.50</importeTotal></factura>';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
let ours = '';
let other = '';

beforeAll(async () => {
  const signer = await testSigner();
  const signingTime = new Date('2026-11-21T15:00:00Z');
  ours = await signXml(DECLARATION + FACTURA, signer, { signingTime });
  other = await signXml(FACTURA.replace('11.50', '99.50'), signer, { signingTime });
});

const VALUE = /(<ds:SignatureValue[^>]*>)[^<]*/;

describe('the SRI’s comprobante, compared with the signed file', () => {
  it.each([
    ['the same bytes', () => ours, 'same'],
    ['another declaration', () => ours.replace(DECLARATION, '<?xml version="1.0"?>\n'), 'same'],
    ['other line ends', () => ours.replaceAll('\n', '\r\n'), 'same'],
    [
      'attributes in another order',
      () => ours.replace('id="comprobante" version="1.1.0"', 'version="1.1.0" id="comprobante"'),
      'same',
    ],
    ['another total under our signature', () => ours.replace('11.50', '99.50'), 'spoilt'],
    ['blanks that were not there', () => ours.replace('<a>', ' <a>'), 'spoilt'],
    ['our certificate changed', () => ours.replace(/(<ds:X509Certificate>)./, '$1X'), 'spoilt'],
    ['another signature value', () => ours.replace(VALUE, '$1QUJD'), 'another'],
    ['another document that is signed well', () => other, 'another'],
    ['no signature', () => FACTURA, 'spoilt'],
    ['an empty signature value', () => ours.replace(VALUE, '$1 '), 'spoilt'],
    ['HTML', () => '<html><body>Request Rejected<br></body></html>', 'spoilt'],
    ['a DOCTYPE', () => `<!DOCTYPE factura>${ours.replace(DECLARATION, '')}`, 'spoilt'],
    ['more than a comprobante may have', () => `${ours}<!--${'x'.repeat(512 * 1024)}-->`, 'spoilt'],
  ])('compares the SRI’s comprobante with the signed file: %s', async (_, text, expected) => {
    expect(await compareComprobante(text(), ours)).toBe(expected);
  });

  it('finds a comprobante spoilt when it equals a signed file that does not verify', async () => {
    const broken = ours.replace('11.50', '99.50');
    expect(await compareComprobante(`${broken}\n`, broken)).toBe('spoilt');
  });

  it.each([
    ['a start that never ends', '<ds:SignatureValue '],
    ['elements that never end', '<ds:SignatureValue>'],
    ['brackets', '<'],
  ])('compares in linear time: %s', async (_, piece) => {
    const text = piece.repeat(Math.floor((480 * 1024) / piece.length));
    const begun = performance.now();
    expect(await compareComprobante(text, ours)).toBe('spoilt');
    // An earlier pattern took over ten seconds for this.
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
