import { generateKeyPairSync, hash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CertificateInvalidError } from '../errors.js';
import { createTestCertificate, type TestCertificateOptions, testExtensions } from '../testing/test-certificate.js';
import { toSigningCertificate } from './certificate.js';
import { readCertificateFields, readCommonName } from './certificate-fields.js';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const name = [{ type: '2.5.4.3', text: 'JOSÉ NÚÑEZ, S.A.' }];

function certificate(options: Partial<TestCertificateOptions> = {}): Buffer {
  return createTestCertificate({
    subject: name,
    publicKey: keys.publicKey,
    issuer: { name, privateKey: keys.privateKey },
    validFrom: new Date('2026-01-02T03:04:05Z'),
    validTo: new Date('2051-06-07T08:09:10Z'),
    ...options,
  });
}

/** The certificate with other octets in one place. */
function changed(from: string, to: string): Buffer {
  return Buffer.from(certificate().toString('latin1').replace(from, to), 'latin1');
}

describe('a certificate', () => {
  it('a certificate has the fields for the signature and the operator', () => {
    const der = certificate({ serialNumber: 2n ** 159n - 1n });
    expect(toSigningCertificate(der)).toMatchObject({
      fingerprint: hash('sha256', der),
      issuerName: 'CN=JOSÉ NÚÑEZ\\, S.A.',
      serialNumber: '730750818665451459101842416358141509827966271487',
      validFrom: new Date('2026-01-02T03:04:05Z'),
      validTo: new Date('2051-06-07T08:09:10Z'),
      ruc: null,
    });
    expect(Buffer.from(toSigningCertificate(der).der)).toEqual(der);
  });

  it.each([
    { serialNumber: 0n, written: '0' },
    { serialNumber: 127n, written: '127' },
    { serialNumber: 128n, written: '128' },
    { serialNumber: 2n ** 64n, written: '18446744073709551616' },
    { serialNumber: 2n ** 159n, written: '730750818665451459101842416358141509827966271488' },
    { serialNumber: 123456789012345678901234567n, written: '123456789012345678901234567' },
  ])('a certificate writes its serial number in decimals: $written', ({ serialNumber, written }) => {
    expect(toSigningCertificate(certificate({ serialNumber })).serialNumber).toBe(written);
  });

  it('a certificate in PEM becomes DER', () => {
    const der = certificate();
    const pem = Buffer.from(new X509Certificate(der).toString());
    expect(Buffer.from(toSigningCertificate(pem).der)).toEqual(der);
  });

  it.each([
    { name: 'empty', bytes: Buffer.alloc(0) },
    { name: 'no certificate', bytes: Buffer.from('hola') },
    { name: 'cut off', bytes: certificate().subarray(0, 200) },
    { name: 'in force from a month 99', bytes: changed('260102030405Z', '269902030405Z') },
    { name: 'in force until a month 99', bytes: changed('20510607080910Z', '20519907080910Z') },
  ])('a certificate is rejected when it is $name', ({ bytes }) => {
    expect(() => toSigningCertificate(bytes)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_INVALID' }));
  });

  it('a certificate has at most 64 KiB, including text around its PEM', () => {
    const filled = Buffer.alloc(64 * 1024, '\n');
    filled.write(new X509Certificate(certificate({ serialNumber: 7n })).toString());
    expect(toSigningCertificate(filled).serialNumber).toBe('7');
    expect(() => toSigningCertificate(Buffer.concat([filled, Buffer.from('\n')]))).toThrow(CertificateInvalidError);
  });

  it('a certificate shows the allowed uses of its key', () => {
    const extensions = [testExtensions.keyUsage('digitalSignature', 'keyEncipherment')];
    expect(readCertificateFields(certificate({ extensions })).keyUsage).toEqual(
      new Set(['digitalSignature', 'keyEncipherment']),
    );
    expect(readCertificateFields(certificate()).keyUsage).toBeNull();
  });

  it('a certificate has a common name, else its other names', () => {
    const nameOf = (subject: TestCertificateOptions['subject']) =>
      readCommonName(readCertificateFields(certificate({ subject })).subject);
    expect(nameOf(name)).toBe('JOSÉ NÚÑEZ, S.A.');
    expect(
      nameOf([
        { type: '2.5.4.10', text: 'O' },
        { type: '2.5.4.11', text: 'OU', form: 'bmp' },
      ]),
    ).toBe('O, OU');
    expect(nameOf([])).toBeNull();
  });
});
