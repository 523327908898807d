import { hash, type KeyObject, X509Certificate } from 'node:crypto';
import { CertificateInvalidError } from '../errors.js';
import { readCertificateFields } from './certificate-fields.js';
import { readRuc } from './certificate-ruc.js';
import { toJavaIssuerName } from './issuer-name.js';
import type { SigningCertificate } from './signer.js';

/**
 * Reads the fields of a certificate that the signature and the operator need. It does not check whether the certificate may
 * sign, or is in force.
 *
 * @param bytes DER or PEM.
 * @throws CertificateInvalidError when the bytes are not an X.509 certificate, or exceed 64 KiB.
 */
export function toSigningCertificate(bytes: Uint8Array): SigningCertificate {
  const x509 = parseCertificate(bytes);
  // Of a time that OpenSSL cannot read, `validFromDate` is any date, and the text is «Bad time value».
  const [validFrom, validTo] = [new Date(x509.validFrom), new Date(x509.validTo)];
  if (Number.isNaN(validFrom.getTime()) || Number.isNaN(validTo.getTime())) {
    throw new CertificateInvalidError('The certificate has no readable validity.');
  }
  const { issuer, serialNumber } = readCertificateFields(x509.raw);
  return {
    x509,
    der: x509.raw,
    fingerprint: hash('sha256', x509.raw),
    issuerName: toJavaIssuerName(issuer.bytes),
    serialNumber: serialNumber.toString(),
    validFrom,
    validTo,
    ruc: readRuc(x509),
  };
}

/** The public key of a certificate; null for a key that node:crypto cannot read. */
export function publicKeyOf({ x509 }: SigningCertificate): KeyObject | null {
  try {
    return x509.publicKey;
  } catch {
    return null;
  }
}

// --- internal ---

/** Real certificates have 2 to 4 kB. The limit keeps a hostile one from blocking the thread. */
const LARGEST_CERTIFICATE = 64 * 1024;

function parseCertificate(bytes: Uint8Array): X509Certificate {
  if (bytes.length > LARGEST_CERTIFICATE) throw new CertificateInvalidError('The certificate is too large.');
  try {
    return new X509Certificate(bytes);
  } catch {
    throw new CertificateInvalidError('The bytes are not an X.509 certificate.');
  }
}
