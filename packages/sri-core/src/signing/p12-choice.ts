import type { KeyObject } from 'node:crypto';
import {
  CertificateExpiredError,
  CertificateKeyNotFoundError,
  CertificateKeyUnsupportedError,
  CertificateNotYetValidError,
  type SriError,
} from '../errors.js';
import type { CertificateFields } from './certificate-fields.js';
import { isSupportedKey } from './private-key.js';
import type { SigningCertificate } from './signer.js';

/** Why a certificate was chosen, or was not. */
export type ChoiceReason =
  | 'chosen'
  | 'isAuthority'
  | 'noPrivateKey'
  | 'unsupportedKey'
  | 'notForSigning'
  | 'expired'
  | 'notYetValid'
  | 'notPreferred';

/** A certificate of a container, with everything that the choice rests on. */
export interface Candidate {
  readonly certificate: SigningCertificate;
  readonly fields: CertificateFields;
  readonly key: KeyObject | null;
  /** friendlyName of the certificate and of its key. */
  readonly names: readonly string[];
}

/** The certificate to sign with, and its key. */
export interface Chosen {
  readonly certificate: SigningCertificate;
  readonly privateKey: KeyObject;
}

/** A certificate of a container, and what became of it. */
export interface JudgedCandidate {
  readonly candidate: Candidate;
  readonly reason: ChoiceReason;
}

/**
 * Chooses the certificate to sign with, by what each one shows and never by its authority's name or its place in the
 * file: its private key is there, it is no authority's, its key is RSA of 2048 to 4096 bits, it may sign, it is in
 * force. Among several: one that somebody else issued, then the one best suited for signing, then the newest; the
 * friendlyName only breaks a tie.
 *
 * @returns the chosen one, or the error that tells what is missing; and each candidate with its reason, in their order.
 */
export function chooseCertificate(
  candidates: readonly Candidate[],
  options: { readonly now: Date; readonly allowOutOfDate: boolean; readonly keyCount: number },
): { readonly chosen: Chosen | SriError; readonly choice: readonly JudgedCandidate[] } {
  const judged = candidates.map((candidate) => ({ candidate, verdict: judge(candidate, candidates, options.now) }));
  const usable = (wanted: readonly Verdict[]) =>
    judged.filter(({ verdict }) => wanted.includes(verdict)).map(({ candidate }) => candidate);
  const inForce = usable([null]);
  const pool = inForce.length > 0 || !options.allowOutOfDate ? inForce : usable(['expired', 'notYetValid']);
  const chosen = pool.toSorted(byPreference)[0];
  return {
    chosen: chosen?.key
      ? { certificate: chosen.certificate, privateKey: chosen.key }
      : explain(judged, options.keyCount),
    choice: judged.map(({ candidate, verdict }) => ({
      candidate,
      reason: candidate === chosen ? 'chosen' : (verdict ?? 'notPreferred'),
    })),
  };
}

// --- internal ---

/** What speaks against a candidate; null when nothing does. */
type Verdict = Exclude<ChoiceReason, 'chosen' | 'notPreferred'> | null;

function judge(candidate: Candidate, all: readonly Candidate[], now: Date): Verdict {
  const { certificate, fields, key } = candidate;
  if (isAuthority(candidate, all)) return 'isAuthority';
  if (!key) return 'noPrivateKey';
  if (!isSupportedKey(key)) return 'unsupportedKey';
  if (fields.keyUsage && signingUses(candidate) === 0) return 'notForSigning';
  if (now > certificate.validTo) return 'expired';
  return now < certificate.validFrom ? 'notYetValid' : null;
}

/**
 * Whether a certificate is an authority's. One that was made by hand often calls itself an authority too, because
 * `openssl req -x509` writes that unasked; with its private key beside it and nothing issued by it, it is the holder's.
 */
function isAuthority({ certificate, key }: Candidate, all: readonly Candidate[]): boolean {
  const { x509 } = certificate;
  if (!x509.ca) return false;
  const issuedAnother = all.some(
    (other) => other.certificate.fingerprint !== certificate.fingerprint && other.certificate.x509.checkIssued(x509),
  );
  return !key || !x509.checkIssued(x509) || issuedAnother;
}

/** 3 for digitalSignature («firma digital») with nonRepudiation, 2 for the first alone, 1 for the second alone. */
function signingUses({ fields: { keyUsage } }: Candidate): number {
  return (keyUsage?.has('digitalSignature') ? 2 : 0) + (keyUsage?.has('nonRepudiation') ? 1 : 0);
}

const DAY_MS = 86_400_000;

/** A negative number when `a` is the better one. No step looks at the position, so the order in the file decides nothing. */
function byPreference(a: Candidate, b: Candidate): number {
  return (
    Number(isOwnIssuer(a)) - Number(isOwnIssuer(b)) ||
    signingUses(b) - signingUses(a) ||
    // The pairs of one issuance begin within minutes, and their names tell them apart; a renewed pair begins days later.
    beginningDay(b) - beginningDay(a) ||
    nameRank(b) - nameRank(a) ||
    b.certificate.validFrom.getTime() - a.certificate.validFrom.getTime() ||
    b.certificate.validTo.getTime() - a.certificate.validTo.getTime() ||
    (a.certificate.fingerprint < b.certificate.fingerprint ? -1 : 1)
  );
}

/** A certificate that nobody vouches for, made by hand to try things with. */
function isOwnIssuer({ certificate: { x509 } }: Candidate): boolean {
  return x509.issuer === x509.subject;
}

function beginningDay({ certificate }: Candidate): number {
  return Math.floor(certificate.validFrom.getTime() / DAY_MS);
}

/** Banco Central calls its pairs «Signing Key» and «Decryption Key»; others have Spanish words, or none. */
function nameRank({ names }: Candidate): number {
  const text = names.join(' ');
  return Number(/sign|firma/i.test(text)) - Number(/encrypt|decrypt|cifra|autent|authent/i.test(text));
}

function explain(
  judged: readonly { readonly candidate: Candidate; readonly verdict: Verdict }[],
  keyCount: number,
): SriError {
  const at = (wanted: Verdict) => judged.find(({ verdict }) => verdict === wanted)?.candidate.certificate;
  const expired = at('expired');
  const notYetValid = at('notYetValid');
  if (notYetValid) {
    return new CertificateNotYetValidError(
      `The certificate is not valid before ${notYetValid.validFrom.toISOString()}.`,
    );
  }
  if (expired) return new CertificateExpiredError(`The certificate expired on ${expired.validTo.toISOString()}.`);
  if (at('unsupportedKey')) {
    return new CertificateKeyUnsupportedError('The SRI takes RSA keys of 2048 to 4096 bits, and this key is another.');
  }
  if (at('notForSigning')) {
    return new CertificateKeyUnsupportedError('The certificate is not for digital signatures.');
  }
  if (keyCount === 0) return new CertificateKeyNotFoundError('The container holds no private key.');
  if (judged.some(({ candidate }) => candidate.key)) {
    return new CertificateKeyUnsupportedError('The only private key is that of a certificate authority.');
  }
  return new CertificateKeyNotFoundError('No private key in the container belongs to one of its certificates.');
}
