import type { LocalizedText } from '../catalogs/catalog.js';

/** Advice on a failed check, in both languages. */
export type Advice = LocalizedText;

/** Every check, in order. */
export const CHECK_NAMES = [
  'wellFormed',
  'oneSignature',
  'signaturePosition',
  'uniqueIds',
  'oneSignedInfo',
  'structure',
  'plainValues',
  'algorithms',
  'referenceTargets',
  'transforms',
  'comprobanteDigest',
  'signedPropertiesDigest',
  'keyInfoDigest',
  'certificate',
  'keyValue',
  'signatureValue',
  'signingCertificateDigest',
  'issuerName',
  'serialNumber',
  'signingTime',
  'keyUsage',
  'dataObjectFormat',
] as const;

/** The name of a check. A check that an earlier failure makes impossible is skipped. */
export type CheckName = (typeof CHECK_NAMES)[number];

/** One check. */
export interface Check {
  readonly check: CheckName;
  readonly ok: boolean;
  /** The finding, in English. Values from the document are quoted and cut short. */
  readonly detail: string;
  /** Present when the check failed: the likely cause and what to do. */
  readonly advice?: Advice;
}

/** The certificate of a signature. Its trust is not checked here. */
export interface SignerFacts {
  readonly commonName: string | null;
  /** In Java's form, RFC 2253. */
  readonly issuerName: string;
  readonly serialNumber: string;
  readonly fingerprint: string;
  readonly ruc: string | null;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** A doubt about the certificate or signature: the SRI answers with code 39, always or sometimes. */
export interface VerificationWarning {
  /** Never translated. The last three also occur in documents that the SRI authorized. */
  readonly code:
    | 'CERTIFICATE_OF_ANOTHER_RUC'
    | 'CERTIFICATE_WITHOUT_RUC'
    | 'CERTIFICATE_NOT_FOR_SIGNING'
    | 'ISSUER_NAME_IN_OTHER_ORDER'
    | 'SIGNING_TIME_UNCLEAR';
  readonly message: LocalizedText;
}

/** The result of a verification. */
export interface VerificationReport {
  /**
   * True when every required part of the signature is present and every check passed. Whether the certificate belongs to the
   * issuer is not part of a signature: see `warnings`.
   */
  readonly valid: boolean;
  readonly checks: readonly Check[];
  /** Null without a readable certificate. */
  readonly signer: SignerFacts | null;
  /** The SigningTime, as claimed by the signer; null when it is missing, unreadable or without a zone. */
  readonly signingTime: Date | null;
  /** Reasons why the SRI rejects, or may reject, the file although the signature is valid. Empty without doubts. */
  readonly warnings: readonly VerificationWarning[];
}
