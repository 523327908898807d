import type { AccessKey } from '../access-key.js';
import type { Language } from '../catalogs/catalog.js';
import { requireFlag } from '../choice.js';
import type { Issuer } from '../documents/issuer.js';
import { createFailure } from '../documents/messages.js';
import type { PreparedDocument } from '../documents/registry.js';
import { type Numbering, writeComprobante, writePreview } from '../documents/write-comprobante.js';
import type { Environment } from '../environment.js';
import {
  CertificateExpiredError,
  CertificateNotYetValidError,
  DocumentTypeNotEnabledError,
  IssuerPausedError,
  ValidationError,
} from '../errors.js';
import { requireSigner } from '../signing/require-signer.js';
import type { Signer } from '../signing/signer.js';
import { signCanonicalXml, signedSizeOf } from '../signing/xades.js';
import type { LifecycleContext } from './context.js';
import type { EngineIssuer } from './issuer-source.js';

/** The SRI rejects a file over 320 KB. A lower limit leaves room for the SRI's own envelope. */
const MAX_SIGNED_KIB = 300;

/** @throws IssuerPausedError */
export function requireUnpaused({ canIssue }: EngineIssuer): void {
  requireFlag(canIssue, 'issuer.canIssue');
  if (canIssue === false) throw new IssuerPausedError('This issuer is paused.');
}

/** Rejects a document that the issuer may not issue now. @throws IssuerPausedError, DocumentTypeNotEnabledError */
export function requireMayIssue(issuer: EngineIssuer, documentType: PreparedDocument['documentType']): void {
  requireUnpaused(issuer);
  if (issuer.documentTypes && !issuer.documentTypes.includes(documentType)) {
    throw new DocumentTypeNotEnabledError(`This issuer has not enabled the document type ${documentType}.`);
  }
}

/**
 * Writes and signs one document under its number.
 *
 * @throws CertificateExpiredError, CertificateNotYetValidError; ValidationError when the file gets too large for the SRI.
 */
export async function signComprobante(
  context: SigningContext,
  issuer: SigningIssuer,
  document: PreparedDocument,
  numbering: Numbering,
): Promise<{ readonly accessKey: AccessKey; readonly signedXml: string }> {
  const signingTime = context.clock.now();
  requireInForce(issuer.signer, signingTime);
  const { xml, accessKey } = writeComprobante(document, issuer, numbering);
  const signedXml = await signCanonicalXml(xml, issuer.signer, {
    algorithm: context.signatureAlgorithm,
    signingTime,
    random: context.random,
  });
  if (isLongerThan(signedXml, MAX_SIGNED_KIB * 1024)) throw tooLarge(context.language);
  return { accessKey, signedXml };
}

/**
 * Writes one document without number and signature. Throws the errors that signing it would throw.
 *
 * @throws as `signComprobante`.
 */
export function previewComprobante(
  context: SigningContext,
  issuer: SigningIssuer,
  document: PreparedDocument,
  environment: Environment,
): string {
  const signingTime = context.clock.now();
  requireInForce(issuer.signer, signingTime);
  const { xml } = writePreview(document, issuer, environment);
  const { signatureAlgorithm: algorithm, random } = context;
  const size = signedSizeOf(xml, issuer.signer.certificate, { algorithm, signingTime, random });
  if (size > MAX_SIGNED_KIB * 1024) throw tooLarge(context.language);
  return xml;
}

// --- internal ---

type SigningContext = Pick<LifecycleContext, 'clock' | 'random' | 'signatureAlgorithm' | 'language'>;
type SigningIssuer = Issuer & { readonly signer: Signer };

function requireInForce(signer: Signer, now: Date): void {
  requireSigner(signer, 'issuer.signer');
  if (now > signer.certificate.validTo) throw new CertificateExpiredError('The signing certificate has expired.');
  if (now < signer.certificate.validFrom) {
    throw new CertificateNotYetValidError('The signing certificate is not valid yet.');
  }
}

/** Whether a text exceeds that size in UTF-8. A character takes at most three bytes, so most texts need no counting. */
function isLongerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function tooLarge(language: Language): ValidationError {
  return new ValidationError([createFailure('items', 'xmlSize', { max: MAX_SIGNED_KIB }, language)], language);
}
