import type { LocalizedText } from '../catalogs/catalog.js';

/** What a person can do about a failed check, in both languages. */
export interface Advice {
  readonly es: string;
  readonly en: string;
}

/** The things that are looked at, in order. A check that an earlier failure makes impossible is left out. */
export type CheckName =
  | 'wellFormed'
  | 'oneSignature'
  | 'signaturePosition'
  | 'uniqueIds'
  | 'oneSignedInfo'
  | 'structure'
  | 'plainValues'
  | 'algorithms'
  | 'referenceTargets'
  | 'transforms'
  | 'comprobanteDigest'
  | 'signedPropertiesDigest'
  | 'keyInfoDigest'
  | 'certificate'
  | 'keyValue'
  | 'signatureValue'
  | 'signingCertificateDigest'
  | 'issuerName'
  | 'serialNumber'
  | 'signingTime'
  | 'keyUsage'
  | 'dataObjectFormat';

/** One thing looked at. */
export interface Check {
  readonly check: CheckName;
  readonly ok: boolean;
  /** What was found, in English. Values from the document are quoted and cut short. */
  readonly detail: string;
  /** Present when the check failed: the likely cause and what to do. */
  readonly advice?: Advice;
}

/** The certificate that a signature carries. Who it is trusted by is not judged here. */
export interface SignerFacts {
  readonly commonName: string | null;
  /** As Java prints it, RFC 2253. */
  readonly issuerName: string;
  readonly serialNumber: string;
  readonly fingerprint: string;
  readonly ruc: string | null;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** Something about certificate or signature that the SRI answers with code 39, always or at times. */
export interface VerificationWarning {
  /** Never translated. The last two the SRI has authorized as well. */
  readonly code:
    | 'CERTIFICATE_OF_ANOTHER_RUC'
    | 'CERTIFICATE_WITHOUT_RUC'
    | 'CERTIFICATE_NOT_FOR_SIGNING'
    | 'ISSUER_NAME_NOT_REVERSED';
  readonly message: LocalizedText;
}

/** What verification found. */
export interface VerificationReport {
  /**
   * True when every part that a comprobante's signature needs is there and every check passed. Whether the certificate is
   * the issuer's is no part of a signature: `warnings` tells that.
   */
  readonly valid: boolean;
  readonly checks: readonly Check[];
  /** Null when no certificate can be read from the signature. */
  readonly signer: SignerFacts | null;
  /** When it says it was signed, which is the signer's word; null when that cannot be read. */
  readonly signingTime: Date | null;
  /** What the SRI refuses, or may refuse, although the signature holds. Empty where nothing is amiss. */
  readonly warnings: readonly VerificationWarning[];
}
