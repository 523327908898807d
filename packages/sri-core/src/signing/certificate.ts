import { hash, X509Certificate } from 'node:crypto';
import { CertificateInvalidError } from '../errors.js';
import { readCertificateFields } from './certificate-fields.js';
import { readRuc } from './certificate-ruc.js';
import { toJavaIssuerName } from './issuer-name.js';
import type { SigningCertificate } from './signer.js';

/**
 * Reads from a certificate what the signature and the operator need of it. Whether it may sign, and now, is not judged
 * here.
 *
 * @param bytes DER; PEM is taken as well.
 * @throws CertificateInvalidError when the bytes are no X.509 certificate, or more than 64 KiB.
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

/** Real certificates have 2 to 4 kB; a limit keeps a hostile one from holding up the thread. */
const LARGEST_CERTIFICATE = 64 * 1024;

function parseCertificate(bytes: Uint8Array): X509Certificate {
  if (bytes.length > LARGEST_CERTIFICATE) throw new CertificateInvalidError('The certificate is too large.');
  try {
    return new X509Certificate(bytes);
  } catch {
    throw new CertificateInvalidError('The bytes are not an X.509 certificate.');
  }
}
