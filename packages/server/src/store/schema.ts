import type { Kysely } from 'kysely';
import type { Counter, DocumentChange, Storage } from 'sri-core';
import type { CoreTables } from 'sri-storage-adapters';

// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Accounts. */
export interface TenantsTable {
  id: string;
  email: string;
  /** Trimmed and in lower case: what addresses are compared by. */
  email_key: string;
  ruc: string;
  subscription_tier: string;
  status: string;
  /** Where a suspended account goes back to. */
  status_before_suspension: string | null;
  suspension_reason: string | null;
  environment: string;
  language: string;
  verification_redirect_url: string | null;
  agreement_accepted_at: number | null;
  agreement_version: string | null;
  created_at: number;
  updated_at: number;
}

/** Branches and issue points. A removed one stays, inactive. */
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

/** The document types of an issuer, with the number each is to begin at. */
export interface IssuerDocumentTypesTable {
  issuer_id: string;
  document_type: string;
  active: number;
  /** Asked for at registration; null for 1. Kept because production begins there too. */
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

/** API keys, by the digest of their token. */
export interface ApiKeysTable {
  id: string;
  tenant_id: string;
  token_hash: string;
  last4: string;
  label: string | null;
  environment: string;
  /** JSON list. */
  scopes: string;
  active: number;
  /** 0 for a key of the web application: neither listed nor counted. */
  listed: number;
  request_count: number;
  last_used_at: number | null;
  created_at: number;
  revoked_at: number | null;
}

/** Requests of a key by day in Ecuador. */
export interface ApiKeyUsageTable {
  key_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  request_count: number;
}

/** Links to verify an e-mail, by the digest of their token. */
export interface VerificationTokensTable {
  token_hash: string;
  tenant_id: string;
  created_at: number;
  expires_at: number;
  /** When it was used, or a newer one took its place. */
  ended_at: number | null;
}

/** What happened to an account. */
export interface TenantEventsTable {
  id: string;
  tenant_id: string;
  event_type: string;
  /** JSON, or null. */
  detail: string | null;
  created_at: number;
}

/** Mails to send, committed with what caused them. */
export interface MailOutboxTable {
  id: string;
  tenant_id: string;
  kind: string;
  recipient: string;
  language: string;
  /** JSON: what the text needs besides the secret. */
  data: string;
  master_key_id: string | null;
  wrapped_key: string | null;
  /** The sealed token of the link; wiped once the mail is out. */
  sealed_token: string | null;
  status: string;
  attempt_count: number;
  due_at: number;
  lease_until: number;
  lease_token: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** The document it is about, with the scope that finds it; null on a mail about the account. */
  document_id: string | null;
  issuer_id: string | null;
  environment: string | null;
  access_key: string | null;
  /** The document whose authorization it tells, once each; null on a copy to another address. */
  authorization_of: string | null;
  /** 1 once somebody asked for it: then it goes out even where such mails are switched off. */
  requested: number;
}

/** Requests counted against a limit. */
export interface RateLimitsTable {
  bucket: string;
  /** Rises with every use, which also takes the row's lock. */
  uses: number;
  /** JSON list of epoch milliseconds within the window. */
  hits: string;
  /** After this moment the row says nothing any more. */
  expires_at: number;
}

/** Documents created, by account, environment and period. */
export interface DocumentUsageTable {
  tenant_id: string;
  environment: string;
  /** First day of the period, `YYYY-MM-DD`. */
  period: string;
  document_count: number;
}

/** The server's own tables, beside core's in the same database. */
export interface ServerTables {
  tenants: TenantsTable;
  issuers: IssuersTable;
  issuer_logos: IssuerLogosTable;
  issuer_document_types: IssuerDocumentTypesTable;
  issuer_certificates: IssuerCertificatesTable;
  api_keys: ApiKeysTable;
  api_key_usage: ApiKeyUsageTable;
  verification_tokens: VerificationTokensTable;
  tenant_events: TenantEventsTable;
  mail_outbox: MailOutboxTable;
  rate_limits: RateLimitsTable;
  document_usage: DocumentUsageTable;
}

/** A handle on the tables, core's and the server's own: the database itself, or a transaction in it. */
export type Tables = Kysely<CoreTables & ServerTables>;

/** The server's own reads and writes. */
export interface ServerDatabase {
  /** Reads. @throws StorageUnavailableError */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * All of it commits, or nothing. `work` may run again when the database asks for it, so it does nothing else; no
   * network call belongs inside.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `work` threw.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * A change of one of core's documents together with writes of the server's own. `also` throws to undo both.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `also` threw.
   */
  changeDocument(
    change: DocumentChange,
    also: (tables: Tables) => Promise<void>,
  ): ReturnType<Storage['changeDocument']>;
  /** Sets where a counter of core's that was never used begins, in the transaction of `tables`. */
  setFirstSequential(tables: Tables, counter: Counter, first: number): Promise<void>;
}
