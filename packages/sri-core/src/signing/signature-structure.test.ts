import { expect, it } from 'vitest';
import { keyInfo, references, signature, signed, signedInfo, swap } from '../testing/signed-sample.js';
import { verifyXml } from './verify.js';
import { XADES } from './xmldsig.js';

const signatureValue = /<ds:SignatureValue.*<\/ds:SignatureValue>/.exec(signed)?.[0] ?? '';
const properties = /<etsi:QualifyingProperties.*<\/etsi:QualifyingProperties>/.exec(signed)?.[0] ?? '';
const signedProperties = /<etsi:SignedProperties.*<\/etsi:SignedProperties>/.exec(signed)?.[0] ?? '';
const aboutSignature = /<etsi:SignedSignatureProperties>.*<\/etsi:SignedSignatureProperties>/.exec(signed)?.[0] ?? '';
const odd = '<ds:Odd></ds:Odd>';

/** The signed document with one of its parts rewritten. */
const put = (from: string | RegExp, to: string) => swap(signed, from, to);

it.each([
  {
    name: 'SignatureValue before SignedInfo',
    xml: put(signedInfo + signatureValue, signatureValue + signedInfo),
    message: 'SignedInfo is not the first',
  },
  { name: 'no SignatureValue', xml: put(signatureValue, ''), message: 'SignatureValue is missing' },
  {
    name: 'KeyInfo before SignatureValue',
    xml: put(signatureValue + keyInfo, keyInfo + signatureValue),
    message: 'SignatureValue is missing or not the second',
  },
  { name: 'no KeyInfo', xml: put(keyInfo, ''), message: 'KeyInfo is missing' },
  {
    name: 'an Object before KeyInfo',
    xml: put(keyInfo, `<ds:Object></ds:Object>${keyInfo}`),
    message: 'KeyInfo is missing or not the third',
  },
  { name: 'an unknown part', xml: put(keyInfo, keyInfo + odd), message: 'other than Object' },
  {
    name: 'an Object of another namespace',
    xml: put('</ds:Signature>', '<etsi:Object></etsi:Object></ds:Signature>'),
    message: 'other than Object',
  },
  { name: 'text between the parts', xml: put(keyInfo, `${keyInfo}text`), message: 'Text stands between' },
  {
    name: 'no CanonicalizationMethod',
    xml: put(/<ds:CanonicalizationMethod.*?<\/ds:CanonicalizationMethod>/, ''),
    message: 'does not begin with CanonicalizationMethod',
  },
  {
    name: 'an empty SignedInfo',
    xml: put(/(?<=<ds:SignedInfo [^>]*>).*(?=<\/ds:SignedInfo>)/, ''),
    message: 'does not begin with CanonicalizationMethod',
  },
  {
    name: 'no SignatureMethod',
    xml: put(/<ds:SignatureMethod.*?<\/ds:SignatureMethod>/, ''),
    message: 'SignatureMethod is missing',
  },
  {
    name: 'CanonicalizationMethod alone',
    xml: put(/(?<=<\/ds:CanonicalizationMethod>).*(?=<\/ds:SignedInfo>)/, ''),
    message: 'SignatureMethod is missing',
  },
  {
    name: 'seventeen references',
    xml: put(references.comprobante, references.comprobante.repeat(15)),
    message: 'more than 16 references',
  },
  {
    name: 'another element instead of a reference',
    xml: put(references.comprobante, references.comprobante + odd),
    message: 'other than references',
  },
  {
    name: 'a reference without a digest',
    xml: put(/<ds:DigestValue>[^<]*<\/ds:DigestValue><\/ds:Reference>/, '</ds:Reference>'),
    message: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference without a digest method',
    xml: put(references.keyInfo, swap(references.keyInfo, /<ds:DigestMethod.*<\/ds:DigestMethod>/, '')),
    message: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference that starts with another element',
    xml: put(references.keyInfo, swap(references.keyInfo, '<ds:DigestMethod', `${odd}<ds:DigestMethod`)),
    message: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a reference with two digests',
    xml: put(
      references.keyInfo,
      swap(references.keyInfo, '</ds:Reference>', `<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>`),
    ),
    message: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'a DigestValue without a namespace',
    xml: put(
      references.keyInfo,
      swap(references.keyInfo, /<ds:DigestValue>([^<]*)<\/ds:DigestValue>/, '<DigestValue>AAAA</DigestValue>'),
    ),
    message: 'not made of Transforms, DigestMethod and DigestValue',
  },
  {
    name: 'XAdES of another version',
    xml: signed.replaceAll(XADES, 'http://uri.etsi.org/01903/v1.1.1#'),
    message: 'QualifyingProperties is of "http://uri.etsi.org/01903/v1.1.1#"',
  },
  { name: 'no QualifyingProperties', xml: put(properties, ''), message: 'There are 0 QualifyingProperties' },
  {
    name: 'two QualifyingProperties',
    xml: put(properties, properties + properties),
    message: 'There are 2 QualifyingProperties',
  },
  { name: 'QualifyingProperties deeper', xml: put(properties, `<a>${properties}</a>`), message: 'not in an Object' },
  {
    name: 'two SignedProperties',
    xml: put(signedProperties, signedProperties + signedProperties),
    message: 'several SignedProperties',
  },
  {
    name: 'SignedProperties deeper',
    xml: put(signedProperties, `<a>${signedProperties}</a>`),
    message: 'SignedProperties is missing or out of place',
  },
  {
    name: 'no SignedProperties',
    xml: put(signedProperties, ''),
    message: 'SignedProperties is missing or out of place',
  },
  {
    name: 'no SignedSignatureProperties',
    xml: put(aboutSignature, ''),
    message: 'no SignedSignatureProperties, or several',
  },
  {
    name: 'two SignedSignatureProperties',
    xml: put(aboutSignature, aboutSignature + aboutSignature),
    message: 'no SignedSignatureProperties, or several',
  },
  {
    name: 'two SigningTime',
    xml: put(/<etsi:SigningTime>/, '<etsi:SigningTime>2020-01-01T00:00:00Z</etsi:SigningTime><etsi:SigningTime>'),
    message: 'two parts of one name',
  },
  {
    name: 'no Id of the signature',
    xml: put(/(?<=<ds:Signature [^>]*) Id="[^"]*"/, ''),
    message: 'Target of QualifyingProperties',
  },
  {
    name: 'no Id of the signature, with the Target «#null»',
    xml: swap(put(/(?<=<ds:Signature [^>]*) Id="[^"]*"/, ''), / Target="[^"]*"/, ' Target="#null"'),
    message: 'Target of QualifyingProperties',
  },
  { name: 'no Target', xml: put(/ Target="[^"]*"/, ''), message: 'Target of QualifyingProperties is' },
])('a malformed signature is rejected, and the report names the part: $name', async ({ xml, message }) => {
  const { valid, checks } = await verifyXml(xml);
  expect(valid).toBe(false);
  const structure = checks.find(({ check }) => check === 'structure');
  expect(structure).toMatchObject({ ok: false, detail: expect.stringContaining(message) });
});

it.each([
  { name: 'sixteen references', xml: put(references.comprobante, references.comprobante.repeat(14)) },
  { name: 'a second Object', xml: put('</ds:Signature>', '<ds:Object></ds:Object></ds:Signature>') },
  { name: 'blanks between the parts', xml: put(signature, signature.replace(keyInfo, `\n${keyInfo}\n`)) },
])('other parts that XMLDSig allows are valid: $name', async ({ xml }) => {
  const { checks } = await verifyXml(xml);
  expect(checks.find(({ check }) => check === 'structure')).toMatchObject({ ok: true });
});

it.each([
  ...['DigestValue', 'SignatureValue', 'X509Certificate', 'Modulus', 'Exponent', 'X509IssuerName', 'X509SerialNumber'],
  'SigningTime',
])('a split text, which two readers may see differently, is rejected: %s', async (name) => {
  for (const cut of ['<!-- -->', '<a></a>', '<![CDATA[0]]>', '<![CDATA[]]>', '<?a?>']) {
    const { checks } = await verifyXml(put(new RegExp(`(?<=<(?:ds|etsi):${name}[^>]*>..)`), cut));
    expect(checks.find(({ check }) => check === 'plainValues')).toMatchObject({
      ok: false,
      detail: expect.stringContaining(name),
    });
  }
});

it('an empty CDATA section splits a value at any position, and has no effect in a text of the comprobante', async () => {
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
