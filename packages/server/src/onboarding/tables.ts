// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Recoveries that wait for verification, by the digest of their undo token. */
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
  /** When it was used or replaced. */
  ended_at: number | null;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    account_recoveries: AccountRecoveriesTable;
    verification_tokens: VerificationTokensTable;
  }
}
