// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** The webhook endpoints of accounts. */
export interface WebhookEndpointsTable {
  id: string;
  tenant_id: string;
  url: string;
  /** JSON list; empty for every type. */
  event_types: string;
  active: number;
  /** 0 for an endpoint of the web application: neither listed nor counted. */
  listed: number;
  /** Rises with every new secret; part of the binding of the sealed one. */
  secret_version: number;
  /** JSON of the sealed secret. */
  secret: string;
  /** JSON of the former secret, which signs until `former_until`; or null. */
  former_secret: string | null;
  former_until: number | null;
  created_at: number;
  updated_at: number;
}

/** The message: stored once for all endpoints, since only the delivery's id differs. */
export interface WebhookMessagesTable {
  id: string;
  tenant_id: string;
  /** Null for a test. */
  notification_id: string | null;
  /** Seconds since 1970. */
  event_at: number;
  /** JSON text, exactly as sent, in zlib's format. Under load it names fifty documents. */
  data: Uint8Array;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    webhook_endpoints: WebhookEndpointsTable;
    webhook_messages: WebhookMessagesTable;
  }
}

declare module '../platform/database/operation-tables.js' {
  /** Deliveries are jobs in the lanes of their endpoints, kept after they succeed or fail. */
  interface JobsTable {
    /** The message of a delivery. */
    message_id: string | null;
  }
}
