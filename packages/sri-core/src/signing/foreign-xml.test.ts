import { describe, expect, it } from 'vitest';
import { XmlError, XmlNotSignableError } from '../errors.js';
import { FOREIGN_SAMPLES } from '../testing/foreign-samples.js';
import { createTestSigner } from '../testing/test-p12.js';
import { FOREIGN_ROOTS } from '../testing/xml-arbitrary.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import { signXml } from './sign-xml.js';
import { verifyXml } from './verify.js';

const hasXmlsec = hasTool('xmlsec1');
const signer = await createTestSigner();
const pem = signer.certificate.x509.toString();
const options = { signingTime: new Date() };

const ROOTS = [...FOREIGN_ROOTS, 'urn:a:factura'];

describe('the signing of foreign XML', () => {
  it.each(FOREIGN_SAMPLES)('signXml leaves foreign XML unchanged: $name', async ({ xml }) => {
    const signed = await signXml(xml, signer, options);
    expect((await verifyXml(signed)).checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(withoutSignature(signed)).toBe(xml.replace(/ ?\/>$/, (end) => `${end.slice(0, -2)}></factura>`));
    if (hasXmlsec) expect(xmlsecComplaints([signed], pem, ROOTS)).toBe('');
  });

  it.each([undefined, {}, { signingTime: '2026-11-21' }, { signingTime: new Date(Number.NaN) }])(
    'signXml rejects a signing time that is no Date: %j',
    async (wrong) => {
      const [sample] = FOREIGN_SAMPLES;
      const signing = signXml(sample?.xml ?? '', signer, wrong as never);
      await expect(signing).rejects.toThrow(new TypeError('signingTime has to be a Date.'));
    },
  );

  it('signXml drops a byte-order mark, which the SRI rejects', async () => {
    const xml = '<?xml version="1.0"?><factura id="comprobante"></factura>';
    expect(withoutSignature(await signXml(`\ufeff${xml}`, signer, options))).toBe(xml);
  });

  it('signXml accepts up to 512 KiB', async () => {
    const empty = '<factura id="comprobante"></factura>';
    const xml = empty.replace('><', `>${'x'.repeat(512 * 1024 - empty.length)}<`);
    expect(withoutSignature(await signXml(xml, signer, options))).toBe(xml);
  });

  it.each(['UTF-8', 'utf8', 'Utf-8'])('signXml accepts a declaration of %s', async (encoding) => {
    const xml = `<?xml version="1.0" encoding="${encoding}"?><factura id="comprobante">ñ</factura>`;
    expect((await verifyXml(await signXml(xml, signer, options))).valid).toBe(true);
  });

  it('signXml chooses ids that the document does not use', async () => {
    let digit = 0;
    const random = { bytes: (count: number) => new Uint8Array(count).fill(digit++) }; // 000000, then 111111
    const xml = '<factura id="comprobante"><a Id="SignatureValue000000"/></factura>';
    const signed = await signXml(xml, signer, { ...options, random });
    expect(signed).toContain('Id="Signature111111"');
  });
});

describe('rejected foreign XML', () => {
  const root = (content: string) => `<factura id="comprobante">${content}</factura>`;

  it.each<{ name: string; xml: string; reason: string }>([
    { name: 'no id on the root', xml: '<factura><a id="comprobante"/></factura>', reason: 'comprobanteIdMissing' },
    { name: 'another id on the root', xml: '<factura id="Comprobante"/>', reason: 'comprobanteIdMissing' },
    { name: 'the id twice', xml: root('<a id="comprobante"/>'), reason: 'duplicateId' },
    { name: 'the id twice, by another attribute', xml: root('<a ID="comprobante"/>'), reason: 'duplicateId' },
    {
      name: 'a declared encoding other than UTF-8',
      xml: `<?xml version="1.0" encoding="ISO-8859-1"?>${root('')}`,
      reason: 'encodingNotUtf8',
    },
    ...['UTF-16', 'UTF-8859', 'x-utf-8'].map((encoding) => ({
      name: `declared as ${encoding}`,
      xml: `<?xml version="1.0" encoding="${encoding}"?>${root('')}`,
      reason: 'encodingNotUtf8',
    })),
    {
      name: 'signed already',
      xml: root('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'),
      reason: 'alreadySigned',
    },
  ])('signXml rejects as not signable: $name', async ({ xml, reason }) => {
    const refusal = await signXml(xml, signer, options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(XmlNotSignableError);
    expect(refusal).toMatchObject({ code: 'XML_NOT_SIGNABLE', reason });
  });

  it.each([
    { name: 'a DOCTYPE', xml: `<!DOCTYPE factura [<!ENTITY x "y">]>${root('&x;')}` },
    { name: 'a relative namespace', xml: root('<a xmlns="a"/>') },
    { name: 'not well formed', xml: root('A & B') },
    { name: 'too large', xml: root('x'.repeat(512 * 1024 - root('').length + 1)) },
    { name: 'too large in bytes', xml: root('ñ'.repeat(257 * 1024)) },
    { name: 'too deep', xml: root('<a>'.repeat(64) + '</a>'.repeat(64)) },
    { name: 'nothing', xml: '' },
  ])('signXml rejects as invalid XML: $name', async ({ xml }) => {
    await expect(signXml(xml, signer, options)).rejects.toThrow(XmlError);
  });
});

function withoutSignature(signed: string): string {
  return signed.replace(/<ds:Signature .*<\/ds:Signature>/, '');
}
