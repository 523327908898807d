// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Notifications of accounts. */
export interface NotificationsTable {
  id: string;
  tenant_id: string;
  issuer_id: string | null;
  /** Of its documents; null without documents. */
  environment: string | null;
  type: string;
  severity: string;
  title: string;
  message: string;
  /** JSON, or null. */
  metadata: string | null;
  read_at: number | null;
  expires_at: number | null;
  created_at: number;
}

/** The last notification of each account; its row is locked while another one is made. */
export interface NotificationCursorsTable {
  tenant_id: string;
  /** Empty before the first. */
  last_id: string;
}

/** The types that accounts switched off, or on again. */
export interface NotificationPreferencesTable {
  tenant_id: string;
  type: string;
  channel: string;
  enabled: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    notifications: NotificationsTable;
    notification_cursors: NotificationCursorsTable;
    notification_preferences: NotificationPreferencesTable;
  }
}
