// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Where accounts want to be told. */
export interface WebhookEndpointsTable {
  id: string;
  tenant_id: string;
  url: string;
  /** JSON list; empty for every type. */
  event_types: string;
  active: number;
  /** 0 for one of the web application: neither listed nor counted. */
  listed: number;
  /** Rises with every new secret; part of what the sealed one is bound to. */
  secret_version: number;
  /** JSON of the sealed secret. */
  secret: string;
  /** JSON of the one before it, which is served until `former_until`; null for none. */
  former_secret: string | null;
  former_until: number | null;
  created_at: number;
  updated_at: number;
}

/** What is delivered: once for all endpoints, since only the delivery's id differs. */
export interface WebhookMessagesTable {
  id: string;
  tenant_id: string;
  /** Null for a test. */
  notification_id: string | null;
  event: string;
  /** Seconds since 1970. */
  event_at: number;
  /** JSON text, exactly as it is sent. */
  data: string;
}

/** Messages on their way to endpoints. Kept when they have arrived, or were given up. */
export interface WebhookDeliveriesTable {
  id: string;
  tenant_id: string;
  endpoint_id: string;
  message_id: string;
  status: string;
  attempt_count: number;
  due_at: number;
  lease_until: number;
  lease_token: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    webhook_endpoints: WebhookEndpointsTable;
    webhook_messages: WebhookMessagesTable;
    webhook_deliveries: WebhookDeliveriesTable;
  }
}
