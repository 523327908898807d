import type { DocumentType, Issuer } from 'sri-core';

/** An issuer as it is kept: a branch and issue point of an account, with what its certificate says. */
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
  /** SHA-256 of the stored logo; null without one. */
  readonly logoHash: string | null;
}

/** What may be known of a certificate without opening its key. */
export interface StoredCertificate {
  /** Lower-case hex SHA-256 of the DER. */
  readonly fingerprint: string;
  /** The RUC that the authority wrote into it; null where none can be read. */
  readonly ruc: string | null;
  readonly validTo: Date;
  /** Rises with every renewal; part of what the sealed key is bound to. */
  readonly keyVersion: number;
}
