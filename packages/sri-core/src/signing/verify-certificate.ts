import type { Element } from '@xmldom/xmldom';
import { toIsoDate, toIssueDate } from '../calendar.js';
import { elementAt, plainText } from '../xml/elements.js';
import { readCommonName } from './certificate-fields.js';
import { type Findings, quote } from './findings.js';
import { matchIssuerName } from './issuer-name-match.js';
import {
  type CertificateStatement,
  describes,
  readSignatureCertificate,
  readStatements,
  type SignatureCertificate,
} from './signature-certificate.js';
import type { SignatureParts } from './signature-parts.js';
import type { SignerFacts } from './verification.js';
import { checkSignatureValue } from './verify-signature-value.js';
import { XADES } from './xmldsig.js';

/**
 * Checks the signer: the certificate, the signature value by its key, and the signed properties about both.
 *
 * @param now the latest allowed SigningTime; null skips this check.
 */
export function checkCertificate(parts: SignatureParts, now: Date | null, findings: Findings): SignerFacts | null {
  const statements = readStatements(parts);
  const signer = readSignatureCertificate(parts, statements);
  if (!signer) {
    findings.fail('certificate', 'KeyInfo holds no X.509 certificate that can be read.');
    return null;
  }
  checkSignatureValue(parts, signer, findings);
  checkStatement(statements, signer, findings);
  checkSigningTime(parts, signer, now, findings);
  checkKeyUsage(signer, findings);
  const { issuerName, serialNumber, fingerprint, ruc, validFrom, validTo } = signer.certificate;
  const commonName = readCommonName(signer.fields.subject);
  return { commonName, issuerName, serialNumber, fingerprint, ruc, validFrom, validTo };
}

/** The moment of SigningTime; null when it is missing, invalid or without a zone. */
export function readSigningTime(parts: SignatureParts): Date | null {
  return toMoment(signingTimeText(parts));
}

// --- internal ---

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
  const found = `X509IssuerName is ${quote(issuerName)} instead of ${quote(certificate.issuerName)}.`;
  if (match === 'same') findings.pass('issuerName', 'X509IssuerName is as Java prints it.');
  else if (match === 'sameInOtherWords') {
    findings.pass('issuerName', `X509IssuerName is the right name, spelled ${quote(issuerName)}.`);
  } else if (match === 'inOtherOrder') findings.doubt('issuerName', found, 'ISSUER_NAME_IN_OTHER_ORDER');
  else findings.fail('issuerName', found);

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
  parts: SignatureParts,
  { certificate }: SignatureCertificate,
  now: Date | null,
  findings: Findings,
): void {
  const text = signingTimeText(parts);
  const time = readSigningTime(parts);
  const isAbsent = parts.signedProperties !== null && signingTimeElement(parts) === null;
  if (isAbsent || toMoment(`${text}Z`)) {
    // XAdES requires neither the time nor its zone.
    findings.doubt('signingTime', `SigningTime is ${quote(text)}.`, 'SIGNING_TIME_UNCLEAR');
  } else if (!time) {
    findings.fail('signingTime', `SigningTime is ${quote(text)}.`);
  } else if (time < certificate.validFrom || time > certificate.validTo) {
    const validity = `${certificate.validFrom.toISOString()} to ${certificate.validTo.toISOString()}`;
    const detail = `SigningTime ${quote(text)} is outside the certificate’s validity, ${validity}.`;
    findings.fail('signingTime', detail, 'signingTimeOutsideValidity');
  } else if (now && time > now) {
    findings.fail(
      'signingTime',
      `SigningTime ${quote(text)} is later than ${now.toISOString()}.`,
      'signingTimeInFuture',
    );
  } else findings.pass('signingTime', `SigningTime ${quote(text)} lies within the certificate’s validity.`);
}

function toMoment(text: string | null): Date | null {
  // JavaScript parses the 31st of November as the 1st of December.
  const time = text && DATE_TIME.test(text) && toIsoDate(toIssueDate(text)) ? new Date(text) : null;
  return time && Number.isNaN(time.getTime()) ? null : time;
}

function signingTimeElement({ signedProperties }: SignatureParts): Element | null {
  return elementAt(signedProperties, XADES, 'SignedSignatureProperties', 'SigningTime');
}

function signingTimeText(parts: SignatureParts): string | null {
  const element = signingTimeElement(parts);
  return (element && plainText(element)?.trim()) ?? null;
}

function checkKeyUsage({ fields }: SignatureCertificate, findings: Findings): void {
  const uses = fields.keyUsage;
  if (uses === null) findings.pass('keyUsage', 'The certificate sets no limit to the use of its key.');
  else if (uses.has('digitalSignature') || uses.has('nonRepudiation')) {
    findings.pass('keyUsage', `The certificate allows ${[...uses].join(', ')}.`);
  } else {
    const detail = `The certificate allows ${[...uses].join(', ') || 'nothing'}, which is not signing.`;
    if (uses.has('keyEncipherment')) findings.doubt('keyUsage', detail, 'CERTIFICATE_NOT_FOR_SIGNING');
    else findings.fail('keyUsage', detail);
  }
}

/** xs:dateTime with its zone, up to 14 hours: without one, the moment is ambiguous. */
const DATE_TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))$/;
