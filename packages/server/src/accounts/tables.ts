import type { Generated } from 'kysely';

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
  /** 1 while the account may lack a copy of a published agreement. */
  agreements_due: Generated<number>;
  /** When the last recovery was made that waits for its verification; null when none waits. */
  recovered_at: number | null;
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
  /** The recovery that ended it and may be undone; null when it works, or was revoked for good. */
  set_aside_by: string | null;
}

/** Recoveries whose accounts wait for their verification, by the digest of the token that undoes them. */
export interface AccountRecoveriesTable {
  token_hash: string;
  id: string;
  tenant_id: string;
  previous_status: string;
  created_at: number;
  expires_at: number;
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
