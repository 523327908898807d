import { constants, publicDecrypt, verify } from 'node:crypto';
import { canonicalize } from '../xml/c14n.js';
import { childrenNamed, elementAt, plainText } from '../xml/elements.js';
import { readBase64 } from './base64.js';
import { readCommonName } from './certificate-fields.js';
import { whyPartDiffers } from './digest-causes.js';
import { type Findings, quote } from './findings.js';
import { matchIssuerName } from './issuer-name-match.js';
import {
  type CertificateStatement,
  describes,
  readKeyValue,
  readSignatureCertificate,
  readStatements,
  rsaNumbers,
  type SignatureCertificate,
} from './signature-certificate.js';
import type { SignatureParts } from './signature-parts.js';
import type { SignerFacts } from './verification.js';
import { DS, SIGNATURE_METHODS, XADES } from './xmldsig.js';

/**
 * Checks who signed: the certificate, the signature value by its key, and what the signed properties say of both.
 *
 * @param now the SigningTime may not be later; null leaves that out.
 */
export function checkCertificate(parts: SignatureParts, now: Date | null, findings: Findings): SignerFacts | null {
  const statements = readStatements(parts);
  const signer = readSignatureCertificate(parts, statements);
  if (!signer) {
    findings.fail('certificate', 'KeyInfo holds no X.509 certificate that can be read.');
    return null;
  }
  checkKey(signer, findings);
  checkKeyValue(parts, signer, findings);
  checkSignatureValue(parts, signer, findings);
  checkStatement(statements, signer, findings);
  checkSigningTime(parts, signer, now, findings);
  checkKeyUsage(signer, findings);
  const { issuerName, serialNumber, fingerprint, ruc, validFrom, validTo } = signer.certificate;
  const commonName = readCommonName(signer.fields.subject);
  return { commonName, issuerName, serialNumber, fingerprint, ruc, validFrom, validTo };
}

// --- internal ---

function checkKey({ publicKey }: SignatureCertificate, findings: Findings): void {
  const bits = publicKey?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey?.asymmetricKeyType === 'rsa' && bits >= 2048 && bits <= 4096) {
    findings.pass('certificate', `KeyInfo holds a certificate with an RSA key of ${bits} bits.`);
  } else {
    const kind = publicKey?.asymmetricKeyType ?? 'unknown';
    findings.fail(
      'certificate',
      `The key of the certificate is ${kind}${bits ? ` of ${bits} bits` : ''}.`,
      'keyNotSupported',
    );
  }
}

function checkKeyValue({ keyInfo }: SignatureParts, { publicKey }: SignatureCertificate, findings: Findings): void {
  if (childrenNamed(keyInfo, DS, 'KeyValue').length === 0) return; // XMLDSig leaves it free
  const written = readKeyValue(keyInfo);
  const real = publicKey && rsaNumbers(publicKey);
  if (written && real?.modulus.equals(written.modulus) && real.exponent.equals(written.exponent)) {
    findings.pass('keyValue', 'RSAKeyValue is the key of the certificate.');
  } else findings.fail('keyValue', 'KeyValue is not the key of the certificate.');
}

function checkSignatureValue(
  { signedInfo, signatureValue }: SignatureParts,
  { publicKey }: SignatureCertificate,
  findings: Findings,
): void {
  const uri = elementAt(signedInfo, DS, 'SignatureMethod')?.getAttribute('Algorithm');
  const method = Object.values(SIGNATURE_METHODS).find((candidate) => candidate.uri === uri);
  if (!method || publicKey?.asymmetricKeyType !== 'rsa') return; // already a failed check of algorithms or certificate
  const value = signatureValue && readBase64(plainText(signatureValue));
  if (!value) {
    findings.fail('signatureValue', 'SignatureValue is missing or is not base64.', 'structure');
    return;
  }
  if (verify(method.digest.hash, Buffer.from(canonicalize(signedInfo)), publicKey, value)) {
    findings.pass('signatureValue', 'The signature value is right for SignedInfo and the key of the certificate.');
    return;
  }
  const digest = recoverDigest(publicKey, value);
  if (!digest) {
    findings.fail(
      'signatureValue',
      'The signature value was not made with the key of the certificate.',
      'signedWithOtherKey',
    );
    return;
  }
  const cause = whyPartDiffers(signedInfo, digest) ?? 'signatureValue';
  findings.fail('signatureValue', 'The signature value was made with the right key, over something else.', cause);
}

/** The digest inside an RSASSA-PKCS1-v1_5 signature; null when another key, or none, made it. */
function recoverDigest(publicKey: NonNullable<SignatureCertificate['publicKey']>, value: Buffer): Buffer | null {
  try {
    const info = publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, value);
    // DigestInfo ends with the digest; any other content than that of SHA-1 or SHA-256 matches nothing.
    return info.length === 35 || info.length === 51 ? info.subarray(info.length === 35 ? 15 : 19) : Buffer.alloc(0);
  } catch {
    return null;
  }
}

function checkStatement(
  statements: readonly CertificateStatement[],
  { certificate, fields }: SignatureCertificate,
  findings: Findings,
): void {
  const statement = statements.find((candidate) => describes(candidate, certificate)) ?? statements[0];
  if (!statement) {
    findings.fail('signingCertificateDigest', 'SignedProperties has no SigningCertificate.');
    return;
  }
  if (describes(statement, certificate)) {
    findings.pass('signingCertificateDigest', 'SigningCertificate holds the digest of the certificate.');
  } else findings.fail('signingCertificateDigest', 'SigningCertificate does not hold the digest of the certificate.');

  const { issuerName, serialNumber } = statement;
  const match = matchIssuerName(issuerName ?? '', certificate.issuerName, fields.issuer);
  if (match === 'same') findings.pass('issuerName', 'X509IssuerName is as Java prints it.');
  else if (match === 'sameInOtherWords') {
    findings.pass('issuerName', `X509IssuerName is the right name, spelled ${quote(issuerName)}.`);
  } else {
    const detail = `X509IssuerName is ${quote(issuerName)} instead of ${quote(certificate.issuerName)}.`;
    findings.fail('issuerName', detail, match === 'reversed' ? 'issuerNameReversed' : 'issuerName');
  }

  if (
    serialNumber !== null &&
    /^-?[0-9]{1,64}$/.test(serialNumber) &&
    `${BigInt(serialNumber)}` === certificate.serialNumber
  ) {
    findings.pass('serialNumber', 'X509SerialNumber is that of the certificate.');
  } else {
    findings.fail('serialNumber', `X509SerialNumber is ${quote(serialNumber)} instead of ${certificate.serialNumber}.`);
  }
}

function checkSigningTime(
  { signedProperties }: SignatureParts,
  { certificate }: SignatureCertificate,
  now: Date | null,
  findings: Findings,
): void {
  const element = elementAt(signedProperties, XADES, 'SignedSignatureProperties', 'SigningTime');
  const text = element && plainText(element)?.trim();
  const time = text && DATE_TIME.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime())) {
    findings.fail('signingTime', `SigningTime is ${quote(text ?? null)}.`);
  } else if (time < certificate.validFrom || time > certificate.validTo) {
    const validity = `${certificate.validFrom.toISOString()} to ${certificate.validTo.toISOString()}`;
    const detail = `SigningTime ${quote(text ?? null)} is outside the certificate’s validity, ${validity}.`;
    findings.fail('signingTime', detail, 'signingTimeOutsideValidity');
  } else if (now && time > now) {
    findings.fail(
      'signingTime',
      `SigningTime ${quote(text ?? null)} is later than ${now.toISOString()}.`,
      'signingTimeInFuture',
    );
  } else findings.pass('signingTime', `SigningTime ${quote(text ?? null)} lies within the certificate’s validity.`);
}

function checkKeyUsage({ fields }: SignatureCertificate, findings: Findings): void {
  const uses = fields.keyUsage;
  if (uses === null) findings.pass('keyUsage', 'The certificate sets no limit to the use of its key.');
  else if (uses.has('digitalSignature') || uses.has('nonRepudiation')) {
    findings.pass('keyUsage', `The certificate allows ${[...uses].join(', ')}.`);
  } else
    findings.fail('keyUsage', `The certificate allows ${[...uses].join(', ') || 'nothing'}, which is not signing.`);
}

/** xs:dateTime with its zone: without one, nobody can tell which moment is meant. */
const DATE_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
