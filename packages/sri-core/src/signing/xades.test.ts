import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { CertificateInvalidError, CertificateKeyUnsupportedError, SignatureError } from '../errors.js';
import { forgeKey } from '../testing/forged-key.js';
import { createTestCertificate } from '../testing/test-certificate.js';
import { createTestIdentity, createTestSigner } from '../testing/test-p12.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { element, XML_DECLARATION } from '../xml/writer.js';
import { toSigningCertificate } from './certificate.js';
import { createKeySigner } from './key-signer.js';
import type { SignatureAlgorithm } from './signer.js';
import { verifyXml } from './verify.js';
import { signCanonicalXml, signCanonicalXmlSync, signedSizeOf } from './xades.js';

const hasXmlsec = hasTool('xmlsec1');
const { certificate, privateKey, authority } = await createTestIdentity();
const signer = createKeySigner({ certificate, privateKey });
const otherKey = createKeySigner(await createTestIdentity());
const pem = signer.certificate.x509.toString();
const signingTime = new Date('2026-11-21T04:30:00Z');
const validNow = { signingTime: new Date() };

function comprobante(...texts: readonly string[]): CanonicalXml {
  const details = texts.map((text) => element('razonSocial', text)).join('');
  return `${XML_DECLARATION}<factura id="comprobante" version="1.1.0">${details}</factura>` as CanonicalXml;
}

describe('the signature of a comprobante', () => {
  it.each<SignatureAlgorithm>(['rsa-sha1', 'rsa-sha256'])(
    'three judges accept a signature by %s',
    async (algorithm) => {
      const signed = await signCanonicalXml(comprobante('Ñandú & Cía. <S.A.>'), signer, { ...validNow, algorithm });
      expect((await verifyXml(signed, { now: new Date() })).checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(xmlCryptoAccepts(signed)).toBe(true);
      if (hasXmlsec) expect(xmlsecComplaints([signed], pem, ['factura'])).toBe('');
      expect(signed.includes('#sha1"')).toBe(algorithm === 'rsa-sha1');
    },
  );

  it.each<SignatureAlgorithm>(['rsa-sha1', 'rsa-sha256'])(
    'a signature by %s has the computed size',
    async (algorithm) => {
      const random = { bytes: (count: number) => new Uint8Array(count).fill(7) };
      const options = { signingTime, algorithm, random };
      const signed = await signCanonicalXml(comprobante('Ñandú', 'b'), signer, options);
      expect(signedSizeOf(comprobante('Ñandú', 'b'), signer.certificate, options)).toBe(Buffer.byteLength(signed));
    },
  );

  it('a signature by a key of odd length has the computed size', async () => {
    const odd = await createTestSigner({ bits: 2068 });
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const signed = await signCanonicalXml(comprobante('a'), odd, { signingTime, random });
    expect(signedSizeOf(comprobante('a'), odd.certificate, { signingTime, random })).toBe(Buffer.byteLength(signed));
  });

  it('a signature is the last child of the root, and nothing else changes', async () => {
    const xml = comprobante('a');
    const signed = await signCanonicalXml(xml, signer, validNow);
    expect(signed.replace(/<ds:Signature .*<\/ds:Signature>/, '')).toBe(xml);
    expect(signed).toMatch(/<\/ds:Signature><\/factura>$/);
  });

  it('a signature has the parts of authorised files, in their order', async () => {
    const random = { bytes: (count: number) => new Uint8Array(count).map((_, index) => index + 1) };
    const { x509, der, fingerprint, validFrom, validTo, ruc } = signer.certificate;
    const certificate = {
      x509,
      der,
      fingerprint,
      validFrom,
      validTo,
      ruc,
      issuerName: 'CN=A & B,C=EC',
      serialNumber: '12',
    };
    const signed = await signCanonicalXml(comprobante('a'), { ...signer, certificate }, { signingTime, random });
    const shape = signed
      .slice(signed.indexOf('<ds:Signature '))
      .replace(/(<ds:(DigestValue|X509Certificate|Modulus|SignatureValue)[^>]*>)[^<]+/g, '$1…')
      .replaceAll('><', '>\n<');
    expect(shape).toMatchInlineSnapshot(`
      "<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:etsi="http://uri.etsi.org/01903/v1.3.2#" Id="Signature123456">
      <ds:SignedInfo Id="Signature-SignedInfo123456">
      <ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315">
      </ds:CanonicalizationMethod>
      <ds:SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1">
      </ds:SignatureMethod>
      <ds:Reference Id="SignedPropertiesID123456" Type="http://uri.etsi.org/01903#SignedProperties" URI="#Signature123456-SignedProperties123456">
      <ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1">
      </ds:DigestMethod>
      <ds:DigestValue>…</ds:DigestValue>
      </ds:Reference>
      <ds:Reference URI="#Certificate123456">
      <ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1">
      </ds:DigestMethod>
      <ds:DigestValue>…</ds:DigestValue>
      </ds:Reference>
      <ds:Reference Id="Reference-ID-123456" URI="#comprobante">
      <ds:Transforms>
      <ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature">
      </ds:Transform>
      </ds:Transforms>
      <ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1">
      </ds:DigestMethod>
      <ds:DigestValue>…</ds:DigestValue>
      </ds:Reference>
      </ds:SignedInfo>
      <ds:SignatureValue Id="SignatureValue123456">…</ds:SignatureValue>
      <ds:KeyInfo Id="Certificate123456">
      <ds:X509Data>
      <ds:X509Certificate>…</ds:X509Certificate>
      </ds:X509Data>
      <ds:KeyValue>
      <ds:RSAKeyValue>
      <ds:Modulus>…</ds:Modulus>
      <ds:Exponent>AQAB</ds:Exponent>
      </ds:RSAKeyValue>
      </ds:KeyValue>
      </ds:KeyInfo>
      <ds:Object Id="Signature123456-Object123456">
      <etsi:QualifyingProperties Target="#Signature123456">
      <etsi:SignedProperties Id="Signature123456-SignedProperties123456">
      <etsi:SignedSignatureProperties>
      <etsi:SigningTime>2026-11-20T23:30:00-05:00</etsi:SigningTime>
      <etsi:SigningCertificate>
      <etsi:Cert>
      <etsi:CertDigest>
      <ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1">
      </ds:DigestMethod>
      <ds:DigestValue>…</ds:DigestValue>
      </etsi:CertDigest>
      <etsi:IssuerSerial>
      <ds:X509IssuerName>CN=A &amp; B,C=EC</ds:X509IssuerName>
      <ds:X509SerialNumber>12</ds:X509SerialNumber>
      </etsi:IssuerSerial>
      </etsi:Cert>
      </etsi:SigningCertificate>
      </etsi:SignedSignatureProperties>
      <etsi:SignedDataObjectProperties>
      <etsi:DataObjectFormat ObjectReference="#Reference-ID-123456">
      <etsi:Description>contenido comprobante</etsi:Description>
      <etsi:MimeType>text/xml</etsi:MimeType>
      </etsi:DataObjectFormat>
      </etsi:SignedDataObjectProperties>
      </etsi:SignedProperties>
      </etsi:QualifyingProperties>
      </ds:Object>
      </ds:Signature>
      </factura>"
    `);
  });

  it('a signature has new ids each time', async () => {
    const ids = async () => (await signCanonicalXml(comprobante('a'), signer, validNow)).match(/Id="[^"]+"/g) ?? [];
    const [one, other] = [await ids(), await ids()];
    expect(new Set([...one, ...other]).size).toBe(16);
  });

  it('a signature on this thread is equally valid, and a forged key fails', async () => {
    const key = { certificate: signer.certificate, privateKey };
    for (const algorithm of ['rsa-sha1', 'rsa-sha256'] as const) {
      const signed = signCanonicalXmlSync(comprobante('á'), key, { ...validNow, algorithm });
      expect((await verifyXml(signed)).valid).toBe(true);
      const stranger = { ...key, privateKey: forgeKey(certificate) };
      expect(() => signCanonicalXmlSync(comprobante('á'), stranger, { ...validNow, algorithm })).toThrow(
        expect.objectContaining({ code: 'SIGNATURE_INVALID' }),
      );
    }
  });

  it('a signature covers only the root, with or without a declaration before it and a line end after', async () => {
    const declared = comprobante('a');
    const bare = declared.replace(XML_DECLARATION, '') as CanonicalXml;
    expect(bare.startsWith('<factura')).toBe(true);
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const sign = (xml: CanonicalXml) => signCanonicalXml(xml, signer, { ...validNow, random });
    expect(await sign(bare)).toBe((await sign(declared)).replace(XML_DECLARATION, ''));
    expect(await sign(`${declared}\n` as CanonicalXml)).toBe(`${await sign(declared)}\n`);
  });

  it('a signature is valid for any text in a document', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((raw) => raw.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
    const documents: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.constantFrom('rsa-sha1', 'rsa-sha256'), async (texts, algorithm) => {
        const signed = await signCanonicalXml(comprobante(...texts), signer, { ...validNow, algorithm });
        expect((await verifyXml(signed)).valid).toBe(true);
        documents.push(signed);
      }),
    );
    if (hasXmlsec) expect(xmlsecComplaints(documents, pem, ['factura'])).toBe('');
  });
});

describe('a signer', () => {
  it('a signer with another key than its certificate is detected on first use', async () => {
    const other = await createTestSigner();
    const mixed = { certificate: signer.certificate, sign: other.sign };
    await expect(signCanonicalXml(comprobante('a'), mixed, validNow)).rejects.toThrow(SignatureError);
  });

  it('a signer with a proved key in this process does not prove it again', async () => {
    let value: Buffer | null = null;
    const changing = {
      ...signer,
      sign: async (data: Uint8Array, algorithm: SignatureAlgorithm) => value ?? signer.sign(data, algorithm),
    };
    await signCanonicalXml(comprobante('a'), changing, validNow);
    value = Buffer.from('other');
    expect(await signCanonicalXml(comprobante('b'), changing, validNow)).toContain(
      `>${value.toString('base64')}</ds:Sig`,
    );
  });

  it.each<[string, (value: Uint8Array, data: Uint8Array) => unknown]>([
    ['another key, once it is rotated', (_, data) => otherKey.signSync(data, 'rsa-sha1')],
    ['Base64', (value) => Buffer.from(value).toString('base64')],
    ['half of it', (value) => value.subarray(128)],
    ['the answer of its service', (value) => ({ Signature: value })],
    ['nothing', () => undefined],
  ])('a signer whose key is elsewhere is proved each time: %s', async (_, returned) => {
    let calls = 0;
    const kms = {
      certificate: signer.certificate,
      async sign(data: Uint8Array, algorithm: SignatureAlgorithm) {
        const value = await signer.sign(data, algorithm);
        calls += 1;
        return calls === 1 ? value : (returned(value, data) as Uint8Array);
      },
    };
    await signCanonicalXml(comprobante('a'), kms, validNow);
    await expect(signCanonicalXml(comprobante('b'), kms, validNow)).rejects.toThrow(SignatureError);
  });

  it('a signer may return an ArrayBuffer, as WebCrypto does', async () => {
    const sign = async (data: Uint8Array, algorithm: SignatureAlgorithm) =>
      new Uint8Array(await signer.sign(data, algorithm)).buffer as unknown as Uint8Array;
    const signed = await signCanonicalXml(comprobante('a'), { certificate: signer.certificate, sign }, validNow);
    expect((await verifyXml(signed)).valid).toBe(true);
  });

  it('a signer that fails passes its error on', async () => {
    const broken = { certificate: signer.certificate, sign: () => Promise.reject(new Error('the token is gone')) };
    await expect(signCanonicalXml(comprobante('a'), broken, validNow)).rejects.toThrow('the token is gone');
  });

  it('a signer is rejected when its key is not RSA', async () => {
    const ec = { certificate: toSigningCertificate(authority), sign: signer.sign };
    await expect(signCanonicalXml(comprobante('a'), ec, validNow)).rejects.toThrow(CertificateKeyUnsupportedError);
  });

  it('a signer is rejected when XML cannot carry the name of its authority', async () => {
    const name = [{ type: '2.5.4.3', text: 'bell \u0007' }];
    const { publicKey } = new X509Certificate(pem);
    const dates = { validFrom: new Date(0), validTo: new Date(1) };
    const der = createTestCertificate({ subject: name, publicKey, issuer: { name, privateKey }, ...dates });
    const odd = { certificate: toSigningCertificate(der), sign: signer.sign };
    await expect(signCanonicalXml(comprobante('a'), odd, validNow)).rejects.toThrow(CertificateInvalidError);
  });
});

function xmlCryptoAccepts(signed: string): boolean {
  const judge = new SignedXml({ publicCert: pem });
  judge.loadSignature(/<ds:Signature .*<\/ds:Signature>/s.exec(signed)?.[0] ?? '');
  return judge.checkSignature(signed);
}
