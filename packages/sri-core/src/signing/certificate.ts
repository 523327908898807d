import { hash, X509Certificate } from 'node:crypto';
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
  const { issuer, serialNumber } = readCertificateFields(x509.raw);
  return {
    x509,
    der: x509.raw,
    fingerprint: hash('sha256', x509.raw),
    issuerName: toJavaIssuerName(issuer.bytes),
    serialNumber: serialNumber.toString(),
    validFrom: x509.validFromDate,
    validTo: x509.validToDate,
    ruc: readRuc(x509),
  };
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
