import { expect, it } from 'vitest';
import { keyInfo, references, signature, signed, signedInfo, swap } from '../testing/signed-sample.js';
import { verifyXml } from './verify.js';
import { XADES } from './xmldsig.js';

const signatureValue = /<ds:SignatureValue.*<\/ds:SignatureValue>/.exec(signed)?.[0] ?? '';
const properties = /<etsi:QualifyingProperties.*<\/etsi:QualifyingProperties>/.exec(signed)?.[0] ?? '';
const signedProperties = /<etsi:SignedProperties.*<\/etsi:SignedProperties>/.exec(signed)?.[0] ?? '';
const aboutSignature = /<etsi:SignedSignatureProperties>.*<\/etsi:SignedSignatureProperties>/.exec(signed)?.[0] ?? '';
const odd = '<ds:Odd></ds:Odd>';

/** The signed document with one of its parts written in another way. */
const put = (from: string | RegExp, to: string) => swap(signed, from, to);

it.each([
  {
    name: 'SignatureValue before SignedInfo',
    xml: put(signedInfo + signatureValue, signatureValue + signedInfo),
    told: 'SignedInfo is not the first',
  },
  { name: 'no SignatureValue', xml: put(signatureValue, ''), told: 'SignatureValue is missing' },
  {
    name: 'KeyInfo before SignatureValue',
    xml: put(signatureValue + keyInfo, keyInfo + signatureValue),
    told: 'SignatureValue is missing or not the second',
  },
  { name: 'no KeyInfo', xml: put(keyInfo, ''), told: 'KeyInfo is missing' },
  {
    name: 'an Object before KeyInfo',
    xml: put(keyInfo, `<ds:Object></ds:Object>${keyInfo}`),
    told: 'KeyInfo is missing or not the third',
  },
  { name: 'a part of no known name', xml: put(keyInfo, keyInfo + odd), told: 'other than Object' },
  { name: 'text between the parts', xml: put(keyInfo, `${keyInfo}text`), told: 'Text stands between' },
  {
    name: 'no CanonicalizationMethod',
    xml: put(/<ds:CanonicalizationMethod.*?<\/ds:CanonicalizationMethod>/, ''),
    told: 'does not begin with CanonicalizationMethod',
  },
  {
    name: 'nothing in SignedInfo',
    xml: put(/(?<=<ds:SignedInfo [^>]*>).*(?=<\/ds:SignedInfo>)/, ''),
    told: 'does not begin with CanonicalizationMethod',
  },
  {
    name: 'no SignatureMethod',
    xml: put(/<ds:SignatureMethod.*?<\/ds:SignatureMethod>/, ''),
    told: 'SignatureMethod is missing',
  },
  {
    name: 'CanonicalizationMethod alone',
    xml: put(/(?<=<\/ds:CanonicalizationMethod>).*(?=<\/ds:SignedInfo>)/, ''),
    told: 'SignatureMethod is missing',
  },
  {
    name: 'sixteen references and one',
    xml: put(references.comprobante, references.comprobante.repeat(15)),
    told: 'more than 16 references',
  },
  {
    name: 'no reference but something else',
    xml: put(references.comprobante, references.comprobante + odd),
    told: 'other than references',
  },
  {
    name: 'a reference without digest',
    xml: put(/<ds:DigestValue>[^<]*<\/ds:DigestValue><\/ds:Reference>/, '</ds:Reference>'),
    told: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference that does not tell its digest’s method',
    xml: put(references.keyInfo, swap(references.keyInfo, /<ds:DigestMethod.*<\/ds:DigestMethod>/, '')),
    told: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference that begins with something else',
    xml: put(references.keyInfo, swap(references.keyInfo, '<ds:DigestMethod', `${odd}<ds:DigestMethod`)),
    told: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference with two digests',
    xml: put(
      references.keyInfo,
      swap(references.keyInfo, '</ds:Reference>', `<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>`),
    ),
    told: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a DigestValue of no namespace',
    xml: put(
      references.keyInfo,
      swap(references.keyInfo, /<ds:DigestValue>([^<]*)<\/ds:DigestValue>/, '<DigestValue>AAAA</DigestValue>'),
    ),
    told: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'XAdES of another version',
    xml: signed.replaceAll(XADES, 'http://uri.etsi.org/01903/v1.1.1#'),
    told: 'QualifyingProperties is of "http://uri.etsi.org/01903/v1.1.1#"',
  },
  { name: 'no QualifyingProperties', xml: put(properties, ''), told: 'There are 0 QualifyingProperties' },
  {
    name: 'two QualifyingProperties',
    xml: put(properties, properties + properties),
    told: 'There are 2 QualifyingProperties',
  },
  { name: 'QualifyingProperties deeper', xml: put(properties, `<a>${properties}</a>`), told: 'not in an Object' },
  {
    name: 'two SignedProperties',
    xml: put(signedProperties, signedProperties + signedProperties),
    told: 'several SignedProperties',
  },
  {
    name: 'SignedProperties deeper',
    xml: put(signedProperties, `<a>${signedProperties}</a>`),
    told: 'SignedProperties is missing or out of place',
  },
  { name: 'no SignedProperties', xml: put(signedProperties, ''), told: 'SignedProperties is missing or out of place' },
  {
    name: 'no SignedSignatureProperties',
    xml: put(aboutSignature, ''),
    told: 'no SignedSignatureProperties, or several',
  },
  {
    name: 'two SignedSignatureProperties',
    xml: put(aboutSignature, aboutSignature + aboutSignature),
    told: 'no SignedSignatureProperties, or several',
  },
  {
    name: 'no Id of the signature',
    xml: put(/(?<=<ds:Signature [^>]*) Id="[^"]*"/, ''),
    told: 'Target of QualifyingProperties',
  },
  { name: 'no Target', xml: put(/ Target="[^"]*"/, ''), told: 'Target of QualifyingProperties is' },
])('a signature out of shape is refused, and the report says where: $name', async ({ xml, told }) => {
  const { valid, checks } = await verifyXml(xml);
  expect(valid).toBe(false);
  const structure = checks.find(({ check }) => check === 'structure');
  expect(structure).toMatchObject({ ok: false, detail: expect.stringContaining(told) });
});

it.each([
  { name: 'sixteen references', xml: put(references.comprobante, references.comprobante.repeat(14)) },
  { name: 'a second Object', xml: put('</ds:Signature>', '<ds:Object></ds:Object></ds:Signature>') },
  { name: 'blanks between the parts', xml: put(signature, signature.replace(keyInfo, `\n${keyInfo}\n`)) },
])('what XMLDSig allows beside them is no flaw: $name', async ({ xml }) => {
  const { checks } = await verifyXml(xml);
  expect(checks.find(({ check }) => check === 'structure')).toMatchObject({ ok: true });
});

it.each([
  ...['DigestValue', 'SignatureValue', 'X509Certificate', 'Modulus', 'Exponent', 'X509IssuerName', 'X509SerialNumber'],
  'SigningTime',
])('two readers might see two values where something cuts a text, so it is refused: %s', async (name) => {
  for (const cut of ['<!-- -->', '<a></a>', '<![CDATA[0]]>', '<![CDATA[]]>', '<?a?>']) {
    const { checks } = await verifyXml(put(new RegExp(`(?<=<(?:ds|etsi):${name}[^>]*>..)`), cut));
    expect(checks.find(({ check }) => check === 'plainValues')).toMatchObject({
      ok: false,
      detail: expect.stringContaining(name),
    });
  }
});

it('an empty CDATA section cuts a value wherever it stands in it, and is nothing in a text of the comprobante', async () => {
  const plainValues = async (xml: string) =>
    (await verifyXml(xml)).checks.find(({ check }) => check === 'plainValues')?.ok;
  const value = /(<ds:SignatureValue[^>]*>)([^<]*)/.exec(signed) ?? [];
  const [whole = '', tag = '', text = ''] = value;
  for (const cut of [
    `${tag}<![CDATA[]]>${text}`,
    `${tag}${text}<![CDATA[]]>`,
    `${tag}<![CDATA[]]><![CDATA[]]>${text}`,
  ]) {
    expect(await plainValues(put(whole, cut))).toBe(false);
  }
  const prefixed = signed.replaceAll('<ds:', '<ñ-1:').replaceAll('</ds:', '</ñ-1:').replace('xmlns:ds', 'xmlns:ñ-1');
  expect(await plainValues(prefixed)).toBe(true);
  expect(await plainValues(prefixed.replace(/(<ñ-1:SignatureValue[^>]*>)/, '$1<![CDATA[]]>'))).toBe(false);
  expect(await plainValues(put('<a>', '<a><![CDATA[]]>'))).toBe(true);
});
