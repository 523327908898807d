// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** The operator's record. Rows are added and never changed. */
export interface AdminAuditTable {
  id: string;
  actor: string;
  channel: string;
  action: string;
  target_type: string;
  target_id: string | null;
  /** JSON, or null. */
  state_before: string | null;
  /** JSON, or null. */
  state_after: string | null;
  created_at: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    admin_audit: AdminAuditTable;
  }
}
