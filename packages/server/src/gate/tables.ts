/** Sessions of the console that were signed out before their time. */
export interface EndedSessionsTable {
  id: string;
  /** Epoch milliseconds. After this time the session has ended by itself. */
  expires_at: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    ended_sessions: EndedSessionsTable;
  }
}
