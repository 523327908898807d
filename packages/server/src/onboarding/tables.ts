// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Recoveries whose accounts wait for their verification, by the digest of the token that undoes them. */
export interface AccountRecoveriesTable {
  token_hash: string;
  id: string;
  tenant_id: string;
  previous_status: string;
  created_at: number;
  expires_at: number;
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

declare module '../platform/database/tables.js' {
  interface ServerTables {
    account_recoveries: AccountRecoveriesTable;
    verification_tokens: VerificationTokensTable;
  }
}
