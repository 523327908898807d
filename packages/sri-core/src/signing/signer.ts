import type { X509Certificate } from 'node:crypto';

/** `rsa-sha1` is what the Ficha técnica names and what every authorised file carries; `rsa-sha256` is an option. */
export type SignatureAlgorithm = 'rsa-sha1' | 'rsa-sha256';

/** A certificate that can sign comprobantes, with what the signature and the operator need to know of it. */
export interface SigningCertificate {
  readonly x509: X509Certificate;
  /** The certificate itself, DER. */
  readonly der: Uint8Array;
  /** SHA-256 of `der`, lower-case hex without colons. */
  readonly fingerprint: string;
  /** Issuer as Java's X500Principal prints it (RFC 2253), which the SRI's validator compares as text. */
  readonly issuerName: string;
  /** Decimal, of any length. */
  readonly serialNumber: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The RUC that the authority wrote into it, or null where none can be read. */
  readonly ruc: string | null;
}

/**
 * Who signs. A key in memory, an HSM, a token and a KMS all fit: the document never reaches the signer, only the bytes
 * of SignedInfo.
 */
export interface Signer {
  readonly certificate: SigningCertificate;
  /**
   * RSASSA-PKCS1-v1_5 over `data`, hashed here with the algorithm's digest.
   *
   * @returns the raw signature, as long as the modulus. It may run on another thread; calls may overlap.
   */
  sign(data: Uint8Array, algorithm: SignatureAlgorithm): Promise<Uint8Array>;
}
