import { describe, expect, it } from 'vitest';
import { readComprobante } from '../documents/read-comprobante.js';
import { resign } from '../testing/resign.js';
import { sampleFactura } from '../testing/sample-comprobante.js';
import {
  certificateText,
  identity,
  keyValue,
  privateKey,
  references,
  resigned,
  signature,
  signed,
  signer,
  signingTime,
  swap,
  toBase64,
  unsigned,
} from '../testing/signed-sample.js';
import { createTestCertificate, type TestExtension, testExtensions } from '../testing/test-certificate.js';
import { createTestSigner } from '../testing/test-p12.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import { createKeySigner } from './key-signer.js';
import { signXml } from './sign-xml.js';
import { verifyXml } from './verify.js';
import { signCanonicalXml } from './xades.js';
import { C14N, DS, ENVELOPED_SIGNATURE, EXCLUSIVE_C14N } from './xmldsig.js';

const hasXmlsec = hasTool('xmlsec1');
/** As signers that follow WS-Security write it: each part in exclusive form, its namespaces declared where they are used. */
const exclusive = signedInExclusiveForm();

describe('valid signatures of every form', () => {
  const authority = `<ds:X509Certificate>${toBase64(identity.authority)}</ds:X509Certificate>`;
  const issuer = signer.certificate.issuerName;
  const ownCert = /<etsi:Cert>.*<\/etsi:Cert>/.exec(signed)?.[0] ?? '';
  const otherCert = swap(ownCert, /(?<=<ds:DigestValue>)[^<]*/, toBase64(Buffer.alloc(20)));
  it.each([
    { name: 'unchanged', xml: signed },
    { name: 'RSA-SHA256', xml: signCanonicalXml(unsigned, signer, { signingTime, algorithm: 'rsa-sha256' }) },
    { name: 'exclusive canonicalization', xml: exclusive },
    {
      name: 'an id twice that no reference uses',
      xml: swap(signed, /<etsi:QualifyingProperties /, `<etsi:QualifyingProperties Id="${idOf(signature)}" `),
    },
    {
      name: 'DataObjectFormat of the comprobante and not of its reference',
      xml: resigned(/(?<=ObjectReference=")[^"]*/, '#comprobante'),
    },
    { name: 'two references', xml: resigned(references.keyInfo, '') },
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
      xml: resigned('<ds:X509Certificate>', `${authority}<ds:X509Certificate>`),
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
      name: 'the certificate in a second X509Data',
      xml: resigned('<ds:X509Data>', '<ds:X509Data></ds:X509Data><ds:X509Data>'),
    },
    {
      name: 'C14N named as a transform',
      xml: resigned('</ds:Transforms>', `<ds:Transform Algorithm="${C14N}"/></ds:Transforms>`),
    },
    {
      name: 'the issuer in equivalent words',
      xml: resigned(issuer, issuer.replaceAll(',', ', ').replaceAll('\\, ', '\\,').replace('CN=', 'cn=')),
    },
    { name: 'the style of xades4j', xml: xades4jStyle() },
    {
      name: 'no DataObjectFormat',
      xml: resigned(/<etsi:SignedDataObjectProperties>.*<\/etsi:SignedDataObjectProperties>/, ''),
    },
    {
      name: 'UnsignedProperties',
      xml: swap(signed, '</etsi:QualifyingProperties>', '<etsi:UnsignedProperties/></etsi:QualifyingProperties>'),
    },
    { name: 'a root with a second id', xml: resigned('<factura ', '<factura xml:id="otro" ') },
    { name: 'a comment in the document', xml: swap(signed, '<b>', '<!-- b --><b>') },
    { name: 'white space after the signature', xml: resigned('</factura>', '\r\n </factura>') },
    {
      name: 'an instruction and a comment after it',
      xml: resigned('</factura>', '<?impreso si?><!-- fin --></factura>'),
    },
    { name: 'a zero-width no-break space in a text', xml: resigned('Ñandú', 'Ñan\ufeffdú') },
    {
      name: 'the version in the Type of SignedProperties',
      xml: resigned('01903#SignedProperties', '01903/v1.3.2#SignedProperties'),
    },
    {
      name: 'C14N named as the only transform',
      xml: resigned(
        references.keyInfo,
        swap(
          references.keyInfo,
          '<ds:DigestMethod',
          `<ds:Transforms><ds:Transform Algorithm="${C14N}"/></ds:Transforms><ds:DigestMethod`,
        ),
      ),
    },
    {
      name: 'numbers of the key with a leading zero, as from Java’s BigInteger',
      xml: resign(
        signed.replace(
          /(<ds:(?:Modulus|Exponent)>)([^<]*)/g,
          (_, tag: string, text: string) =>
            `${tag}${toBase64(Buffer.concat([Buffer.of(0), Buffer.from(text, 'base64')]))}`,
        ),
        privateKey,
      ),
    },
    { name: 'the whole chain in SigningCertificate', xml: resigned('<etsi:Cert>', `${otherCert}<etsi:Cert>`) },
    { name: 'blanks around SigningTime', xml: resigned('</etsi:SigningTime>', ' \n</etsi:SigningTime>') },
    {
      name: 'another declaration and a byte-order mark',
      xml: swap(signed, '<?xml version="1.0" encoding="UTF-8"?>', "\ufeff<?xml version='1.0'?>"),
    },
  ])('accepts a valid signature: $name', async ({ xml }) => {
    const report = await verifyXml(await xml, { now: new Date() });
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.valid).toBe(true);
    expect(report.signer).toMatchObject({ ruc: '1799999990001', commonName: 'PRUEBA COMPAÑÍA LIMITADA' });
  });

  it('reports every check, in order, and the signer', async () => {
    const { checks, signer: facts } = await verifyXml(signed, { now: new Date() });
    expect(checks.map(({ check }) => check)).toEqual([
      ...['wellFormed', 'oneSignature', 'signaturePosition', 'uniqueIds', 'oneSignedInfo', 'structure', 'plainValues'],
      ...['algorithms', 'referenceTargets', 'transforms'],
      ...['signedPropertiesDigest', 'keyInfoDigest', 'comprobanteDigest'],
      ...['certificate', 'keyValue', 'signatureValue', 'signingCertificateDigest', 'issuerName', 'serialNumber'],
      ...['signingTime', 'keyUsage', 'dataObjectFormat'],
    ]);
    for (const check of checks) expect(check).not.toHaveProperty('advice');
    const { issuerName, serialNumber, fingerprint, ruc, validFrom, validTo } = signer.certificate;
    const commonName = 'PRUEBA COMPAÑÍA LIMITADA';
    expect(facts).toEqual({ commonName, issuerName, serialNumber, fingerprint, ruc, validFrom, validTo });
  });

  it('reports the moment of the signature, if it states one', async () => {
    const at = async (xml: string) => (await verifyXml(xml)).signingTime;
    expect(await at(signed)).toEqual(new Date(Math.floor(signingTime.getTime() / 1000) * 1000));
    for (const stated of ['', '2026-02-30T10:00:00Z', '2026-02-20T25:00:00Z', 'ayer']) {
      expect(await at(swap(signed, /(?<=<etsi:SigningTime>)[^<]*/, stated))).toBeNull();
    }
    expect(await at('<factura/>')).toBeNull();
  });

  it.skipIf(!hasXmlsec)('xmlsec1 accepts signatures of every form', () => {
    const pretty = resign(signed.replaceAll('><', '>\n  <'), privateKey);
    expect(xmlsecComplaints([signed, pretty, exclusive], signer.certificate.x509.toString(), ['factura'])).toBe('');
  });
});

it.each([Buffer.from(signed), undefined, null, { xml: signed }])(
  'rejects input that is not text with a TypeError: %#',
  async (xml) => {
    const refusal = new TypeError('The XML has to be a text: decode its bytes as UTF-8 first.');
    await expect(verifyXml(xml as unknown as string)).rejects.toEqual(refusal);
    await expect(signXml(xml as unknown as string, signer, { signingTime: new Date() })).rejects.toEqual(refusal);
    expect(() => readComprobante(xml as unknown as string)).toThrow(refusal);
  },
);

describe('signatures that the SRI has both authorized and refused', () => {
  const { issuerName } = signer.certificate;
  const doubts = async (xml: string | Promise<string>) => {
    const { valid, warnings, checks } = await verifyXml(await xml, { now: new Date() });
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(valid).toBe(true);
    return warnings.map(({ code }) => code);
  };

  it('accepts a certificate for encryption with a warning', async () => {
    const signWith = (...uses: ('keyEncipherment' | 'dataEncipherment' | 'digitalSignature')[]) => {
      const certificate = certificateOf('AC DE PRUEBA', [testExtensions.keyUsage(...uses)]);
      return signCanonicalXml(unsigned, createKeySigner({ certificate, privateKey }), { signingTime });
    };
    expect(await doubts(signWith('keyEncipherment'))).toEqual(['CERTIFICATE_NOT_FOR_SIGNING']);
    expect(await doubts(signWith('keyEncipherment', 'dataEncipherment'))).toEqual(['CERTIFICATE_NOT_FOR_SIGNING']);
    expect(await doubts(signWith('keyEncipherment', 'digitalSignature'))).toEqual([]);
  });

  it('accepts the issuer’s parts in another order with a warning', async () => {
    const parts = issuerName.split(/(?<!\\),/);
    for (const order of [parts.toReversed(), [...parts.slice(1), ...parts.slice(0, 1)]]) {
      expect(await doubts(resigned(issuerName, order.join(',')))).toEqual(['ISSUER_NAME_IN_OTHER_ORDER']);
    }
  });

  it.each([
    { name: 'no SigningTime', from: /<etsi:SigningTime>.*<\/etsi:SigningTime>/, to: '' },
    { name: 'a SigningTime without zone', from: '-05:00</etsi:SigningTime>', to: '</etsi:SigningTime>' },
  ])('accepts a doubtful signature with a warning: $name', async ({ from, to }) => {
    const xml = resigned(from, to);
    expect(await doubts(xml)).toEqual(['SIGNING_TIME_UNCLEAR']);
    expect((await verifyXml(xml)).signingTime).toBeNull();
  });
});

it.each(['AC DE PRUEBA ', ' AC DE PRUEBA', '  AC  ', 'AC\\', 'AC\\ ', ' '])(
  'accepts a blank at the start or end of an issuer’s name: «%s»',
  async (text) => {
    const key = createKeySigner({ certificate: certificateOf(text), privateKey });
    for (const xml of [
      await signCanonicalXml(unsigned, key, { signingTime }),
      await signXml(unsigned, key, { signingTime }),
    ]) {
      const { checks, valid } = await verifyXml(xml);
      expect(checks).toContainEqual({ check: 'issuerName', ok: true, detail: 'X509IssuerName is as Java prints it.' });
      expect(valid).toBe(true);
      const pretty = swap(xml, /<ds:X509IssuerName>([^<]*)/, `<ds:X509IssuerName>\n${key.certificate.issuerName}\n`);
      expect((await verifyXml(resign(pretty, privateKey))).valid).toBe(true);
    }
  },
);

describe('the RUC of the certificate', () => {
  const { xml } = sampleFactura({ ruc: '1760013210001' });
  const verify = async (ruc: string, edit = (text: string) => text) => {
    const holder = await createTestSigner({ ruc });
    return verifyXml(await signXml(edit(xml), holder, { signingTime }), { now: new Date() });
  };

  it('gives no warning when the RUC of the certificate is the issuer’s', async () => {
    expect(await verify('1760013210001')).toMatchObject({ valid: true, warnings: [] });
  });

  it('accepts a certificate of another taxpayer, with a warning about the SRI', async () => {
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

  it('compares the RUC of the certificate with any text in the file', async () => {
    const report = await verify('1790012345001', (text) => swap(text, '<ruc>1760013210001', '<ruc>x\u0085y'));
    expect(report.warnings[0]?.message.es).toContain('"');
    expect((await verifyXml(signed)).warnings).toEqual([]);
  });

  it('compares the RUC of the certificate without blanks around it, and not with an empty text', async () => {
    for (const written of [' 1790012345001\n', ' ', '']) {
      const report = await verify('1790012345001', (text) => swap(text, '<ruc>1760013210001', `<ruc>${written}`));
      expect(report).toMatchObject({ valid: true, warnings: [] });
    }
  });

  it('warns when the certificate has no RUC', async () => {
    const certificate = certificateOf('AC DE PRUEBA');
    const report = await verifyXml(await signXml(xml, createKeySigner({ certificate, privateKey }), { signingTime }));
    expect(report).toMatchObject({
      valid: true,
      signer: { ruc: null },
      warnings: [{ code: 'CERTIFICATE_WITHOUT_RUC' }],
    });
    expect(report.warnings[0]?.message.en).toContain(' 1760013210001');
  });
});

/** A certificate of the sample's key, from an issuer with that common name. */
function certificateOf(text: string, extensions: readonly TestExtension[] = []): Buffer {
  const name = [{ type: '2.5.4.3', text }];
  const { publicKey } = signer.certificate.x509;
  const dates = { validFrom: new Date('2020-01-01'), validTo: new Date('2040-01-01') };
  return createTestCertificate({ subject: name, publicKey, issuer: { name, privateKey }, ...dates, extensions });
}

/** Two references with the comprobante first, SHA-256, KeyInfo without Id and key: as in a real file of 2023. */
async function xades4jStyle(): Promise<string> {
  const sha256 = await signCanonicalXml(unsigned, signer, { signingTime, algorithm: 'rsa-sha256' });
  const [properties = '', ofKeyInfo = '', comprobante = ''] = sha256.match(/<ds:Reference .*?<\/ds:Reference>/g) ?? [];
  const reordered = swap(swap(swap(sha256, properties, ''), ofKeyInfo, ''), comprobante, comprobante + properties);
  const bare = swap(swap(reordered, /(?<=<ds:KeyInfo) Id="[^"]*"/, ''), keyValue, '');
  const named = bare.replaceAll('etsi:', 'xades:').replace('xmlns:etsi', 'xmlns:xades');
  const ids = named.replace(/(Signature-SignedInfo|Reference-ID-|SignedPropertiesID)\d+/g, 'xmldsig-6f2e-$1');
  return resign(swap(ids, 'contenido comprobante', 'FIRMA DIGITAL SRI'), privateKey);
}

function idOf(element: string): string {
  return / Id="([^"]*)"/.exec(element)?.[1] ?? '';
}

function signedInExclusiveForm(): string {
  const transform = `<ds:Transform Algorithm="${EXCLUSIVE_C14N}"></ds:Transform>`;
  const enveloped = `<ds:Transform Algorithm="${ENVELOPED_SIGNATURE}"></ds:Transform>`;
  const of = (reference: string) =>
    swap(reference, '<ds:DigestMethod', `<ds:Transforms>${transform}</ds:Transforms><ds:DigestMethod`);
  let xml = swap(signed, C14N, EXCLUSIVE_C14N);
  xml = swap(xml, enveloped, enveloped + transform);
  for (const part of [references.signedProperties, references.keyInfo]) xml = swap(xml, part, of(part));
  return resign(xml, privateKey);
}
