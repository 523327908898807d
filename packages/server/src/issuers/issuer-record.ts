import type { DocumentType, Issuer } from 'sri-core';

/** An issuer as stored: a branch and issue point of an account, with data of its certificate. */
export interface IssuerRecord extends Issuer {
  readonly id: string;
  readonly tenantId: string;
  readonly tradeName: string | null;
  readonly mainAddress: string | null;
  readonly branchAddress: string | null;
  readonly specialTaxpayer: string | null;
  readonly withholdingAgent: string | null;
  readonly rimpe: 'GENERAL' | 'POPULAR' | null;
  readonly canIssue: boolean;
  /** Enabled types, sorted. */
  readonly documentTypes: readonly DocumentType[];
  readonly certificate: StoredCertificate | null;
  /** SHA-256 of the stored logo, or null. */
  readonly logoHash: string | null;
}

/** The public data of a certificate, without its key. */
export interface StoredCertificate {
  /** Lower-case hex SHA-256 of the DER. */
  readonly fingerprint: string;
  /** The RUC in the certificate; null where none can be read. */
  readonly ruc: string | null;
  readonly validTo: Date;
  /** Rises with every renewal; part of the binding of the sealed key. */
  readonly keyVersion: number;
}
