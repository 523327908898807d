import type { KeyObject } from 'node:crypto';
import { CertificateInvalidError, CertificatePasswordError, SriError } from '../errors.js';
import { toSigningCertificate } from './certificate.js';
import { readCertificateFields, readCommonName } from './certificate-fields.js';
import { createKeySigner, type KeySigner } from './key-signer.js';
import { type Candidate, type ChoiceReason, chooseCertificate } from './p12-choice.js';
import type { ContainerCertificate } from './p12-container.js';
import { openInThread } from './p12-thread.js';
import type { SigningCertificate } from './signer.js';

/** What a PKCS#12 container (P12, PFX) holds for signing. */
export interface OpenedP12 {
  readonly certificate: SigningCertificate;
  readonly privateKey: KeyObject;
  /**
   * The certificates of the authorities above, DER, nearest first, as far as the container has them. Told by names and
   * key identifiers; whom to trust is not judged here.
   */
  readonly chain: readonly Uint8Array[];
  /** Every certificate of the container, in its order, and why it was chosen or not. */
  readonly choice: readonly CertificateChoice[];
}

/** What became of one certificate of the container. */
export interface CertificateChoice {
  /** Common name; empty when it has no name. */
  readonly subject: string;
  /** Decimal. */
  readonly serialNumber: string;
  readonly chosen: boolean;
  readonly reason: ChoiceReason;
}

export interface OpenP12Options {
  /** Decides what is in force. Default: the system's clock. */
  readonly now?: Date;
  /** How long the container may take, apart from the thread's start. Default 3000. */
  readonly timeoutMs?: number;
  /** Default 256 KiB; real containers have 3 to 20. */
  readonly maxBytes?: number;
  /** Takes a certificate out of date when none is in force, to look at it. Default false. */
  readonly allowOutOfDate?: boolean;
}

/**
 * Opens a PKCS#12 container and chooses the certificate to sign with. The work is done in a thread with limits of time
 * and memory, so that a hostile file neither blocks the process nor brings it down.
 *
 * @param password null when the container has none; an empty text means the same.
 * @throws TypeError without bytes or password; CertificatePasswordError; CertificateInvalidError (damaged, too large, too
 * costly, not PKCS#12: `found` says what it is instead); CertificateKeyNotFoundError, CertificateKeyUnsupportedError,
 * CertificateExpiredError, CertificateNotYetValidError.
 */
export async function openP12(
  bytes: Uint8Array,
  password: string | null,
  options: OpenP12Options = {},
): Promise<OpenedP12> {
  const { now = new Date(), timeoutMs = 3000, maxBytes = 256 * 1024, allowOutOfDate = false } = options;
  // Programs in JavaScript have no types to tell them.
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The P12 has to be its bytes, a Uint8Array or a Buffer.');
  if (password !== null && typeof password !== 'string') {
    throw new TypeError('The password of the P12 has to be a text, or null when it has none.');
  }
  if (bytes.length === 0) throw new CertificateInvalidError('The file is empty.', EMPTY);
  if (bytes.length > maxBytes) throw new CertificateInvalidError(`The file has more than ${maxBytes} bytes.`);
  if (password !== null && password.length > LONGEST_PASSWORD) {
    throw new CertificatePasswordError('The password is not the one of the container.');
  }
  // A copy: the caller may use its buffer again before it is this container's turn.
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
 * Opens a container and makes a signer of it, in one step.
 *
 * @throws what `openP12` throws.
 */
export async function signerFromP12(
  bytes: Uint8Array,
  password: string | null,
  options: OpenP12Options = {},
): Promise<KeySigner & { readonly p12: OpenedP12 }> {
  const p12 = await openP12(bytes, password, options);
  return { ...createKeySigner(p12), p12 };
}

// --- internal ---

const LONGEST_PASSWORD = 1024;
const EMPTY = { es: 'El archivo está vacío.', en: 'The file is empty.' };

/** A certificate that cannot be read is left out: another one of the container may be the right one. */
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
