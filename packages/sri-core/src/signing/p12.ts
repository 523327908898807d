import type { KeyObject } from 'node:crypto';
import { requireDate, requireOptions } from '../choice.js';
import { CertificateInvalidError, CertificatePasswordError, SriError } from '../errors.js';
import { toSigningCertificate } from './certificate.js';
import { readCertificateFields, readCommonName } from './certificate-fields.js';
import { createKeySigner, type KeySigner } from './key-signer.js';
import { type Candidate, type ChoiceReason, chooseCertificate } from './p12-choice.js';
import type { ContainerCertificate } from './p12-container.js';
import { openInThread } from './p12-thread.js';
import type { SigningCertificate } from './signer.js';

/** The signing content of a PKCS#12 container (P12, PFX). */
export interface OpenedP12 {
  readonly certificate: SigningCertificate;
  readonly privateKey: KeyObject;
  /**
   * The authorities' certificates above it, DER, nearest first, as far as the container has them. They are found by names
   * and key identifiers; trust is not checked.
   */
  readonly chain: readonly Uint8Array[];
  /** Every certificate of the container, in order, and why it was chosen or rejected. */
  readonly choice: readonly CertificateChoice[];
}

/** The verdict on one certificate of the container. */
export interface CertificateChoice {
  /** Common name; empty without a name. */
  readonly subject: string;
  /** Decimal. */
  readonly serialNumber: string;
  readonly chosen: boolean;
  readonly reason: ChoiceReason;
}

/** The options of opening a P12. */
export interface OpenP12Options {
  /** The time for validity. Default: the system's clock. */
  readonly now?: Date;
  /**
   * The time limit of the container, without the thread's start and without time in which other processes keep this one
   * from working. Default 3000.
   */
  readonly timeoutMs?: number;
  /** Size limit. Default 256 KiB; real containers have 3 to 20 KiB. */
  readonly maxBytes?: number;
  /** Accepts a certificate out of date when none is in force, to inspect it. Default false. */
  readonly allowOutOfDate?: boolean;
}

/**
 * Opens a PKCS#12 container and chooses the signing certificate. A thread with time and memory limits does the work, so that
 * a hostile file neither blocks nor crashes the process.
 *
 * @param password null when the container has none; an empty text means the same.
 * @throws TypeError without bytes or password, for a misspelt option or a `now` that is no date; CertificatePasswordError;
 * CertificateInvalidError (damaged, too large, too costly, not PKCS#12: `found` names its kind);
 * CertificateKeyNotFoundError, CertificateKeyUnsupportedError, CertificateExpiredError, CertificateNotYetValidError.
 */
export async function openP12(
  bytes: Uint8Array,
  password: string | null,
  options: OpenP12Options = {},
): Promise<OpenedP12> {
  const { now = new Date(), timeoutMs = 3000, maxBytes = 256 * 1024, allowOutOfDate = false } = options;
  // Programs in JavaScript have no type check.
  requireOptions(OPTIONS, options, 'openP12');
  requireDate(now, 'now');
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The P12 has to be its bytes, a Uint8Array or a Buffer.');
  if (password !== null && typeof password !== 'string') {
    throw new TypeError('The password of the P12 has to be a text, or null when it has none.');
  }
  if (bytes.length === 0) throw new CertificateInvalidError('The file is empty.', EMPTY);
  if (bytes.length > maxBytes) throw new CertificateInvalidError(`The file has more than ${maxBytes} bytes.`);
  if (password !== null && password.length > LONGEST_PASSWORD) {
    throw new CertificatePasswordError('The password is not the one of the container.');
  }
  // A copy: the caller may reuse its buffer before this container's turn.
  const answer = await openInThread({ bytes: Uint8Array.from(bytes), password }, timeoutMs);
  if (answer.outcome !== 'opened') {
    throw answer.outcome === 'invalid'
      ? new CertificateInvalidError(answer.message, answer.found)
      : new CertificatePasswordError(answer.message);
  }
  const candidates = answer.certificates.flatMap(toCandidate);
  const { chosen, choice } = chooseCertificate(candidates, { now, allowOutOfDate, keyCount: answer.keyCount });
  if (chosen instanceof SriError) throw chosen;
  return {
    ...chosen,
    chain: findChain(chosen.certificate, candidates),
    choice: choice.map(({ candidate: { certificate, fields }, reason }) => {
      const subject = readCommonName(fields.subject) ?? '';
      return { subject, serialNumber: certificate.serialNumber, chosen: reason === 'chosen', reason };
    }),
  };
}

/**
 * Opens a container and creates a signer of it, in one step.
 *
 * @throws the errors of `openP12`.
 */
export async function signerFromP12(
  bytes: Uint8Array,
  password: string | null,
  options: OpenP12Options = {},
): Promise<KeySigner & { readonly p12: OpenedP12 }> {
  const p12 = await openP12(bytes, password, options);
  return { ...createKeySigner({ ...p12, isProven: true }), p12 };
}

// --- internal ---

const OPTIONS = ['now', 'timeoutMs', 'maxBytes', 'allowOutOfDate'] satisfies (keyof OpenP12Options)[];
const LONGEST_PASSWORD = 1024;
const EMPTY = { es: 'El archivo está vacío.', en: 'The file is empty.' };

/** An unreadable certificate is skipped: another one of the container may be usable. */
function toCandidate({ der, names, key }: ContainerCertificate): Candidate[] {
  try {
    const certificate = toSigningCertificate(der);
    return [{ certificate, fields: readCertificateFields(certificate.der), names, key }];
  } catch {
    return [];
  }
}

function findChain(leaf: SigningCertificate, candidates: readonly Candidate[]): Uint8Array[] {
  const left = new Set(candidates.map(({ certificate }) => certificate));
  const chain: Uint8Array[] = [];
  let current: SigningCertificate | undefined = leaf;
  while (current) {
    left.delete(current);
    const { x509 }: SigningCertificate = current;
    current = [...left].find((other) => other.x509.ca && x509.checkIssued(other.x509));
    if (current) chain.push(current.der);
  }
  return chain;
}
