import type { Generated } from 'kysely';

// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Accounts. */
export interface TenantsTable {
  id: string;
  email: string;
  /** Trimmed and in lower case: the form in which addresses are compared. */
  email_key: string;
  ruc: string;
  subscription_tier: string;
  status: string;
  /** The status to which a suspended account returns. */
  status_before_suspension: string | null;
  suspension_reason: string | null;
  environment: string;
  language: string;
  verification_redirect_url: string | null;
  agreement_accepted_at: number | null;
  agreement_version: string | null;
  created_at: number;
  updated_at: number;
  /** 1 while the account may lack a copy of a published agreement. */
  agreements_due: Generated<number>;
  /** The time of the last recovery that waits for its verification; null when none waits. */
  recovered_at: number | null;
}

/** The history of accounts. */
export interface TenantEventsTable {
  id: string;
  tenant_id: string;
  event_type: string;
  /** JSON, or null. */
  detail: string | null;
  created_at: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    tenants: TenantsTable;
    tenant_events: TenantEventsTable;
  }
}
