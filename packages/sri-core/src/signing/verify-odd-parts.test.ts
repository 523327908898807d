import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { der } from '../testing/der-writer.js';
import { resign } from '../testing/resign.js';
import {
  canonicalSignedInfo,
  certificateText,
  identity,
  keyValue,
  privateKey,
  references,
  signed,
  signer,
  signingTime,
  signText,
  swap,
  toBase64,
  unsigned,
  unsignedRoot,
} from '../testing/signed-sample.js';
import { createTestCertificate, testExtensions } from '../testing/test-certificate.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { createKeySigner } from './key-signer.js';
import type { CheckName } from './verification.js';
import { verifyXml } from './verify.js';
import { signCanonicalXml } from './xades.js';

const name = [{ type: '2.5.4.3', text: 'AC DE PRUEBA' }];
const validity = { validFrom: new Date('2020-01-01'), validTo: new Date('2040-01-01') };

function certificateOf(
  keys: { publicKey: Parameters<typeof createTestCertificate>[0]['publicKey'] },
  extensions = [testExtensions.authority(false)],
) {
  return createTestCertificate({
    subject: name,
    publicKey: keys.publicKey,
    issuer: { name, privateKey },
    ...validity,
    extensions,
  });
}

async function failed(xml: string): Promise<Readonly<Partial<Record<CheckName, string>>>> {
  const { checks, valid } = await verifyXml(xml);
  const wrong = checks.filter(({ ok }) => !ok);
  expect(valid).toBe(wrong.length === 0);
  return Object.fromEntries(wrong.map(({ check, detail }) => [check, detail]));
}

describe('a part without its attribute', () => {
  it.each([
    {
      what: 'CanonicalizationMethod',
      from: /(?<=<ds:CanonicalizationMethod) Algorithm="[^"]*"/,
      check: 'algorithms',
      told: 'The algorithm nothing',
    },
    {
      what: 'SignatureMethod',
      from: /(?<=<ds:SignatureMethod) Algorithm="[^"]*"/,
      check: 'algorithms',
      told: 'The algorithm nothing',
    },
    { what: 'Transform', from: /(?<=<ds:Transform) Algorithm="[^"]*"/, check: 'transforms', told: '""' },
    {
      what: 'Type of a reference',
      from: / Type="[^"]*#SignedProperties"/,
      check: 'referenceTargets',
      told: 'does not have the Type',
    },
    {
      what: 'URI of a reference',
      from: /(?<=<ds:Reference Id="Reference-ID[^>]*) URI="[^"]*"/,
      check: 'referenceTargets',
      told: 'points to nothing',
    },
  ] as const)('is refused: $what', async ({ from, check, told }) => {
    expect((await failed(swap(signed, from, '')))[check]).toContain(told);
  });

  it('is refused: DigestMethod, which says no digest', async () => {
    const bare = swap(references.keyInfo, /(?<=<ds:DigestMethod) Algorithm="[^"]*"/, '');
    const wrong = await failed(swap(signed, references.keyInfo, bare));
    expect(Object.keys(wrong)).toContain('signatureValue');
  });

  it('is refused: no Transforms where the comprobante needs one', async () => {
    const bare = swap(references.comprobante, /<ds:Transforms>.*<\/ds:Transforms>/, '');
    expect((await failed(swap(signed, references.comprobante, bare))).transforms).toContain('none');
  });
});

describe('references', () => {
  it('to one part twice are refused', async () => {
    const twice = swap(signed, references.keyInfo, references.keyInfo + references.keyInfo);
    expect((await failed(twice)).referenceTargets).toContain('Two references');
  });

  it('whose digest is no base64 are refused', async () => {
    const odd = swap(references.comprobante, /<ds:DigestValue>[^<]*/, '<ds:DigestValue>???');
    expect((await failed(swap(signed, references.comprobante, odd))).comprobanteDigest).toContain('not base64');
  });

  it('may leave KeyInfo out', async () => {
    expect(await failed(resign(swap(signed, references.keyInfo, ''), privateKey))).toEqual({});
  });
});

describe('the key of the certificate', () => {
  it('of 1024 bits is refused, and told', async () => {
    const weak = toBase64(certificateOf(generateKeyPairSync('rsa', { modulusLength: 1024 })));
    const wrong = await failed(swap(swap(signed, certificateText, weak), keyValue, ''));
    expect(wrong.certificate).toBe('The key of the certificate is rsa of 1024 bits.');
  });

  it('of a kind that nobody knows is refused, and told', async () => {
    const known = certificateOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    // id-ecPublicKey, 1.2.840.10045.2.1, becomes 1.2.840.10045.2.9, which is nothing.
    const odd = Buffer.from(known.toString('hex').replaceAll('2a8648ce3d0201', '2a8648ce3d0209'), 'hex');
    const wrong = await failed(swap(swap(signed, certificateText, toBase64(odd)), keyValue, ''));
    expect(wrong.certificate).toBe('The key of the certificate is unknown.');
    expect(Object.keys(wrong)).not.toContain('signatureValue');
  });

  it.each(['Modulus', 'Exponent'])('is not what KeyValue says when its %s is zero, or is no base64', async (part) => {
    for (const text of ['AAAA', '?']) {
      const zero = swap(signed, keyValue, swap(keyValue, new RegExp(`(?<=<ds:${part}>)[^<]*`), text));
      expect((await failed(zero)).keyValue).toContain('not the key');
    }
  });

  it('need not be told in KeyValue', async () => {
    expect(await failed(resign(swap(signed, keyValue, ''), privateKey))).toEqual({});
  });

  it('that allows nothing is refused, and one that sets no limit is not', async () => {
    const nothing = { oid: '2.5.29.15', content: der(0x03, Buffer.of(0)) };
    for (const [extensions, told] of [
      [[nothing], 'allows nothing'],
      [[], undefined],
    ] as const) {
      const certificate = certificateOf(signer.certificate.x509, [...extensions]);
      const xml = await signCanonicalXml(unsigned, createKeySigner({ certificate, privateKey }), { signingTime });
      const { keyUsage = undefined } = await failed(xml);
      if (told) expect(keyUsage).toContain(told);
      else expect(keyUsage).toBeUndefined();
    }
  });
});

describe('what the signed properties say of the certificate', () => {
  it('has to have issuer and serial number', async () => {
    const bare = swap(signed, /<etsi:IssuerSerial>.*<\/etsi:IssuerSerial>/, '');
    const wrong = await failed(resign(bare, privateKey));
    expect(wrong.issuerName).toContain('X509IssuerName is nothing');
    expect(wrong.serialNumber).toContain('X509SerialNumber is nothing');
  });

  it('has to be a digest of a kind that is known', async () => {
    const odd = swap(signed, /(?<=<etsi:CertDigest><ds:DigestMethod Algorithm=")[^"]*/, 'urn:unknown');
    const wrong = await failed(resign(odd, privateKey));
    expect(Object.keys(wrong)).toEqual(['signingCertificateDigest']);
  });

  it.each(['x', '', '1'.repeat(65), '1'])('is not the serial number %j', async (written) => {
    const xml = swap(signed, /(?<=<ds:X509SerialNumber>)[^<]*/, written);
    expect(Object.keys(await failed(resign(xml, privateKey)))).toEqual(['serialNumber']);
  });

  it('may have blanks around its values', async () => {
    const xml = swap(signed, /<ds:X509SerialNumber>/, '<ds:X509SerialNumber> ').replace(
      '</ds:X509IssuerName>',
      ' </ds:X509IssuerName>',
    );
    expect(await failed(resign(xml, privateKey))).toEqual({});
  });
});

describe('the certificate among several in KeyInfo', () => {
  const authority = `<ds:X509Certificate>${toBase64(identity.authority)}</ds:X509Certificate>`;
  const several = swap(signed, '<ds:X509Certificate>', `${authority}<ds:X509Certificate>`);
  const withoutKey = swap(several, keyValue, '');
  const alone = swap(withoutKey, /<etsi:SigningCertificate>.*<\/etsi:SigningCertificate>/, '');

  it.each([
    { by: 'its key in KeyValue', xml: several, wrong: [] },
    { by: 'the digest in SigningCertificate', xml: withoutKey, wrong: [] },
    { by: 'not being an authority', xml: alone, wrong: ['signingCertificateDigest'] },
  ])('is known by $by', async ({ xml, wrong }) => {
    const resigned = resign(xml, privateKey);
    expect(Object.keys(await failed(resigned))).toEqual(wrong);
    expect((await verifyXml(resigned)).signer?.serialNumber).toBe(signer.certificate.serialNumber);
  });
});

describe('a signature value', () => {
  it('over another kind of digest was made by the right key', async () => {
    const wrong = await failed(signText(canonicalSignedInfo(), privateKey, { hash: 'sha512' }));
    expect(wrong.signatureValue).toContain('right key, over something else');
  });

  it.each([
    '2026-11-21',
    '2026-13-41T10:00:00Z',
    '2026-11-21T10:00:00',
    'x2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00Zx',
  ])('has a SigningTime that is a moment: not %s', async (text) => {
    const xml = resign(swap(signed, /(?<=<etsi:SigningTime>)[^<]*/, text), privateKey);
    expect(Object.keys(await failed(xml))).toEqual(['signingTime']);
  });
});

describe('a comprobante', () => {
  it('is signed with and without a declaration, over the same root', async () => {
    const bare = await signCanonicalXml(unsignedRoot as CanonicalXml, signer, { signingTime });
    expect(bare.startsWith('<factura')).toBe(true);
    expect(await failed(bare)).toEqual({});
  });

  it('may name what DataObjectFormat describes by any spelling of its id', async () => {
    for (const spelling of ['Id', 'ID']) {
      const root = unsignedRoot.replace('id=', `${spelling}=`) as CanonicalXml;
      expect(await failed(await signCanonicalXml(root, signer, { signingTime }))).toEqual({});
    }
  });
});
