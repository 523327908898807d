import { createPublicKey, generateKeyPairSync, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { der } from '../testing/der-writer.js';
import { keyOfNumbers, numbersOf } from '../testing/forged-key.js';
import { resign } from '../testing/resign.js';
import {
  canonicalSignedInfo,
  certificateText,
  identity,
  keyValue,
  privateKey,
  redigest,
  references,
  resigned,
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
import { toSigningCertificate } from './certificate.js';
import { createKeySigner } from './key-signer.js';
import type { CheckName } from './verification.js';
import { verifyXml } from './verify.js';
import { signCanonicalXml } from './xades.js';

const name = [{ type: '2.5.4.3', text: 'AC DE PRUEBA' }];
const validity = { validFrom: new Date('2020-01-01'), validTo: new Date('2040-01-01') };

function certificateOf(
  keys: { publicKey: Parameters<typeof createTestCertificate>[0]['publicKey'] },
  extensions = [testExtensions.authority(false)],
  other: { validFrom?: Date; validTo?: Date; serialNumber?: bigint } = {},
) {
  return createTestCertificate({
    subject: name,
    publicKey: keys.publicKey,
    issuer: { name, privateKey },
    ...validity,
    ...other,
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
      message: 'The algorithm nothing',
    },
    {
      what: 'SignatureMethod',
      from: /(?<=<ds:SignatureMethod) Algorithm="[^"]*"/,
      check: 'algorithms',
      message: 'The algorithm nothing',
    },
    { what: 'Transform', from: /(?<=<ds:Transform) Algorithm="[^"]*"/, check: 'transforms', message: '""' },
    {
      what: 'Type of a reference',
      from: / Type="[^"]*#SignedProperties"/,
      check: 'referenceTargets',
      message: 'does not have the Type',
    },
    {
      what: 'URI of a reference',
      from: /(?<=<ds:Reference Id="Reference-ID[^>]*) URI="[^"]*"/,
      check: 'referenceTargets',
      message: 'points to nothing',
    },
  ] as const)('rejects a part without its attribute: $what', async ({ from, check, message }) => {
    expect((await failed(swap(signed, from, '')))[check]).toContain(message);
  });

  it('rejects a DigestMethod without a digest', async () => {
    const bare = swap(references.keyInfo, /(?<=<ds:DigestMethod) Algorithm="[^"]*"/, '');
    const wrong = await failed(swap(signed, references.keyInfo, bare));
    expect(Object.keys(wrong)).toContain('signatureValue');
  });

  it('rejects absent Transforms where the comprobante needs one', async () => {
    const bare = swap(references.comprobante, /<ds:Transforms>.*<\/ds:Transforms>/, '');
    expect((await failed(swap(signed, references.comprobante, bare))).transforms).toContain('none');
  });
});

describe('references', () => {
  it('rejects two references to one part', async () => {
    const twice = swap(signed, references.keyInfo, references.keyInfo + references.keyInfo);
    expect((await failed(twice)).referenceTargets).toContain('Two references');
  });

  it.each(['???', 'AAA', 'AAAA=AAA', 'AA\u00a0AA'])(
    'rejects a reference with an invalid base64 digest: %j',
    async (text) => {
      const odd = swap(references.comprobante, /<ds:DigestValue>[^<]*/, `<ds:DigestValue>${text}`);
      expect((await failed(swap(signed, references.comprobante, odd))).comprobanteDigest).toContain('not base64');
    },
  );

  it.each([
    { part: 'comprobante', named: 'the root element' },
    { part: 'signedProperties', named: 'SignedProperties' },
    { part: 'keyInfo', named: 'KeyInfo' },
  ] as const)('reports a reference with another digest by its target: $named', async ({ part, named }) => {
    const wrong = await failed(redigest(references[part], 'x'));
    expect(wrong[`${part}Digest`]).toMatch(new RegExp(`^The digest of ${named} is ".{28}" in the file and ".{28}" `));
  });

  it.each([
    { part: 'comprobante', name: 'cut off', change: (digest: Buffer) => digest.subarray(0, 12) },
    { part: 'signedProperties', name: 'with an octet less', change: (digest: Buffer) => digest.subarray(0, 19) },
    { part: 'keyInfo', name: 'with an octet more', change: (digest: Buffer) => Buffer.concat([digest, Buffer.of(0)]) },
  ] as const)('rejects a reference with a digest $name: $part', async ({ part, change }) => {
    const reference = references[part];
    const digest = Buffer.from(/<ds:DigestValue>([^<]*)/.exec(reference)?.[1] ?? '', 'base64');
    const changed = swap(reference, /(?<=<ds:DigestValue>)[^<]*/, toBase64(change(digest)));
    const xml = swap(signed, reference, changed);
    const wrong = await failed(signText(canonicalSignedInfo(xml), privateKey, { xml }));
    expect(Object.keys(wrong)).toEqual([`${part}Digest`]);
  });

  it('accepts a signature without a reference to KeyInfo', async () => {
    expect(await failed(resigned(references.keyInfo, ''))).toEqual({});
  });
});

describe('the key of the certificate', () => {
  it('rejects and reports a key of 1024 bits', async () => {
    const weak = toBase64(certificateOf(generateKeyPairSync('rsa', { modulusLength: 1024 })));
    const wrong = await failed(swap(swap(signed, certificateText, weak), keyValue, ''));
    expect(wrong.certificate).toBe('The key of the certificate is rsa of 1024 bits.');
  });

  it('rejects a key of exponent 1, since its signatures need no private key', async () => {
    const open = keyOfNumbers({ ...numbersOf(privateKey), e: 1n });
    const certificate = toSigningCertificate(certificateOf({ publicKey: createPublicKey(open) }));
    // The padded digest, which a private key has to encrypt under every other exponent.
    const sign = async (data: Uint8Array) => {
      const digest = Buffer.concat([
        Buffer.from('3021300906052b0e03021a05000414', 'hex'),
        hash('sha1', data, 'buffer'),
      ]);
      return Buffer.concat([Buffer.of(0, 1), Buffer.alloc(256 - 3 - digest.length, 0xff), Buffer.of(0), digest]);
    };
    const wrong = await failed(await signCanonicalXml(unsigned, { certificate, sign }, { signingTime }));
    expect(wrong).toEqual({ certificate: expect.stringContaining('need no private key') });
  });

  it('rejects and reports a key for RSA-PSS', async () => {
    const pss = toBase64(certificateOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })));
    const wrong = await failed(swap(signed, certificateText, pss));
    expect(wrong.certificate).toBe('The key of the certificate is rsa-pss of 2048 bits.');
    expect(wrong.keyValue).toContain('not the key');
  });

  it('rejects and reports a key of an unknown kind', async () => {
    const known = certificateOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    // id-ecPublicKey, 1.2.840.10045.2.1, becomes 1.2.840.10045.2.9, which does not exist.
    const odd = Buffer.from(known.toString('hex').replaceAll('2a8648ce3d0201', '2a8648ce3d0209'), 'hex');
    const wrong = await failed(swap(swap(signed, certificateText, toBase64(odd)), keyValue, ''));
    expect(wrong.certificate).toBe('The key of the certificate is unknown.');
    expect(Object.keys(wrong)).not.toContain('signatureValue');
  });

  it.each(['Modulus', 'Exponent'])(
    'reports another key in KeyValue when its %s is zero or invalid base64',
    async (part) => {
      for (const text of ['AAAA', '?']) {
        const zero = swap(signed, keyValue, swap(keyValue, new RegExp(`(?<=<ds:${part}>)[^<]*`), text));
        expect((await failed(zero)).keyValue).toContain('not the key');
      }
    },
  );

  it('accepts an absent KeyValue', async () => {
    expect(await failed(resigned(keyValue, ''))).toEqual({});
  });

  it.each([
    { bits: 2047, message: 'The key of the certificate is rsa of 2047 bits.' },
    { bits: 4096, message: undefined },
    { bits: 4097, message: 'The key of the certificate is rsa of 4097 bits.' },
  ])('judges the size of the key, 2048 to 4096 bits: $bits', async ({ bits, message }) => {
    // A number of that size is enough for inspection as a public key.
    const largest = (2n ** BigInt(bits) - 1n).toString(16);
    const n = Buffer.from(largest.padStart(1026, '0'), 'hex').toString('base64url');
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n, e: 'AQAB' } });
    const large = swap(swap(signed, certificateText, toBase64(certificateOf({ publicKey }))), keyValue, '');
    expect((await failed(large)).certificate).toBe(message);
  });

  it('rejects a key without any use, and accepts a key without limits or for either kind of signing', async () => {
    const nothing = { oid: '2.5.29.15', content: der(0x03, Buffer.of(0)) };
    for (const [extensions, message] of [
      [[nothing], 'allows nothing'],
      [[], undefined],
      [[testExtensions.keyUsage('digitalSignature')], undefined],
      [[testExtensions.keyUsage('nonRepudiation', 'keyEncipherment')], undefined],
    ] as const) {
      const certificate = certificateOf(signer.certificate.x509, [...extensions]);
      const xml = await signCanonicalXml(unsigned, createKeySigner({ certificate, privateKey }), { signingTime });
      const { keyUsage = undefined } = await failed(xml);
      if (message) expect(keyUsage).toContain(message);
      else expect(keyUsage).toBeUndefined();
    }
  });
});

describe('the signed properties about the certificate', () => {
  it('requires issuer and serial number of the certificate', async () => {
    const bare = swap(signed, /<etsi:IssuerSerial>.*<\/etsi:IssuerSerial>/, '');
    const wrong = await failed(resign(bare, privateKey));
    expect(wrong.issuerName).toContain('X509IssuerName is nothing');
    expect(wrong.serialNumber).toContain('X509SerialNumber is nothing');
  });

  it.each([
    { name: 'its method', part: /(?<=<etsi:CertDigest>)<ds:DigestMethod.*?<\/ds:DigestMethod>/ },
    {
      name: 'its value',
      part: /(?<=<etsi:CertDigest><ds:DigestMethod[^>]*><\/ds:DigestMethod>)<ds:DigestValue>.*?<\/ds:DigestValue>/,
    },
    { name: 'either', part: /<etsi:CertDigest>.*?<\/etsi:CertDigest>/ },
  ])('requires a digest of the certificate with $name', async ({ part }) => {
    expect(Object.keys(await failed(resigned(part, '')))).toEqual(['signingCertificateDigest']);
  });

  it('requires the whole digest of the certificate', async () => {
    const [, digest = ''] = /<etsi:CertDigest>.*?<ds:DigestValue>([^<]*)/.exec(signed) ?? [];
    const short = resigned(digest, digest.slice(0, 24));
    expect(Object.keys(await failed(short))).toEqual(['signingCertificateDigest']);
  });

  it('reads the signed properties of eight certificates', async () => {
    const own = /<etsi:Cert>.*<\/etsi:Cert>/.exec(signed)?.[0] ?? '';
    const other = swap(own, /(?<=<ds:DigestValue>)[^<]*/, toBase64(Buffer.alloc(20)));
    const among = (before: number) => resigned(own, other.repeat(before) + own);
    expect(await failed(among(7))).toEqual({});
    expect(Object.keys(await failed(among(8)))).toEqual(['signingCertificateDigest']);
  });

  it('requires a known kind of digest of the certificate', async () => {
    const odd = swap(signed, /(?<=<etsi:CertDigest><ds:DigestMethod Algorithm=")[^"]*/, 'urn:unknown');
    const wrong = await failed(resign(odd, privateKey));
    expect(Object.keys(wrong)).toEqual(['signingCertificateDigest']);
  });

  it.each([
    { name: 'negative, as from some authorities', serial: -32517n, written: '-32517', wrong: [] },
    { name: 'with zeros before it', serial: 5n, written: '0005', wrong: [] },
    { name: 'with the opposite sign', serial: 5n, written: '-5', wrong: ['serialNumber'] },
    { name: 'of the maximum length', serial: 5n, written: '5'.padStart(64, '0'), wrong: [] },
    { name: 'above the maximum length', serial: 5n, written: '5'.padStart(65, '0'), wrong: ['serialNumber'] },
    { name: 'with something before it', serial: 5n, written: 'N.5', wrong: ['serialNumber'] },
    { name: 'with something after it', serial: 5n, written: '5.', wrong: ['serialNumber'] },
    { name: 'in hexadecimal', serial: 16n, written: '0x10', wrong: ['serialNumber'] },
  ])('compares a serial number that is $name: $written', async ({ serial, written, wrong }) => {
    const certificate = certificateOf(signer.certificate.x509, undefined, { serialNumber: serial & 0x7fffn });
    if (serial < 0n) certificate.writeUInt8(0x80, certificate.indexOf('020200fb', 0, 'hex') + 2);
    const xml = await signCanonicalXml(unsigned, createKeySigner({ certificate, privateKey }), { signingTime });
    const rewritten = xml.replace(/(?<=<ds:X509SerialNumber>)[^<]*/, written);
    expect(Object.keys(await failed(resign(rewritten, privateKey)))).toEqual(wrong);
  });

  it.each(['x', '', '1'.repeat(65), '1'])('rejects the serial number %j', async (written) => {
    const xml = swap(signed, /(?<=<ds:X509SerialNumber>)[^<]*/, written);
    expect(Object.keys(await failed(resign(xml, privateKey)))).toEqual(['serialNumber']);
  });

  it('accepts blanks around issuer and serial number', async () => {
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

  // Another taxpayer's, so that only the description of the certificate decides.
  const stranger = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: '_'.repeat(342), e: 'AQAB' } });
  const second = swap(several, toBase64(identity.authority), toBase64(certificateOf({ publicKey: stranger })));

  it.each([
    { by: 'its key in KeyValue', xml: several, wrong: [] },
    {
      by: 'its key in KeyValue alone',
      xml: swap(second, /<etsi:SigningCertificate>.*<\/etsi:SigningCertificate>/, ''),
      wrong: ['signingCertificateDigest'],
    },
    { by: 'the digest in SigningCertificate', xml: withoutKey, wrong: [] },
    { by: 'the digest in SigningCertificate alone', xml: swap(second, keyValue, ''), wrong: [] },
    { by: 'not being an authority', xml: alone, wrong: ['signingCertificateDigest'] },
  ])('finds the certificate among several in KeyInfo by $by', async ({ xml, wrong }) => {
    const resigned = resign(xml, privateKey);
    expect(Object.keys(await failed(resigned))).toEqual(wrong);
    expect((await verifyXml(resigned)).signer?.serialNumber).toBe(signer.certificate.serialNumber);
  });
});

describe('many certificates in KeyInfo', () => {
  const authority = `<ds:X509Certificate>${toBase64(identity.authority)}</ds:X509Certificate>`;
  const own = `<ds:X509Certificate>${certificateText}</ds:X509Certificate>`;
  const among = (before: number) => resigned(own, authority.repeat(before) + own);

  it('reads the first eight certificates in KeyInfo', async () => {
    expect(await failed(among(7))).toEqual({});
    expect(Object.keys(await failed(among(8)))).toContain('certificate');
  });

  it('uses the first certificate when nothing distinguishes them', async () => {
    const chain = resign(
      swap(
        swap(swap(signed, own, authority.repeat(2)), keyValue, ''),
        /<etsi:SigningCertificate>.*<\/etsi:SigningCertificate>/,
        '',
      ),
      privateKey,
    );
    expect((await failed(chain)).certificate).toBe('The key of the certificate is ec.');
  });
});

describe('the SigningTime', () => {
  const second = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);
  const validFrom = second(new Date(signingTime.getTime() - 60_000));
  const validTo = second(new Date(signingTime.getTime() + 60_000));
  const certificate = certificateOf(signer.certificate.x509, undefined, { validFrom, validTo });
  const brief = createKeySigner({ certificate, privateKey });

  it.each([
    { name: 'the first second of the certificate', at: validFrom, ok: true },
    { name: 'the second before', at: new Date(validFrom.getTime() - 1000), ok: false },
    { name: 'the last second of the certificate', at: validTo, ok: true },
    { name: 'the second after', at: new Date(validTo.getTime() + 1000), ok: false },
  ])('accepts a SigningTime at $name: $ok', async ({ at, ok }) => {
    const xml = await signCanonicalXml(unsigned, brief, { signingTime: at });
    const wrong = await failed(xml);
    if (ok) expect(wrong).toEqual({});
    else expect(wrong.signingTime).toContain(`${validFrom.toISOString()} to ${validTo.toISOString()}`);
  });

  it.each(['02-31', '11-31', '00-10', '12-32'])(
    'rejects a SigningTime on a day that does not exist: %s',
    async (day) => {
      const next = `${signingTime.getUTCFullYear() + 1}-${day}T10:00:00Z`;
      const xml = resigned(/(?<=<etsi:SigningTime>)[^<]*/, next);
      expect((await failed(xml)).signingTime).toBe(`SigningTime is "${next}".`);
    },
  );

  it('rejects a SigningTime with a sign before the year, although JavaScript accepts one', async () => {
    const text = `+00${second(signingTime).toISOString()}`;
    expect(Date.parse(text)).toBe(second(signingTime).getTime());
    const xml = resigned(/(?<=<etsi:SigningTime>)[^<]*/, text);
    expect(Object.keys(await failed(xml))).toEqual(['signingTime']);
  });

  it('accepts the current moment as SigningTime', async () => {
    const now = second(signingTime);
    expect((await verifyXml(signed, { now })).valid).toBe(true);
    expect((await verifyXml(signed, { now: new Date(now.getTime() - 1) })).valid).toBe(false);
  });

  it.each([
    { form: '.5', ok: true },
    { form: '.123456789', ok: true },
    { form: '.1234567891', ok: false },
    { form: '.', ok: false },
    { form: ',5', ok: false },
    { form: '0', ok: false },
  ])('judges the fraction of a SigningTime: $form', async ({ form, ok }) => {
    const xml = resigned('-05:00</etsi:SigningTime>', `${form}-05:00</etsi:SigningTime>`);
    expect((await verifyXml(xml)).valid).toBe(ok);
  });

  it.each([
    { zone: 'Z', ok: true },
    { zone: '+14:00', ok: true },
    { zone: '-13:59', ok: true },
    { zone: '+14:01', ok: false },
    { zone: '+23:00', ok: false },
    { zone: '-5:00', ok: false },
    { zone: '-0500', ok: false },
    { zone: ' -05:00', ok: false },
    { zone: 'z', ok: false },
    { zone: ' GMT', ok: false },
  ])('judges the XML time zone of a SigningTime: $zone', async ({ zone, ok }) => {
    const xml = resigned('-05:00</etsi:SigningTime>', `${zone}</etsi:SigningTime>`);
    expect((await verifyXml(xml)).valid).toBe(ok);
  });
});

describe('a signature value', () => {
  it('reports a signature value over another kind of digest as made with the right key', async () => {
    const wrong = await failed(signText(canonicalSignedInfo(), privateKey, { hash: 'sha512' }));
    expect(wrong.signatureValue).toContain('right key, over something else');
  });

  it.each([
    '2026-11-21',
    '2026-13-41T10:00:00Z',
    '2026-11-31T10:00:00',
    'x2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00Zx',
  ])('rejects the SigningTime %s', async (text) => {
    const xml = resigned(/(?<=<etsi:SigningTime>)[^<]*/, text);
    expect(Object.keys(await failed(xml))).toEqual(['signingTime']);
  });
});

describe('a comprobante', () => {
  it('accepts a comprobante signed with or without a declaration, over the same root', async () => {
    const bare = await signCanonicalXml(unsignedRoot as CanonicalXml, signer, { signingTime });
    expect(bare.startsWith('<factura')).toBe(true);
    expect(await failed(bare)).toEqual({});
  });

  it('accepts any spelling of the comprobante’s id in DataObjectFormat', async () => {
    for (const spelling of ['Id', 'ID']) {
      const root = unsignedRoot.replace('id=', `${spelling}=`) as CanonicalXml;
      expect(await failed(await signCanonicalXml(root, signer, { signingTime }))).toEqual({});
    }
  });
});
