import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestCertificate } from '../testing/test-certificate.js';
import { toSigningCertificate } from './certificate.js';
import { certificateParts } from './certificate-parts.js';
import type { SigningCertificate } from './signer.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = rsa.publicKey.export({ format: 'jwk' });
const toBase64 = (base64url = '') => Buffer.from(base64url, 'base64url').toString('base64');

function certificate(publicKey: KeyObject = rsa.publicKey): SigningCertificate {
  const name = [{ type: '2.5.4.3', text: 'AC & <CÍA>' }];
  const issuer = { name, privateKey: rsa.privateKey };
  const [validFrom, validTo] = [new Date('2026-01-01T00:00:00Z'), new Date('2028-01-01T00:00:00Z')];
  return toSigningCertificate(
    createTestCertificate({ subject: name, publicKey, issuer, validFrom, validTo, serialNumber: 2n ** 100n }),
  );
}

describe('the certificate parts of a signature', () => {
  it('the certificate parts of a signature hold the certificate, its key and its digests, in canonical XML', () => {
    const own = certificate();
    const { keyInfo, signingCertificate } = certificateParts(own);
    expect(keyInfo).toBe(
      `<ds:X509Data><ds:X509Certificate>${Buffer.from(own.der).toString('base64')}</ds:X509Certificate></ds:X509Data>` +
        `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${toBase64(jwk.n)}</ds:Modulus><ds:Exponent>AQAB</ds:Exponent>` +
        '</ds:RSAKeyValue></ds:KeyValue>',
    );
    const written = (uri: string, digest: string) =>
      '<etsi:SigningCertificate><etsi:Cert><etsi:CertDigest>' +
      `<ds:DigestMethod Algorithm="${uri}"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue>` +
      '</etsi:CertDigest><etsi:IssuerSerial><ds:X509IssuerName>CN=AC &amp; \\&lt;CÍA\\&gt;</ds:X509IssuerName>' +
      '<ds:X509SerialNumber>1267650600228229401496703205376</ds:X509SerialNumber>' +
      '</etsi:IssuerSerial></etsi:Cert></etsi:SigningCertificate>';
    expect(signingCertificate).toEqual({
      'rsa-sha1': written('http://www.w3.org/2000/09/xmldsig#sha1', hash('sha1', own.der, 'base64')),
      'rsa-sha256': written('http://www.w3.org/2001/04/xmlenc#sha256', hash('sha256', own.der, 'base64')),
    });
    expect(certificateParts(own)).toBe(certificateParts(own));
  });

  it.each(['ed25519', 'rsa-pss'] as const)('rejects a key that is %s', (kind) => {
    const { publicKey } =
      kind === 'rsa-pss' ? generateKeyPairSync(kind, { modulusLength: 2048 }) : generateKeyPairSync(kind);
    const own = certificate(publicKey);
    expect(() => certificateParts(own)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_KEY_UNSUPPORTED' }));
  });

  it.each(['\0', '\b', '\v', '\f', '\x0e', '\x1f', '\ufffe', '\uffff', '\ud83d', '\udd11'])(
    'rejects an authority’s name with a character that XML cannot carry: %j',
    (character) => {
      const own = { ...certificate(), issuerName: `CN=A${character}C` };
      expect(() => certificateParts(own)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_INVALID' }));
    },
  );

  it('writes an authority’s name with every other character', () => {
    const issuerName = 'CN=\t\n\u0020\u007f\ud7ff\ue000\ufffd🔑';
    const { signingCertificate } = certificateParts({ ...certificate(), issuerName });
    expect(signingCertificate['rsa-sha1']).toContain(`<ds:X509IssuerName>${issuerName}</ds:X509IssuerName>`);
  });
});
