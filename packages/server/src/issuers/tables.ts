// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Branches and issue points. A removed issuer stays, inactive. */
export interface IssuersTable {
  id: string;
  tenant_id: string;
  ruc: string;
  business_name: string;
  trade_name: string | null;
  main_address: string | null;
  branch_code: string;
  issue_point_code: string;
  branch_address: string | null;
  required_accounting: number;
  special_taxpayer: string | null;
  withholding_agent: string | null;
  rimpe: string | null;
  can_issue: number;
  active: number;
  logo_hash: string | null;
  created_at: number;
  updated_at: number;
}

/** Logos, apart from the issuers so that ordinary reads stay small. Base64 of the re-encoded image. */
export interface IssuerLogosTable {
  issuer_id: string;
  image: string;
}

/** The document types of an issuer, with the first number of each. */
export interface IssuerDocumentTypesTable {
  issuer_id: string;
  document_type: string;
  active: number;
  /** From the registration; null for 1. Kept because production starts there too. */
  initial_sequential: number | null;
}

/** The certificate an issuer signs with, and its sealed key. */
export interface IssuerCertificatesTable {
  issuer_id: string;
  tenant_id: string;
  fingerprint: string;
  ruc: string | null;
  valid_from: number;
  valid_to: number;
  /** DER, base64. */
  certificate: string;
  /** JSON list of DER, base64: the authorities above it. */
  chain: string;
  key_version: number;
  master_key_id: string;
  wrapped_key: string;
  /** PKCS#8 DER of the private key, sealed. */
  sealed_key: string;
  created_at: number;
}

/** Numbers to which callers moved counters. Rows stay. */
export interface CounterMovesTable {
  issuer_id: string;
  environment: string;
  document_type: string;
  next_sequential: number;
  moved_at: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    issuers: IssuersTable;
    issuer_logos: IssuerLogosTable;
    issuer_document_types: IssuerDocumentTypesTable;
    issuer_certificates: IssuerCertificatesTable;
    counter_moves: CounterMovesTable;
  }
}
