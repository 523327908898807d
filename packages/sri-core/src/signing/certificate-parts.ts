import { hash } from 'node:crypto';
import { CertificateInvalidError, CertificateKeyUnsupportedError } from '../errors.js';
import { isForbidden } from '../xml/well-formed.js';
import { escapeText } from '../xml/writer.js';
import { publicKeyOf } from './certificate.js';
import type { SignatureAlgorithm, SigningCertificate } from './signer.js';
import { SIGNATURE_METHODS } from './xmldsig.js';

/** The parts of a signature that describe its certificate: the same canonical text in every document. */
export interface CertificateParts {
  /** Content of ds:KeyInfo. */
  readonly keyInfo: string;
  /** etsi:SigningCertificate, by the algorithm that digests the certificate. */
  readonly signingCertificate: Readonly<Record<SignatureAlgorithm, string>>;
}

/**
 * Writes these parts, once per certificate.
 *
 * @throws CertificateKeyUnsupportedError when the key is not RSA; CertificateInvalidError when the authority's name holds
 * characters that XML cannot carry.
 */
export function certificateParts(certificate: SigningCertificate): CertificateParts {
  let parts = known.get(certificate);
  if (!parts) {
    parts = writeParts(certificate);
    known.set(certificate, parts);
  }
  return parts;
}

// --- internal ---

const known = new WeakMap<SigningCertificate, CertificateParts>();

function writeParts(certificate: SigningCertificate): CertificateParts {
  return {
    keyInfo: writeKeyInfo(certificate),
    signingCertificate: {
      'rsa-sha1': writeSigningCertificate(certificate, 'rsa-sha1'),
      'rsa-sha256': writeSigningCertificate(certificate, 'rsa-sha256'),
    },
  };
}

function writeKeyInfo(certificate: SigningCertificate): string {
  const publicKey = publicKeyOf(certificate);
  const { n, e } = publicKey?.asymmetricKeyType === 'rsa' ? publicKey.export({ format: 'jwk' }) : {};
  if (!n || !e) throw new CertificateKeyUnsupportedError('The key of the certificate is not RSA.');
  return (
    `<ds:X509Data><ds:X509Certificate>${Buffer.from(certificate.der).toString('base64')}</ds:X509Certificate></ds:X509Data>` +
    `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${toBase64(n)}</ds:Modulus><ds:Exponent>${toBase64(e)}</ds:Exponent>` +
    '</ds:RSAKeyValue></ds:KeyValue>'
  );
}

function writeSigningCertificate(certificate: SigningCertificate, algorithm: SignatureAlgorithm): string {
  const { digest } = SIGNATURE_METHODS[algorithm];
  const { issuerName, serialNumber, der } = certificate;
  if (isForbidden(issuerName)) {
    throw new CertificateInvalidError('The name of the certificate authority holds characters that XML cannot carry.');
  }
  return (
    '<etsi:SigningCertificate><etsi:Cert><etsi:CertDigest>' +
    `<ds:DigestMethod Algorithm="${digest.uri}"></ds:DigestMethod>` +
    `<ds:DigestValue>${hash(digest.hash, der, 'base64')}</ds:DigestValue></etsi:CertDigest><etsi:IssuerSerial>` +
    `<ds:X509IssuerName>${escapeText(issuerName)}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${serialNumber}</ds:X509SerialNumber>` +
    '</etsi:IssuerSerial></etsi:Cert></etsi:SigningCertificate>'
  );
}

function toBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
