import type { AccessKey } from '../access-key.js';
import { ecuadorDate } from '../calendar.js';
import { LANGUAGES, type Language } from '../catalogs/catalog.js';
import { requireChoice, requireFlag, requireOptions } from '../choice.js';
import { type Clock, systemClock } from '../clock.js';
import { inLanguage } from '../documents/describe-error.js';
import type { Issuer } from '../documents/issuer.js';
import type { Warning } from '../documents/messages.js';
import { prepareDocument } from '../documents/prepare.js';
import type { DocumentBody } from '../documents/registry.js';
import { type Environment, requireEnvironment } from '../environment.js';
import { type Random, randomDigits, systemRandom } from '../random.js';
import { isSequential } from '../sequential.js';
import { requireSigner } from '../signing/require-signer.js';
import type { SignatureAlgorithm, Signer } from '../signing/signer.js';
import { signComprobante } from './signed-comprobante.js';

/** The input of a document besides its body, for a caller that keeps numbers and files itself. */
export interface SignDocumentOptions {
  readonly issuer: Issuer;
  readonly signer: Signer;
  readonly environment: Environment;
  /** The document's number, 1 to 999999999. The caller must leave no gap and use no number twice. */
  readonly sequential: number;
  readonly algorithm?: SignatureAlgorithm;
  readonly softwareProviderRuc?: string | undefined;
  /** Turns warnings into errors. Default false. */
  readonly strict?: boolean;
  /** Language of the messages. Default `es`. */
  readonly language?: Language;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A signed comprobante, ready to send. */
export interface SignedDocument {
  readonly accessKey: AccessKey;
  readonly signedXml: string;
  readonly warnings: readonly Warning[];
}

/**
 * Builds and signs one document without storing anything, for callers with their own numbering and storage. Other callers
 * use `createEngine`.
 *
 * @param body the document's input; pass one of unknown shape, such as parsed JSON, through `uncheckedBody`.
 * @returns the document; with a warning when the certificate is not the issuer's or has no readable RUC.
 * @throws ValidationError, CertificateExpiredError, CertificateNotYetValidError; TypeError for an unknown option,
 * environment, language or algorithm, an invalid `sequential`, or without a `signer`.
 */
export async function signDocument(body: DocumentBody, options: SignDocumentOptions): Promise<SignedDocument> {
  requireOptions(OPTIONS, options, 'signDocument');
  const { language = 'es' } = options;
  requireFlag(options.strict, 'strict');
  requireEnvironment(options.environment);
  requireChoice(LANGUAGES, language, 'language');
  requireSigner(options.signer, 'signer');
  if (!isSequential(options.sequential))
    throw new TypeError('sequential has to be a whole number from 1 to 999999999.');
  try {
    return await sign(body, options);
  } catch (error) {
    throw inLanguage(error, language);
  }
}

// --- internal ---

const OPTIONS = [
  'issuer',
  'signer',
  'environment',
  'sequential',
  'algorithm',
  'softwareProviderRuc',
  'strict',
  'language',
  'clock',
  'random',
] satisfies (keyof SignDocumentOptions)[];

async function sign(body: DocumentBody, options: SignDocumentOptions): Promise<SignedDocument> {
  const { issuer, signer, clock = systemClock, random = systemRandom, language = 'es' } = options;
  const prepared = prepareDocument(body, {
    issuer,
    today: ecuadorDate(clock.now()),
    certificateRuc: signer.certificate.ruc,
    strict: options.strict ?? false,
    language,
    ...(options.softwareProviderRuc ? { softwareProviderRuc: options.softwareProviderRuc } : {}),
  });
  const signed = await signComprobante(
    { clock, random, language, signatureAlgorithm: options.algorithm ?? 'rsa-sha1' },
    { ...issuer, signer },
    prepared,
    { environment: options.environment, sequential: options.sequential, numericCode: randomDigits(random, 8) },
  );
  return { ...signed, warnings: prepared.warnings };
}
