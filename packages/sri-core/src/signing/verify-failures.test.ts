import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { resign } from '../testing/resign.js';
import {
  canonicalSignedInfo,
  certificateText,
  identity,
  keyInfo,
  keyValue,
  privateKey,
  redigest,
  references,
  resigned,
  signature,
  signed,
  signedInfo,
  signer,
  signingTime,
  signText,
  swap,
  toBase64,
  unsigned,
  unsignedRoot,
} from '../testing/signed-sample.js';
import { createTestCertificate, type TestExtension, testExtensions } from '../testing/test-certificate.js';
import { createTestIdentity } from '../testing/test-p12.js';
import { canonicalize } from '../xml/c14n.js';
import { findElements } from '../xml/elements.js';
import { parseDom } from '../xml/reader.js';
import { createKeySigner } from './key-signer.js';
import { signXml } from './sign-xml.js';
import type { CheckName } from './verification.js';
import { type Cause, VERIFICATION_ADVICE } from './verification-advice.js';
import { verifyXml } from './verify.js';
// Before the first test: `npm run mutants` covers module-level work only by that test.
import './verify-document.js';
import { signCanonicalXml } from './xades.js';
import { C14N, DS, EXCLUSIVE_C14N, XADES } from './xmldsig.js';

const other = await createTestIdentity();
/** A comprobante whose text is not in canonical form. */
const looseRoot = "<factura id='comprobante'><a/></factura>";
const loose = `<?xml version="1.0"?>\n<!-- de prueba -->${looseRoot}`;

describe('the faults of a signature', () => {
  const { issuerName, serialNumber } = signer.certificate;
  const enveloped = `<ds:Transform Algorithm="${DS}enveloped-signature"></ds:Transform>`;
  const attack = '<factura id="comprobante"><b>9999.00</b>';

  const cases: readonly {
    name: string;
    xml: string | Promise<string>;
    failed: readonly CheckName[];
    cause?: Cause;
    now?: Date;
  }[] = [
    { name: 'not XML', xml: 'FACTURA 001', failed: ['wellFormed'] },
    { name: 'nothing', xml: '', failed: ['wellFormed'] },
    { name: 'a bare ampersand', xml: swap(signed, 'Ñandú', 'Ñ & Ú'), failed: ['wellFormed'] },
    { name: 'a DOCTYPE', xml: swap(signed, '<factura', '<!DOCTYPE factura><factura'), failed: ['wellFormed'] },
    {
      name: 'a namespace that has no canonical form',
      xml: swap(signed, '<a>', '<a xmlns:p="p">'),
      failed: ['wellFormed'],
    },
    { name: 'no signature', xml: unsigned, failed: ['oneSignature'], cause: 'notSigned' },
    {
      name: 'an authorization of the SRI',
      xml: `<autorizacion><comprobante><![CDATA[${signed}]]></comprobante></autorizacion>`,
      failed: ['oneSignature'],
      cause: 'authorizationFile',
    },
    { name: 'two signatures', xml: swap(signed, signature, signature + signature), failed: ['oneSignature'] },
    {
      name: 'something after the signature',
      xml: swap(signed, '</factura>', '<c></c></factura>'),
      failed: ['signaturePosition', 'comprobanteDigest'],
    },
    { name: 'text after the signature', xml: resigned('</factura>', '0</factura>'), failed: ['signaturePosition'] },
    {
      name: 'CDATA after the signature',
      xml: resigned('</factura>', '<![CDATA[0]]></factura>'),
      failed: ['signaturePosition'],
    },
    {
      name: 'the signature in an inner element',
      xml: resigned(signature, `<c>${signature}</c>`),
      failed: ['signaturePosition'],
    },
    { name: 'an id twice', xml: resigned('<a>', '<a ID="comprobante">'), failed: ['uniqueIds'] },
    {
      name: 'several SignedInfo (CVE-2025-29774)',
      xml: swap(signed, signedInfo, signedInfo + signedInfo.replace(/Id="[^"]*"/g, '')),
      failed: ['oneSignedInfo'],
    },
    {
      name: 'a second SignedInfo in an Object',
      xml: swap(
        signed,
        '</ds:Signature>',
        `<ds:Object>${signedInfo.replace(/ Id="[^"]*"/g, '')}</ds:Object></ds:Signature>`,
      ),
      failed: ['oneSignedInfo'],
    },
    {
      name: 'a second SignedInfo outside the signature',
      xml: swap(
        signed,
        '<a>',
        `<a>${signedInfo
          .replace(/ Id="[^"]*"/g, '')
          .replaceAll('ds:', '')
          .replace('<SignedInfo', `<SignedInfo xmlns="${DS}"`)}`,
      ),
      failed: ['oneSignedInfo'],
    },
    {
      name: 'the only SignedInfo in an Object',
      xml: swap(swap(signed, signedInfo, ''), '</ds:Signature>', `<ds:Object>${signedInfo}</ds:Object></ds:Signature>`),
      failed: ['oneSignedInfo'],
    },
    { name: 'no KeyInfo', xml: swap(signed, keyInfo, ''), failed: ['structure', 'referenceTargets', 'certificate'] },
    {
      name: 'no SignatureValue',
      xml: swap(signed, /<ds:SignatureValue.*<\/ds:SignatureValue>/, ''),
      failed: ['structure', 'signatureValue'],
    },
    { name: 'Target of another signature', xml: swap(signed, /Target="[^"]*"/, 'Target="#x"'), failed: ['structure'] },
    {
      name: 'XAdES of another version',
      xml: resign(signed.replaceAll(XADES, 'http://uri.etsi.org/01903/v1.1.1#'), privateKey),
      failed: ['structure', 'referenceTargets', 'signingCertificateDigest', 'signingTime'],
    },
    {
      name: 'a comment in a digest (CVE-2025-29775)',
      xml: swap(
        signed,
        references.comprobante,
        references.comprobante.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
      ),
      failed: ['plainValues', 'comprobanteDigest'],
    },
    {
      name: 'a comment in the signature value',
      xml: swap(signed, '</ds:SignatureValue>', '<!--x--></ds:SignatureValue>'),
      failed: ['plainValues', 'signatureValue'],
    },
    {
      name: 'canonicalization 1.1',
      xml: swap(signed, C14N, 'http://www.w3.org/2006/12/xml-c14n11'),
      failed: ['algorithms', 'signatureValue'],
    },
    {
      name: 'exclusive canonicalization with a list of prefixes',
      xml: swap(
        signed,
        `Algorithm="${C14N}"></ds:CanonicalizationMethod>`,
        `Algorithm="${EXCLUSIVE_C14N}"><i:InclusiveNamespaces xmlns:i="${EXCLUSIVE_C14N}" PrefixList="etsi"/></ds:CanonicalizationMethod>`,
      ),
      failed: ['algorithms', 'signatureValue'],
    },
    { name: 'HMAC with the public key', xml: swap(signed, `${DS}rsa-sha1`, `${DS}hmac-sha1`), failed: ['algorithms'] },
    {
      name: 'a parameter of the signature method (CVE-2009-0217)',
      xml: resigned('</ds:SignatureMethod>', '<ds:HMACOutputLength>8</ds:HMACOutputLength></ds:SignatureMethod>'),
      failed: ['algorithms'],
    },
    {
      name: 'a parameter of a digest method',
      xml: resigned('</ds:DigestMethod>', '<ds:Odd></ds:Odd></ds:DigestMethod>'),
      failed: ['algorithms'],
    },
    {
      name: 'another digest',
      xml: resigned(
        references.keyInfo,
        references.keyInfo.replace(`${DS}sha1`, 'http://www.w3.org/2001/04/xmldsig-more#md5'),
      ),
      failed: ['algorithms'],
    },
    {
      name: 'another transform',
      xml: resigned(`${DS}enveloped-signature`, 'http://www.w3.org/TR/1999/REC-xpath-19991116'),
      failed: ['transforms'],
    },
    {
      name: 'an XPath inside enveloped-signature',
      xml: resigned(enveloped, enveloped.replace('></', '><ds:XPath>self::a</ds:XPath></')),
      failed: ['transforms'],
    },
    {
      name: 'enveloped-signature in an element that is no Transform',
      xml: resigned(enveloped, enveloped.replaceAll('ds:Transform', 'etsi:Transform')),
      failed: ['transforms'],
    },
    {
      name: 'C14N in an element that is no Transform',
      xml: resigned(enveloped, `${enveloped}<ds:Odd Algorithm="${C14N}"/>`),
      failed: ['transforms'],
    },
    { name: 'enveloped-signature twice', xml: resigned(enveloped, enveloped + enveloped), failed: ['transforms'] },
    {
      name: 'C14N before enveloped-signature',
      xml: resigned(enveloped, `<ds:Transform Algorithm="${C14N}"/>${enveloped}`),
      failed: ['transforms'],
    },
    ...[C14N, EXCLUSIVE_C14N].map((uri) => ({
      name: `comments in the digest by ${uri}`,
      xml: resigned(
        enveloped,
        `${enveloped}<ds:Transform Algorithm="${uri}${uri.endsWith('#') ? '' : '#'}WithComments"/>`,
      ),
      failed: ['transforms'] as const,
    })),
    {
      name: 'C14N alone over the comprobante',
      xml: resigned(enveloped, `<ds:Transform Algorithm="${C14N}"/>`),
      failed: ['transforms'],
    },
    {
      name: 'a transform of KeyInfo',
      xml: resigned(
        references.keyInfo,
        swap(references.keyInfo, '<ds:DigestMethod', `<ds:Transforms>${enveloped}</ds:Transforms><ds:DigestMethod`),
      ),
      failed: ['transforms'],
    },
    {
      name: 'the comprobante not signed',
      xml: resigned(references.comprobante, ''),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'a Type that only ends like that of SignedProperties',
      xml: resigned('Type="http://uri', 'Type="x-http://uri'),
      failed: ['referenceTargets'],
    },
    {
      name: 'a Type that only begins like that of SignedProperties',
      xml: resigned('01903#SignedProperties', '01903#SignedPropertiesOf'),
      failed: ['referenceTargets'],
    },
    {
      name: 'a reference to the whole document',
      xml: resigned('URI="#comprobante"', 'URI=""'),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'a reference to an inner element',
      xml: resign(swap(swap(signed, 'URI="#comprobante"', 'URI="#inner"'), '<a>', '<a id="inner">'), privateKey),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'a reference to the same id in another file',
      xml: resigned('URI="#comprobante"', 'URI="otro.xml#comprobante"'),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'a reference that only begins with the id',
      xml: resigned('URI="#comprobante"', 'URI="#comprobante1"'),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'a reference beyond the file',
      xml: resigned('URI="#comprobante"', 'URI="file:///etc/passwd"'),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    {
      name: 'SignedProperties not signed',
      xml: resigned(references.signedProperties, ''),
      failed: ['referenceTargets'],
    },
    {
      name: 'SignedProperties without its Type',
      xml: resigned(' Type="http://uri.etsi.org/01903#SignedProperties"', ''),
      failed: ['referenceTargets'],
    },
    {
      name: 'the signed root wrapped in another (Object)',
      xml: swap(
        `${attack}${signature}</factura>`,
        '</ds:Signature>',
        `<ds:Object>${unsignedRoot}</ds:Object></ds:Signature>`,
      ),
      failed: ['uniqueIds', 'comprobanteDigest'],
    },
    {
      name: 'the same with another id outside',
      xml: swap(
        `${attack.replace('comprobante', 'x')}${signature}</factura>`,
        '</ds:Signature>',
        `<ds:Object>${unsignedRoot}</ds:Object></ds:Signature>`,
      ),
      failed: ['referenceTargets', 'dataObjectFormat'],
    },
    { name: 'an amount changed', xml: swap(signed, '1.00', '9.00'), failed: ['comprobanteDigest'] },
    { name: 'a blank added', xml: swap(signed, '</a>', ' </a>'), failed: ['comprobanteDigest'] },
    {
      name: 'indented afterwards',
      xml: swap(signed, '<a>', '\n  <a>'),
      failed: ['comprobanteDigest'],
      cause: 'comprobanteReformatted',
    },
    {
      name: 'the text of the file digested',
      xml: redigest(references.comprobante, unsigned),
      failed: ['comprobanteDigest'],
      cause: 'comprobanteNotCanonical',
    },
    ...['', '\n'].flatMap((end) =>
      [loose, looseRoot].map((digested) => ({
        name: `the unchanged text digested: ${JSON.stringify(digested + end)}`,
        xml: loosely(digested + end),
        failed: ['comprobanteDigest'] as const,
        cause: 'comprobanteNotCanonical' as const,
      })),
    ),
    {
      name: 'ISO-8859-1 digested',
      xml: redigest(references.comprobante, Buffer.from(unsignedRoot, 'latin1')),
      failed: ['comprobanteDigest'],
      cause: 'comprobanteEncoding',
    },
    {
      name: 'comments digested',
      xml: redigest(references.comprobante, unsignedRoot.replace('<b>', '<!-- b --><b>')).replace(
        '<b>',
        '<!-- b --><b>',
      ),
      failed: ['comprobanteDigest'],
      cause: 'commentsDigested',
    },
    {
      name: 'SHA-256 said to be SHA-1',
      xml: redigest(references.comprobante, unsignedRoot, 'sha256'),
      failed: ['comprobanteDigest'],
      cause: 'otherDigestMethod',
    },
    {
      name: 'the certificate digested for KeyInfo',
      xml: redigest(references.keyInfo, identity.certificate),
      failed: ['keyInfoDigest'],
      cause: 'keyInfoMistakenForCertificate',
    },
    {
      name: 'the certificate digested for KeyInfo, as text',
      xml: redigest(references.keyInfo, certificateText),
      failed: ['keyInfoDigest'],
      cause: 'keyInfoMistakenForCertificate',
    },
    {
      name: 'KeyInfo digested with SHA-256 under the name of SHA-1',
      xml: redigest(references.keyInfo, canonicalPart('KeyInfo'), 'sha256'),
      failed: ['keyInfoDigest'],
      cause: 'otherDigestMethod',
    },
    { name: 'something else digested for KeyInfo', xml: redigest(references.keyInfo, 'x'), failed: ['keyInfoDigest'] },
    {
      name: 'SignedProperties digested out of place',
      xml: redigest(
        references.signedProperties,
        /<etsi:SignedProperties.*<\/etsi:SignedProperties>/.exec(signed)?.[0] ?? '',
      ),
      failed: ['signedPropertiesDigest'],
      cause: 'inheritedNamespaces',
    },
    {
      name: 'the certificate digested for SignedProperties',
      xml: redigest(references.signedProperties, identity.certificate),
      failed: ['signedPropertiesDigest'],
    },
    {
      name: 'KeyInfo digested out of place',
      xml: redigest(references.keyInfo, keyInfo),
      failed: ['keyInfoDigest'],
      cause: 'inheritedNamespaces',
    },
    {
      name: 'KeyInfo indented afterwards',
      xml: swap(signed, '<ds:X509Data>', '\n<ds:X509Data>'),
      failed: ['keyInfoDigest'],
      cause: 'reformatted',
    },
    {
      name: 'a later SigningTime',
      xml: swap(signed, /(?<=<etsi:SigningTime>)[^<]+/, new Date(signingTime.getTime() + 86_400_000).toISOString()),
      failed: ['signedPropertiesDigest'],
    },
    { name: 'no certificate', xml: resigned(/<ds:X509Data>.*<\/ds:X509Data>/, ''), failed: ['certificate'] },
    { name: 'other bytes as certificate', xml: resigned(certificateText, 'AAAA'), failed: ['certificate'] },
    {
      name: 'a certificate that is not base64',
      xml: resigned(certificateText, '(certificado)'),
      failed: ['certificate'],
    },
    {
      name: 'KeyInfo changed to hold a certificate that is not base64',
      xml: swap(signed, certificateText, '(certificado)'),
      failed: ['keyInfoDigest', 'certificate'],
    },
    {
      name: 'an elliptic key',
      xml: resign(swap(swap(signed, certificateText, toBase64(identity.authority)), keyValue, ''), privateKey),
      failed: ['certificate', 'signingCertificateDigest', 'serialNumber', 'keyUsage'],
      cause: 'keyNotSupported',
    },
    {
      name: 'another RSAKeyValue',
      // A modulus has its highest bit set, so that its base64 never starts with A.
      xml: resigned(/<ds:Modulus>./, '<ds:Modulus>A'),
      failed: ['keyValue'],
    },
    {
      name: 'another exponent in RSAKeyValue',
      xml: resigned('<ds:Exponent>AQAB', '<ds:Exponent>AQAD'),
      failed: ['keyValue'],
    },
    {
      name: 'signed with another key',
      xml: resign(signed, other.privateKey),
      failed: ['signatureValue'],
      cause: 'signedWithOtherKey',
    },
    {
      name: 'a signature value that is not base64',
      xml: swap(signed, /(<ds:SignatureValue[^>]*>)./, '<ds:SignatureValue>*'),
      failed: ['signatureValue'],
      cause: 'structure',
    },
    {
      name: 'SignedInfo changed',
      xml: swap(signed, ' Id="Signature-SignedInfo', ' Id="SignedInfo'),
      failed: ['signatureValue'],
    },
    {
      name: 'SignedInfo signed out of place',
      xml: signText(signedInfo, privateKey),
      failed: ['signatureValue'],
      cause: 'inheritedNamespaces',
    },
    {
      name: 'SHA-256 signed under the name of SHA-1',
      xml: signText(canonicalSignedInfo(), privateKey, { hash: 'sha256' }),
      failed: ['signatureValue'],
      cause: 'otherDigestMethod',
    },
    {
      name: 'the certificate of another taxpayer, with its key',
      xml: resign(swap(swap(signed, certificateText, toBase64(other.certificate)), keyValue, ''), other.privateKey),
      failed: ['signingCertificateDigest', 'serialNumber'],
    },
    {
      name: 'no SigningCertificate',
      xml: resigned(/<etsi:SigningCertificate>.*<\/etsi:SigningCertificate>/, ''),
      failed: ['signingCertificateDigest'],
    },
    { name: 'another issuer', xml: resigned(issuerName, 'CN=OTRA,C=EC'), failed: ['issuerName'] },
    {
      name: 'the issuer as OpenSSL prints it',
      xml: resigned(/2\.5\.4\.97=#[0-9a-f]+/, 'organizationIdentifier=VATEC-1799999990001'),
      failed: ['issuerName'],
    },
    {
      name: 'the serial number in hexadecimal',
      xml: resigned(serialNumber, BigInt(serialNumber).toString(16)),
      failed: ['serialNumber'],
    },
    {
      name: 'the serial number rounded',
      xml: resigned(serialNumber, `${BigInt(Number(serialNumber))}`),
      failed: ['serialNumber'],
    },
    {
      name: 'a SigningTime at an hour that does not exist',
      xml: resigned(/(?<=<etsi:SigningTime>[^<]*T)\d\d/, '25'),
      failed: ['signingTime'],
    },
    { name: 'a SigningTime that is empty', xml: resigned(/(?<=<etsi:SigningTime>)[^<]*/, ''), failed: ['signingTime'] },
    {
      name: 'a clock that is ahead',
      xml: signed,
      now: new Date(signingTime.getTime() - 60_000),
      failed: ['signingTime'],
      cause: 'signingTimeInFuture',
    },
    {
      name: 'signed after the certificate’s end',
      xml: signedWith({ dates: ['2020-01-01', '2021-01-01'] }),
      failed: ['signingTime'],
      cause: 'signingTimeOutsideValidity',
    },
    {
      name: 'signed before the certificate’s start',
      xml: signedWith({ dates: ['2040-01-01', '2041-01-01'] }),
      failed: ['signingTime'],
      cause: 'signingTimeOutsideValidity',
    },
    {
      name: 'an authority’s certificate',
      xml: signedWith({ extensions: [testExtensions.keyUsage('keyCertSign', 'cRLSign')] }),
      failed: ['keyUsage'],
    },
    {
      name: 'DataObjectFormat of KeyInfo',
      xml: resign(
        swap(
          swap(signed, /ObjectReference="[^"]*"/, 'ObjectReference="#OfKeyInfo"'),
          '<ds:Reference URI="#Cert',
          '<ds:Reference Id="OfKeyInfo" URI="#Cert',
        ),
        privateKey,
      ),
      failed: ['dataObjectFormat'],
    },
    {
      name: 'DataObjectFormat of another part',
      xml: resigned(/ObjectReference="[^"]*"/, 'ObjectReference="#x"'),
      failed: ['dataObjectFormat'],
    },
  ];

  it.each(cases)('reports a fault, and nothing else: $name', async ({ xml, failed, cause, now: at }) => {
    const report = await verifyXml(await xml, at ? { now: at } : {});
    const wrong = report.checks.filter(({ ok }) => !ok);
    expect(wrong.map(({ check }) => check)).toEqual(failed);
    expect(report).toMatchObject({ valid: false, warnings: [] });
    const [first] = wrong;
    expect(first?.advice).toBe(VERIFICATION_ADVICE[cause ?? first?.check ?? 'wellFormed']);
  });

  it('reports a fault for every check, with advice in both languages', () => {
    const covered = new Set(cases.flatMap(({ failed }) => failed));
    expect(covered.size).toBe(22);
    for (const { es, en } of Object.values(VERIFICATION_ADVICE))
      expect([es.length, en.length].every((n) => n > 30)).toBe(true);
  });
});

// --- internal ---

/** The loose comprobante, signed over a digest of other text. */
async function loosely(digested: string): Promise<string> {
  const xml = await signXml(`${loose}\n`, signer, { signingTime });
  const [reference = ''] = /<ds:Reference Id="Reference-ID.*?<\/ds:Reference>/.exec(xml) ?? [];
  const changed = swap(xml, reference, swap(reference, /(?<=<ds:DigestValue>)[^<]*/, hash('sha1', digested, 'base64')));
  return signText(canonicalSignedInfo(changed), privateKey, { xml: changed });
}

function canonicalPart(name: string): string {
  const [found] = findElements(parseDom(signed, 1e6), DS, name);
  return found ? canonicalize(found) : '';
}

/** Replaces the certificate by another one for the same key, with every value that describes it. */
async function signedWith(options: {
  extensions?: readonly TestExtension[];
  dates?: [string, string];
}): Promise<string> {
  const [validFrom = '2020-01-01', validTo = '2040-01-01'] = options.dates ?? [];
  const name = [
    { type: '2.5.4.6', text: 'EC' },
    { type: '2.5.4.3', text: 'AC DE PRUEBA' },
  ];
  const certificate = createTestCertificate({
    subject: name,
    publicKey: signer.certificate.x509.publicKey,
    issuer: { name, privateKey },
    validFrom: new Date(validFrom),
    validTo: new Date(validTo),
    extensions: options.extensions ?? [],
  });
  return signCanonicalXml(unsigned, createKeySigner({ certificate, privateKey }), { signingTime });
}
