import { hash, type KeyObject } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { childrenNamed, elementAt, plainText } from '../xml/elements.js';
import { readBase64 } from './base64.js';
import { publicKeyOf, toSigningCertificate } from './certificate.js';
import { type CertificateFields, readCertificateFields } from './certificate-fields.js';
import type { SignatureParts } from './signature-parts.js';
import type { SigningCertificate } from './signer.js';
import { DIGEST_METHODS, type DigestMethod, DS, XADES } from './xmldsig.js';

/** The certificate of a signature, as far as the file shows it. */
export interface SignatureCertificate {
  readonly certificate: SigningCertificate;
  readonly fields: CertificateFields;
  /** Null when node:crypto cannot use the key. */
  readonly publicKey: KeyObject | null;
}

/** One Cert of etsi:SigningCertificate: the signed description of the certificate. */
export interface CertificateStatement {
  readonly method: DigestMethod | null;
  readonly digest: Buffer | null;
  /** As written: a blank at its end may belong to it. */
  readonly issuerName: string | null;
  readonly serialNumber: string | null;
}

/**
 * Chooses the signing certificate from KeyInfo, which may also hold the authorities' certificates. First choice: the
 * certificate of RSAKeyValue. Then the certificate that SigningCertificate describes, then the first of no authority.
 * Contradictions show as failed checks.
 *
 * @returns null without a readable certificate.
 */
export function readSignatureCertificate(
  { keyInfo }: SignatureParts,
  statements: readonly CertificateStatement[],
): SignatureCertificate | null {
  const candidates = childrenNamed(keyInfo, DS, 'X509Data')
    .flatMap((data) => childrenNamed(data, DS, 'X509Certificate'))
    .slice(0, MAX_CERTIFICATES)
    .flatMap(readCandidate);
  const modulus = readKeyValue(keyInfo)?.modulus;
  return (
    candidates.find(({ publicKey }) => modulus && publicKey && rsaNumbers(publicKey)?.modulus.equals(modulus)) ??
    candidates.find(({ certificate }) => statements.some((statement) => describes(statement, certificate))) ??
    candidates.find(({ certificate }) => !certificate.x509.ca) ??
    candidates[0] ??
    null
  );
}

/** The content of etsi:SigningCertificate, one entry per certificate. */
export function readStatements({ signedProperties }: SignatureParts): readonly CertificateStatement[] {
  const signing = elementAt(signedProperties, XADES, 'SignedSignatureProperties', 'SigningCertificate');
  return childrenNamed(signing, XADES, 'Cert')
    .slice(0, MAX_CERTIFICATES)
    .map((cert) => {
      const digest = elementAt(cert, XADES, 'CertDigest');
      const issuerSerial = elementAt(cert, XADES, 'IssuerSerial');
      const method = elementAt(digest, DS, 'DigestMethod')?.getAttribute('Algorithm');
      return {
        method: DIGEST_METHODS.find(({ uri }) => uri === method) ?? null,
        digest: readBase64(textAt(digest, 'DigestValue')),
        issuerName: textAt(issuerSerial, 'X509IssuerName'),
        serialNumber: textAt(issuerSerial, 'X509SerialNumber')?.trim() ?? null,
      };
    });
}

/** Whether the digest matches that certificate. */
export function describes({ method, digest }: CertificateStatement, { der }: SigningCertificate): boolean {
  return method !== null && digest?.toString('base64') === hash(method.hash, der, 'base64');
}

/** Modulus and exponent in KeyInfo/KeyValue/RSAKeyValue; null when absent or not base64. */
export function readKeyValue(keyInfo: Element | null): RsaNumbers | null {
  const value = elementAt(keyInfo, DS, 'KeyValue', 'RSAKeyValue');
  const modulus = readBase64(textAt(value, 'Modulus'));
  const exponent = readBase64(textAt(value, 'Exponent'));
  return modulus && exponent
    ? { modulus: withoutLeadingZeros(modulus), exponent: withoutLeadingZeros(exponent) }
    : null;
}

/** The numbers of an RSA key, big-endian without leading zeros. */
export interface RsaNumbers {
  readonly modulus: Buffer;
  readonly exponent: Buffer;
}

/** The numbers of a public key; null when it is not RSA. */
export function rsaNumbers(publicKey: KeyObject): RsaNumbers | null {
  if (publicKey.asymmetricKeyType !== 'rsa') return null;
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { modulus: Buffer.from(n, 'base64url'), exponent: Buffer.from(e, 'base64url') };
}

// --- internal ---

/** A chain has three or four certificates; more would only cost time. */
const MAX_CERTIFICATES = 8;

function readCandidate(element: Element): readonly SignatureCertificate[] {
  const der = readBase64(plainText(element));
  if (!der) return [];
  try {
    const certificate = toSigningCertificate(der);
    return [{ certificate, fields: readCertificateFields(certificate.der), publicKey: publicKeyOf(certificate) }];
  } catch {
    return []; // not a certificate; without any, the certificate check fails
  }
}

function textAt(parent: Element | null, name: string): string | null {
  const element = elementAt(parent, DS, name);
  return element && plainText(element);
}

function withoutLeadingZeros(octets: Buffer): Buffer {
  return octets.subarray(octets.findIndex((octet) => octet !== 0));
}
