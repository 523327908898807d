import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resign } from '../testing/resign.js';
import { sampleFactura } from '../testing/sample-comprobante.js';
import {
  certificateText,
  identity,
  keyValue,
  privateKey,
  references,
  signed,
  signer,
  signingTime,
  swap,
  toBase64,
  unsigned,
} from '../testing/signed-sample.js';
import { createTestSigner } from '../testing/test-p12.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import { canonicalize } from '../xml/c14n.js';
import { findElements } from '../xml/elements.js';
import { parseDom } from '../xml/reader.js';
import { signXml } from './sign-xml.js';
import { verifyXml } from './verify.js';
import { signCanonicalXml } from './xades.js';
import { C14N, DS } from './xmldsig.js';

const hasXmlsec = hasTool('xmlsec1');

describe('signatures of every make are valid', () => {
  const authority = `<ds:X509Certificate>${toBase64(identity.authority)}</ds:X509Certificate>`;
  const issuer = signer.certificate.issuerName;
  it.each([
    { name: 'as it was made', xml: signed },
    { name: 'RSA-SHA256', xml: signCanonicalXml(unsigned, signer, { signingTime, algorithm: 'rsa-sha256' }) },
    { name: 'two references', xml: resign(swap(signed, references.keyInfo, ''), privateKey) },
    {
      name: 'references in another order',
      xml: resign(
        swap(swap(signed, references.comprobante, ''), references.keyInfo, references.comprobante + references.keyInfo),
        privateKey,
      ),
    },
    {
      name: 'the prefix xades',
      xml: resign(signed.replaceAll('etsi:', 'xades:').replace('xmlns:etsi', 'xmlns:xades'), privateKey),
    },
    { name: 'no prefix', xml: resign(signed.replaceAll('ds:', '').replace('xmlns:ds', 'xmlns'), privateKey) },
    {
      name: 'namespaces declared on the root',
      xml: resign(swap(swap(signed, ` xmlns:ds="${DS}"`, ''), '<factura', `<factura xmlns:ds="${DS}"`), privateKey),
    },
    {
      name: 'ids of another style',
      xml: resign(
        signed.replace(/(Signature-SignedInfo|Certificate|Reference-ID-|SignedPropertiesID)\d+/g, 'xmldsig-1f-$1'),
        privateKey,
      ),
    },
    {
      name: 'the chain in KeyInfo, authority first',
      xml: resign(swap(signed, '<ds:X509Certificate>', `${authority}<ds:X509Certificate>`), privateKey),
    },
    {
      name: 'the same without KeyValue',
      xml: resign(
        swap(swap(signed, '<ds:X509Certificate>', `${authority}<ds:X509Certificate>`), keyValue, ''),
        privateKey,
      ),
    },
    { name: 'line breaks between the parts', xml: resign(signed.replaceAll('><', '>\n  <'), privateKey) },
    {
      name: 'line breaks in base64',
      xml: resign(signed.replace(certificateText, certificateText.replace(/.{76}/g, '$&\n')), privateKey),
    },
    {
      name: 'C14N named as a transform',
      xml: resign(swap(signed, '</ds:Transforms>', `<ds:Transform Algorithm="${C14N}"/></ds:Transforms>`), privateKey),
    },
    {
      name: 'the issuer in other words',
      xml: resign(
        swap(signed, issuer, issuer.replaceAll(',', ', ').replaceAll('\\, ', '\\,').replace('CN=', 'cn=')),
        privateKey,
      ),
    },
    { name: 'the style of xades4j', xml: xades4jStyle() },
    {
      name: 'no DataObjectFormat',
      xml: resign(
        swap(signed, /<etsi:SignedDataObjectProperties>.*<\/etsi:SignedDataObjectProperties>/, ''),
        privateKey,
      ),
    },
    {
      name: 'UnsignedProperties',
      xml: swap(signed, '</etsi:QualifyingProperties>', '<etsi:UnsignedProperties/></etsi:QualifyingProperties>'),
    },
    { name: 'a comment in the document', xml: swap(signed, '<b>', '<!-- b --><b>') },
    {
      name: 'another declaration and a byte-order mark',
      xml: swap(signed, '<?xml version="1.0" encoding="UTF-8"?>', "\ufeff<?xml version='1.0'?>"),
    },
  ])('$name', async ({ xml }) => {
    const report = await verifyXml(await xml, { now: new Date() });
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.valid).toBe(true);
    expect(report.signer).toMatchObject({ ruc: '1799999990001', commonName: 'PRUEBA COMPAÑÍA LIMITADA' });
  });

  it.skipIf(!hasXmlsec)('as xmlsec1 says too', () => {
    const pretty = resign(signed.replaceAll('><', '>\n  <'), privateKey);
    expect(xmlsecComplaints([signed, pretty], signer.certificate.x509.toString(), ['factura'])).toBe('');
  });
});

describe('the RUC of the certificate', () => {
  const { xml } = sampleFactura({ ruc: '1760013210001' });
  const verify = async (ruc: string, edit = (text: string) => text) => {
    const holder = await createTestSigner({ ruc });
    return verifyXml(await signXml(edit(xml), holder, { signingTime }), { now: new Date() });
  };

  it('is the issuer’s: nothing to tell', async () => {
    expect(await verify('1760013210001')).toMatchObject({ valid: true, warnings: [] });
  });

  it('is another one: the signature holds, and a warning says what the SRI will make of it', async () => {
    expect(await verify('1790012345001')).toMatchObject({
      valid: true,
      warnings: [
        {
          code: 'CERTIFICATE_OF_ANOTHER_RUC',
          message: { en: expect.stringMatching(/1790012345001 .* 1760013210001: the SRI refuses/) },
        },
      ],
    });
  });

  it('is compared with what stands in the file, whatever that is', async () => {
    const report = await verify('1790012345001', (text) => swap(text, '<ruc>1760013210001', '<ruc>x\u0085y'));
    expect(report.warnings[0]?.message.es).toContain('"');
    expect((await verifyXml(signed)).warnings).toEqual([]);
  });
});

describe('hostile input', () => {
  it('is reported, never thrown', async () => {
    const tokens = signed.split(/(?=[<>"=&])|(?<=[<>"=&])/);
    const edit = fc.record({
      at: fc.nat({ max: tokens.length - 1 }),
      what: fc.oneof(
        fc.constantFrom(
          '',
          '<',
          '>',
          '&',
          '"',
          '<!--x-->',
          '<![CDATA[',
          ']]>',
          '<a/>',
          '</factura>',
          '\u0000',
          'Id="Signature"',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
        fc.nat({ max: tokens.length - 1 }).map((index) => tokens[index] ?? ''),
      ),
      cut: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const changed = [...tokens];
        for (const { at, what, cut } of edits) changed.splice(at, cut, what);
        const report = await verifyXml(changed.join(''));
        if (report.valid) expect(content(changed.join(''))).toBe(content(signed));
      }),
      { numRuns: 1500 },
    );
  });

  const fill = (unit: string) => unit.repeat(Math.floor(400_000 / unit.length));
  it.each([
    { name: 'elements', xml: swap(signed, '<a>', `<a>${fill('<b/>')}`) },
    { name: 'namespaces', xml: swap(signed, '<a>', `<a>${fill('<b xmlns="urn:a" xmlns:p="urn:b"/>')}`) },
    {
      name: 'prefixes',
      xml: swap(signed, '<a>', `<a>${Array.from({ length: 9000 }, (_, n) => `<b xmlns:p${n}="urn:b"/>`).join('')}`),
    },
    {
      name: 'attributes',
      xml: swap(signed, '<a>', `<a>${`<b ${Array.from({ length: 9000 }, (_, n) => `a${n}="x"`).join(' ')}/>`}`),
    },
    { name: 'ids', xml: swap(signed, '<a>', `<a>${fill('<b id="x"/>')}`) },
    { name: 'comments before the root', xml: swap(signed, '<factura', `${fill('<!---->')}<factura`) },
    { name: 'references', xml: swap(signed, references.keyInfo, fill(references.keyInfo)) },
    {
      name: 'certificates',
      xml: swap(
        signed,
        /<ds:X509Certificate>.*<\/ds:X509Certificate>/,
        fill(`<ds:X509Certificate>${certificateText}</ds:X509Certificate>`),
      ),
    },
    { name: 'nesting', xml: swap(signed, '<a>', fill('<a>')) },
    { name: 'an open tag', xml: swap(signed, '<a>', `<a ${fill('b=')}`) },
    { name: 'blanks', xml: swap(signed, '<a>', `<a ${fill(' ')}`) },
    { name: 'an issuer name', xml: swap(signed, /<ds:X509IssuerName>/, `<ds:X509IssuerName>${fill('CN=\\\\"')}`) },
    { name: 'a serial number', xml: swap(signed, /<ds:X509SerialNumber>/, `<ds:X509SerialNumber>${fill('9')}`) },
    { name: 'base64', xml: swap(signed, /<ds:SignatureValue[^>]*>/, `<ds:SignatureValue>${fill('AAAA ')}`) },
  ])('with too many or too long $name is refused in good time', async ({ xml }) => {
    const started = performance.now();
    const { valid } = await verifyXml(xml);
    expect(valid).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000); // some tens to hundreds of milliseconds; the square would be minutes
  });
});

/** Two references with the comprobante first, SHA-256, KeyInfo without Id and key: as a real file of 2023 has it. */
async function xades4jStyle(): Promise<string> {
  const sha256 = await signCanonicalXml(unsigned, signer, { signingTime, algorithm: 'rsa-sha256' });
  const [properties = '', ofKeyInfo = '', comprobante = ''] = sha256.match(/<ds:Reference .*?<\/ds:Reference>/g) ?? [];
  const reordered = swap(swap(swap(sha256, properties, ''), ofKeyInfo, ''), comprobante, comprobante + properties);
  const bare = swap(swap(reordered, /(?<=<ds:KeyInfo) Id="[^"]*"/, ''), keyValue, '');
  const named = bare.replaceAll('etsi:', 'xades:').replace('xmlns:etsi', 'xmlns:xades');
  const ids = named.replace(/(Signature-SignedInfo|Reference-ID-|SignedPropertiesID)\d+/g, 'xmldsig-6f2e-$1');
  return resign(swap(ids, 'contenido comprobante', 'FIRMA DIGITAL SRI'), privateKey);
}

/** What a reader of the document sees, but for comments. */
function content(xml: string): string {
  const root = parseDom(xml.replace(/^\ufeff/, ''), 1e6);
  const [found] = findElements(root, DS, 'Signature');
  return found ? canonicalize(root, { omit: found }) : '';
}
