import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XmlError, XmlNotSignableError } from '../errors.js';
import { javaVerdicts } from '../testing/java-judge.js';
import { createTestSigner } from '../testing/test-p12.js';
import { FOREIGN_ROOTS, foreignXml } from '../testing/xml-arbitrary.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import { signXml } from './sign-xml.js';
import type { SignatureAlgorithm } from './signer.js';
import { verifyXml } from './verify.js';

const hasXmlsec = hasTool('xmlsec1');
const signer = await createTestSigner();
const pem = signer.certificate.x509.toString();
const options = { signingTime: new Date() };

/** XML that this library would not write: each is signed as it stands. */
const FOREIGN: readonly { name: string; xml: string }[] = [
  { name: 'no declaration', xml: '<factura id="comprobante"><a>1</a></factura>' },
  {
    name: 'another form of the declaration',
    xml: "<?xml version='1.0' standalone='yes' ?><factura id='comprobante'/>",
  },
  { name: 'declared utf8', xml: '<?xml version="1.0" encoding="utf-8"?>\r\n<factura id="comprobante">á</factura>\r\n' },
  { name: 'CDATA', xml: '<factura id="comprobante"><a><![CDATA[<&]]]]><![CDATA[>]]></a></factura>' },
  { name: 'comments inside', xml: '<factura id="comprobante">1<!-- </factura> --><a>2<!---->3</a></factura>' },
  {
    name: 'comments before and after',
    xml: '<!-- <factura> --><factura id="comprobante"></factura>\n<!-- </factura> -->\n',
  },
  {
    name: 'numeric references',
    xml: '<factura id="comprobante" x="&#13;&#x9;&#10;">&#13;&#x1F600;&#xE9;&#60;</factura>',
  },
  { name: 'CR and LF', xml: '<factura\r\n id="comprobante"\r>\r\n<a\r\n>x\ry</a\r\n>\r\n</factura\r\n>' },
  { name: 'quotes in attributes', xml: `<factura x='say "hi"' id='comprobante' y="it's"><a z='"'/></factura>` },
  { name: 'a raw greater-than sign', xml: '<factura id="comprobante" x=">"><a x="/>"/>a>b</factura>' },
  { name: 'empty elements', xml: '<factura id="comprobante"><a/><b></b><c /></factura>' },
  { name: 'a root that closes itself', xml: '<factura id="comprobante" />' },
  { name: 'white space before the end of tags', xml: '<factura id="comprobante"  ><a ></a ></factura\t>' },
  { name: 'accents and astral characters', xml: '<factura id="comprobante" ñ="é"><año>😀 𝒳 e\u0301</año></factura>' },
  {
    name: 'NEL, LINE SEPARATOR and the replacement character',
    xml: '<factura id="comprobante">\u0085\u2028\ufffd</factura>',
  },
  { name: 'attributes in any order', xml: '<factura version="1.1.0" id="comprobante" Version="2" _="3"/>' },
  {
    name: 'namespaces on the root',
    xml: '<factura xmlns:z="urn:z" xmlns:B="urn:b" z:a="1" B:a="2" id="comprobante"><z:a/></factura>',
  },
  {
    name: 'the signature’s own prefixes, bound otherwise',
    xml: '<factura xmlns:ds="urn:z" xmlns:etsi="urn:y" id="comprobante"><ds:a/></factura>',
  },
  {
    name: 'the signature’s own prefixes, bound alike',
    xml: '<factura xmlns:ds="http://www.w3.org/2000/09/xmldsig#" id="comprobante"><a/></factura>',
  },
  {
    name: 'namespaces on inner elements',
    xml: '<factura id="comprobante"><a xmlns="urn:a" xmlns:p="urn:p"><p:b xmlns:p="urn:q"/></a></factura>',
  },
  { name: 'a default namespace', xml: '<factura xmlns="urn:a" id="comprobante"><a xmlns=""><b/></a></factura>' },
  {
    name: 'xml:lang, xml:space and xml:base',
    xml: '<factura xml:lang="es" xml:space="preserve" xml:base="http://x/" id="comprobante"> <a xml:lang="en"/></factura>',
  },
  {
    name: 'processing instructions',
    xml: '<?a?><factura id="comprobante"><?b  c ?><!-- d --><?e?></factura><?f </factura>?>',
  },
];
const ROOTS = [...FOREIGN_ROOTS, 'urn:a:factura'];

describe('foreign XML is signed as it stands', () => {
  it.each(FOREIGN)('$name', async ({ xml }) => {
    const signed = await signXml(xml, signer, options);
    expect((await verifyXml(signed)).checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(withoutSignature(signed)).toBe(xml.replace(/ ?\/>$/, (end) => `${end.slice(0, -2)}></factura>`));
    if (hasXmlsec) expect(xmlsecComplaints([signed], pem, ROOTS)).toBe('');
  });

  it('but for a byte-order mark, which the SRI does not take', async () => {
    const xml = '<?xml version="1.0"?><factura id="comprobante"></factura>';
    expect(withoutSignature(await signXml(`\ufeff${xml}`, signer, options))).toBe(xml);
  });

  it('with ids that the document does not use', async () => {
    let digit = 0;
    const random = { bytes: (count: number) => new Uint8Array(count).fill(digit++) }; // 000000, then 111111
    const xml = '<factura id="comprobante"><a Id="SignatureValue000000"/></factura>';
    const signed = await signXml(xml, signer, { ...options, random });
    expect(signed).toContain('Id="Signature111111"');
  });

  it.each<SignatureAlgorithm>(['rsa-sha1', 'rsa-sha256'])(
    'and %s is good for whatever tree it is',
    async (algorithm) => {
      const documents: string[] = [];
      await fc.assert(
        fc.asyncProperty(foreignXml(), async (xml) => {
          const signed = await signXml(xml, signer, { ...options, algorithm });
          const report = await verifyXml(signed);
          expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
          expect(report.valid).toBe(true);
          documents.push(signed);
        }),
        { numRuns: 300 },
      );
      if (hasXmlsec) expect(xmlsecComplaints(documents, pem, ROOTS)).toBe('');
    },
  );

  it.skipIf(!hasTool('java'))('as Java says too, which the SRI validates with', async () => {
    const trees = fc.sample(foreignXml(), 100);
    const documents = [...FOREIGN.map(({ xml }) => xml), ...trees].map((xml) => signXml(xml, signer, options));
    const verdicts = javaVerdicts([...(await Promise.all(documents)), 'not XML'], pem);
    expect(verdicts.slice(0, -1).filter((verdict) => verdict !== 'true')).toEqual([]);
    expect(verdicts.at(-1)).toContain('Exception');
  });
});

describe('foreign XML that is refused', () => {
  const root = (content: string) => `<factura id="comprobante">${content}</factura>`;

  it.each([
    { name: 'no id on the root', xml: '<factura><a id="comprobante"/></factura>', reason: 'comprobanteIdMissing' },
    { name: 'another id on the root', xml: '<factura id="Comprobante"/>', reason: 'comprobanteIdMissing' },
    { name: 'the id twice', xml: root('<a id="comprobante"/>'), reason: 'duplicateId' },
    { name: 'the id twice, by another attribute', xml: root('<a ID="comprobante"/>'), reason: 'duplicateId' },
    {
      name: 'a declared encoding other than UTF-8',
      xml: `<?xml version="1.0" encoding="ISO-8859-1"?>${root('')}`,
      reason: 'encodingNotUtf8',
    },
    {
      name: 'signed already',
      xml: root('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'),
      reason: 'alreadySigned',
    },
  ])('$name', async ({ xml, reason }) => {
    const refusal = await signXml(xml, signer, options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(XmlNotSignableError);
    expect(refusal).toMatchObject({ code: 'XML_NOT_SIGNABLE', reason });
  });

  it.each([
    { name: 'a DOCTYPE', xml: `<!DOCTYPE factura [<!ENTITY x "y">]>${root('&x;')}` },
    { name: 'a relative namespace', xml: root('<a xmlns="a"/>') },
    { name: 'not well formed', xml: root('A & B') },
    { name: 'too large', xml: root('x'.repeat(513 * 1024)) },
    { name: 'too deep', xml: root('<a>'.repeat(64) + '</a>'.repeat(64)) },
    { name: 'nothing', xml: '' },
  ])('$name', async ({ xml }) => {
    await expect(signXml(xml, signer, options)).rejects.toThrow(XmlError);
  });
});

function withoutSignature(signed: string): string {
  return signed.replace(/<ds:Signature .*<\/ds:Signature>/, '');
}
