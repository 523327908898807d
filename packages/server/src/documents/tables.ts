// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Documents created, by account, environment and period. */
export interface DocumentUsageTable {
  tenant_id: string;
  environment: string;
  /** The first day of the period, `YYYY-MM-DD`; for a subscription its start, to the millisecond. */
  period: string;
  document_count: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    document_usage: DocumentUsageTable;
  }
}
