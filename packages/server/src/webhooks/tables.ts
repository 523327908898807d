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
  event: string;
  /** Seconds since 1970. */
  event_at: number;
  /** JSON text, exactly as sent. */
  data: string;
}

/** Deliveries of messages to endpoints. Kept after they succeed or fail. */
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
