import type { KeyObject } from 'node:crypto';
import { ecuadorDate } from '../calendar.js';
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

/** Why a certificate was chosen or rejected. */
export type ChoiceReason =
  | 'chosen'
  | 'isAuthority'
  | 'noPrivateKey'
  | 'unsupportedKey'
  | 'notForSigning'
  | 'expired'
  | 'notYetValid'
  | 'notPreferred';

/** A certificate of a container, with the facts for the choice. */
export interface Candidate {
  readonly certificate: SigningCertificate;
  readonly fields: CertificateFields;
  readonly key: KeyObject | null;
  /** friendlyName of the certificate and of its key. */
  readonly names: readonly string[];
}

/** The signing certificate and its key. */
export interface Chosen {
  readonly certificate: SigningCertificate;
  readonly privateKey: KeyObject;
}

/** A certificate of a container, and its verdict. */
export interface JudgedCandidate {
  readonly candidate: Candidate;
  readonly reason: ChoiceReason;
}

/**
 * Chooses the signing certificate by its own properties, never by its authority's name or its position. Requirements: its
 * private key is present, it is not an authority's, its key is RSA of 2048 to 4096 bits, it may sign, and it is in force.
 * Preference: not self-issued, then best suited for signing, then newest. The friendlyName only breaks a tie.
 *
 * @returns the chosen certificate, or the error about the missing requirement; and each candidate with its reason, in order.
 */
export function chooseCertificate(
  candidates: readonly Candidate[],
  options: { readonly now: Date; readonly allowOutOfDate: boolean; readonly keyCount: number },
): { readonly chosen: Chosen | SriError; readonly choice: readonly JudgedCandidate[] } {
  const judged = candidates.map((candidate) => ({ candidate, verdict: judge(candidate, candidates, options.now) }));
  const usable = (wanted: readonly ReasonAgainst[]) =>
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

/** The reason against a candidate; null for a usable one. */
type ReasonAgainst = Exclude<ChoiceReason, 'chosen' | 'notPreferred'> | null;

function judge(candidate: Candidate, all: readonly Candidate[], now: Date): ReasonAgainst {
  const { certificate, fields, key } = candidate;
  if (isAuthority(candidate, all)) return 'isAuthority';
  if (!key) return 'noPrivateKey';
  if (!isSupportedKey(key)) return 'unsupportedKey';
  if (fields.keyUsage && signingUses(candidate) === 0) return 'notForSigning';
  if (now > certificate.validTo) return 'expired';
  return now < certificate.validFrom ? 'notYetValid' : null;
}

/**
 * Whether a certificate is an authority's. Handmade certificates often claim to be one, because `openssl req -x509` writes
 * that by default. With its private key present and no certificate issued by it, it is the holder's.
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

/** Negative when `a` is better. No step uses the position, so the order in the file has no effect. */
function byPreference(a: Candidate, b: Candidate): number {
  return (
    Number(isOwnIssuer(a)) - Number(isOwnIssuer(b)) ||
    signingUses(b) - signingUses(a) ||
    // The pairs of one issuance start within minutes, and their names differ; a renewed pair starts days later.
    beginningDay(b) - beginningDay(a) ||
    nameRank(b) - nameRank(a) ||
    b.certificate.validFrom.getTime() - a.certificate.validFrom.getTime() ||
    b.certificate.validTo.getTime() - a.certificate.validTo.getTime() ||
    (a.certificate.fingerprint < b.certificate.fingerprint ? -1 : 1)
  );
}

/** A self-issued certificate, made by hand for tests. */
function isOwnIssuer({ certificate: { x509 } }: Candidate): boolean {
  return x509.issuer === x509.subject;
}

/** The day in Ecuador: a day of UTC ends at seven in the evening, within an issuance. */
function beginningDay({ certificate }: Candidate): number {
  return Date.parse(ecuadorDate(certificate.validFrom));
}

/** Banco Central names its pairs «Signing Key» and «Decryption Key»; others use Spanish names or none. */
function nameRank({ names }: Candidate): number {
  const text = names.join(' ');
  return Number(/sign|firma/i.test(text)) - Number(/encrypt|decrypt|cifra|autent|authent/i.test(text));
}

function explain(
  judged: readonly { readonly candidate: Candidate; readonly verdict: ReasonAgainst }[],
  keyCount: number,
): SriError {
  const at = (wanted: ReasonAgainst) => judged.find(({ verdict }) => verdict === wanted)?.candidate.certificate;
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
