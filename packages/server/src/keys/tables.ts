// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

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
  /** The recovery that set it aside and may be undone; null when it works, or was revoked for good. */
  set_aside_by: string | null;
}

/** Requests of a key by day in Ecuador. */
export interface ApiKeyUsageTable {
  key_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  request_count: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    api_keys: ApiKeysTable;
    api_key_usage: ApiKeyUsageTable;
  }
}
