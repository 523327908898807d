import type { X509Certificate } from 'node:crypto';

/** `rsa-sha1` is the algorithm of the Ficha técnica and of every authorised file; `rsa-sha256` is an option. */
export type SignatureAlgorithm = 'rsa-sha1' | 'rsa-sha256';

/** Both algorithms. */
export const SIGNATURE_ALGORITHMS = ['rsa-sha1', 'rsa-sha256'] as const satisfies readonly SignatureAlgorithm[];

/** A certificate for signing comprobantes, with the fields that the signature and the operator need. */
export interface SigningCertificate {
  readonly x509: X509Certificate;
  /** The certificate itself, DER. */
  readonly der: Uint8Array;
  /** SHA-256 of `der`, lower-case hex without colons. */
  readonly fingerprint: string;
  /** Issuer in the form of Java's X500Principal (RFC 2253), which the SRI's validator compares as text. */
  readonly issuerName: string;
  /** Decimal, of any length. */
  readonly serialNumber: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The RUC that the authority wrote into it, or null without a readable one. */
  readonly ruc: string | null;
}

/**
 * The signing port. A key in memory, an HSM, a token and a KMS all fit: the signer receives only the bytes of SignedInfo,
 * never the document.
 */
export interface Signer {
  readonly certificate: SigningCertificate;
  /**
   * RSASSA-PKCS1-v1_5 over `data`, which is hashed here with the algorithm's digest. It may run while the storage holds a
   * counter, so it must not use the storage, and needs a time limit of its own: creates of that counter wait for it.
   *
   * @returns the raw signature, as long as the modulus. It may run on another thread; calls may overlap.
   */
  sign(data: Uint8Array, algorithm: SignatureAlgorithm): Promise<Uint8Array>;
}
