import type { Generated, Kysely } from 'kysely';
import type { Counter, DocumentChange, Storage } from 'sri-core';
import type { CoreTables } from 'sri-storage-adapters';

// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Accounts. */
export interface TenantsTable {
  id: string;
  email: string;
  /** Trimmed and in lower case: what addresses are compared by. */
  email_key: string;
  ruc: string;
  subscription_tier: string;
  status: string;
  /** Where a suspended account goes back to. */
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
}

/** Branches and issue points. A removed one stays, inactive. */
export interface IssuersTable {
  id: string;
  tenant_id: string;
  ruc: string;
  business_name: string;
  trade_name: string | null;
  main_address: string | null;
  branch_code: string;
  issue_point_code: string;
  branch_address: string | null;
  required_accounting: number;
  special_taxpayer: string | null;
  withholding_agent: string | null;
  rimpe: string | null;
  can_issue: number;
  active: number;
  logo_hash: string | null;
  created_at: number;
  updated_at: number;
}

/** Logos, apart from the issuers so that ordinary reads stay small. Base64 of the re-encoded image. */
export interface IssuerLogosTable {
  issuer_id: string;
  image: string;
}

/** The document types of an issuer, with the number each is to begin at. */
export interface IssuerDocumentTypesTable {
  issuer_id: string;
  document_type: string;
  active: number;
  /** Asked for at registration; null for 1. Kept because production begins there too. */
  initial_sequential: number | null;
}

/** The certificate an issuer signs with, and its sealed key. */
export interface IssuerCertificatesTable {
  issuer_id: string;
  tenant_id: string;
  fingerprint: string;
  ruc: string | null;
  valid_from: number;
  valid_to: number;
  /** DER, base64. */
  certificate: string;
  /** JSON list of DER, base64: the authorities above it. */
  chain: string;
  key_version: number;
  master_key_id: string;
  wrapped_key: string;
  /** PKCS#8 DER of the private key, sealed. */
  sealed_key: string;
  created_at: number;
}

/** API keys, by the digest of their token. */
export interface ApiKeysTable {
  id: string;
  tenant_id: string;
  token_hash: string;
  last4: string;
  label: string | null;
  environment: string;
  /** JSON list. */
  scopes: string;
  active: number;
  /** 0 for a key of the web application: neither listed nor counted. */
  listed: number;
  request_count: number;
  last_used_at: number | null;
  created_at: number;
  revoked_at: number | null;
}

/** Requests of a key by day in Ecuador. */
export interface ApiKeyUsageTable {
  key_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  request_count: number;
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

/** What happened to an account. */
export interface TenantEventsTable {
  id: string;
  tenant_id: string;
  event_type: string;
  /** JSON, or null. */
  detail: string | null;
  created_at: number;
}

/** Mails to send, committed with what caused them. */
export interface MailOutboxTable {
  id: string;
  tenant_id: string;
  kind: string;
  recipient: string;
  language: string;
  /** JSON: what the text needs besides the secret. */
  data: string;
  master_key_id: string | null;
  wrapped_key: string | null;
  /** The sealed token of the link; wiped once the mail is out. */
  sealed_token: string | null;
  status: string;
  attempt_count: number;
  due_at: number;
  lease_until: number;
  lease_token: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** The document it is about, with the scope that finds it; null on a mail about the account. */
  document_id: string | null;
  issuer_id: string | null;
  environment: string | null;
  access_key: string | null;
  /** The document whose authorization it tells, once each; null on a copy to another address. */
  authorization_of: string | null;
  /** 1 once somebody asked for it: then it goes out even where such mails are switched off. */
  requested: number;
  /** What its provider has reported since it was last sent, in that order, with commas between. */
  reports: string;
}

/** Requests counted against a limit. */
export interface RateLimitsTable {
  bucket: string;
  /** Rises with every use, which also takes the row's lock. */
  uses: number;
  /** JSON list of epoch milliseconds within the window. */
  hits: string;
  /** After this moment the row says nothing any more. */
  expires_at: number;
}

/** Documents created, by account, environment and period. */
export interface DocumentUsageTable {
  tenant_id: string;
  environment: string;
  /** First day of the period, `YYYY-MM-DD`. */
  period: string;
  document_count: number;
}

/** What accounts are told. */
export interface NotificationsTable {
  id: string;
  tenant_id: string;
  issuer_id: string | null;
  /** Of the documents it tells of; null where there are none. */
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

/** The last notification of each account; the row is locked while another is made. */
export interface NotificationCursorsTable {
  tenant_id: string;
  /** Empty before the first. */
  last_id: string;
}

/** What accounts switched off, or on again. */
export interface NotificationPreferencesTable {
  tenant_id: string;
  type: string;
  channel: string;
  enabled: number;
}

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

/** Texts of the agreements, one row a version. The one published last is in force. */
export interface AgreementVersionsTable {
  id: string;
  document_type: string;
  version: string;
  /** Markdown with places to fill. */
  content_es: string;
  content_en: string;
  published_at: number;
}

/** An account's own copies of the agreements. One that was accepted never changes. */
export interface TenantAgreementsTable {
  id: string;
  tenant_id: string;
  document_type: string;
  template_version: string;
  language: string;
  status: string;
  /** Markdown, filled in. */
  content: string;
  /** Of `content` in UTF-8, lower-case hex. */
  content_sha256: string;
  generated_at: number;
  accepted_at: number | null;
  accepted_by_name: string | null;
  accepted_from_address: string | null;
  accepted_user_agent: string | null;
}

/** What accounts pay for. At most one of an account is active or waits for its first payment. */
export interface SubscriptionsTable {
  id: string;
  tenant_id: string;
  tier: string;
  billing_interval: string;
  status: string;
  anchor: number | null;
  current_period_start: number | null;
  current_period_end: number | null;
  pending_tier: string | null;
  pending_billing_interval: string | null;
  pending_extra_seats: number | null;
  pending_at: number | null;
  pending_is_paid: number;
  extra_seats: number;
  warned_for: number | null;
  /** When time alone changes something of it; null where it never does. */
  next_step_at: number | null;
  created_at: number;
  canceled_at: number | null;
}

/** Bank transfers that are due, on their way or done. Amounts are exact decimal text in dollars. */
export interface PaymentsTable {
  id: string;
  tenant_id: string;
  subscription_id: string;
  purpose: string;
  status: string;
  payment_code: string;
  amount: string;
  iva_rate: string;
  iva_amount: string;
  total_amount: string;
  target_tier: string;
  target_billing_interval: string;
  target_extra_seats: number;
  rejection_reason: string | null;
  due_at: number;
  reported_at: number | null;
  verified_at: number | null;
  created_at: number;
  /** JSON of what stood before it was applied; null until it is. */
  state_before: string | null;
}

/** Files that accounts sent to prove a transfer. One that was taken back stays, inactive, for the operator. */
export interface PaymentProofsTable {
  id: string;
  tenant_id: string;
  payment_id: string;
  filename: string;
  mime_type: string;
  reference_number: string;
  size_bytes: number;
  /** Of the file, lower-case hex. */
  sha256: string;
  /** The file, base64. */
  content: string;
  active: number;
  created_at: number;
}

/** What the operator did. Rows are added and never changed. */
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

/** Prices with the day from which they hold, as exact decimal text. */
export interface PublishedPricesTable {
  id: string;
  tier: string;
  billing_interval: string;
  previous_price_usd: string;
  new_price_usd: string;
  effective_at: number;
  published_at: number;
}

/** Who was told of which price. */
export interface PriceAnnouncementsTable {
  price_id: string;
  tenant_id: string;
  announced_at: number;
}

/** The operator's own invoices for payments. */
export interface InvoiceLinksTable {
  payment_id: string;
  subscription_id: string;
  tenant_id: string;
  access_key: string;
  linked_at: number;
}

/** Numbers that counters were moved to by somebody. Rows stay. */
export interface CounterMovesTable {
  issuer_id: string;
  environment: string;
  document_type: string;
  next_sequential: number;
  moved_at: number;
}

/** Timed work that one process at a time does for all. */
export interface TaskLeasesTable {
  name: string;
  /** The process that took it last. */
  holder: string;
  /** Rises with every taking, so that whoever had it before is told from whoever has it now. */
  token: number;
  lease_until: number;
  /** When the next round is due. */
  due_at: number;
}

/** The server's own tables, beside core's in the same database. */
export interface ServerTables {
  tenants: TenantsTable;
  issuers: IssuersTable;
  issuer_logos: IssuerLogosTable;
  issuer_document_types: IssuerDocumentTypesTable;
  issuer_certificates: IssuerCertificatesTable;
  api_keys: ApiKeysTable;
  api_key_usage: ApiKeyUsageTable;
  verification_tokens: VerificationTokensTable;
  tenant_events: TenantEventsTable;
  mail_outbox: MailOutboxTable;
  rate_limits: RateLimitsTable;
  document_usage: DocumentUsageTable;
  notifications: NotificationsTable;
  notification_cursors: NotificationCursorsTable;
  notification_preferences: NotificationPreferencesTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_messages: WebhookMessagesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  agreement_versions: AgreementVersionsTable;
  tenant_agreements: TenantAgreementsTable;
  subscriptions: SubscriptionsTable;
  payments: PaymentsTable;
  payment_proofs: PaymentProofsTable;
  admin_audit: AdminAuditTable;
  published_prices: PublishedPricesTable;
  price_announcements: PriceAnnouncementsTable;
  invoice_links: InvoiceLinksTable;
  counter_moves: CounterMovesTable;
  task_leases: TaskLeasesTable;
}

/** A handle on the tables, core's and the server's own: the database itself, or a transaction in it. */
export type Tables = Kysely<CoreTables & ServerTables>;

/** The server's own reads and writes. */
export interface ServerDatabase {
  /** Reads. @throws StorageUnavailableError */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * All of it commits, or nothing. `work` may run again when the database asks for it, so it does nothing else; no
   * network call belongs inside.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `work` threw.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * A change of one of core's documents together with writes of the server's own. `also` throws to undo both.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `also` threw.
   */
  changeDocument(
    change: DocumentChange,
    also: (tables: Tables) => Promise<void>,
  ): ReturnType<Storage['changeDocument']>;
  /** Sets where a counter of core's that was never used begins, in the transaction of `tables`. */
  setFirstSequential(tables: Tables, counter: Counter, first: number): Promise<void>;
  /**
   * Does something while nobody can create documents of an issuer or move its counters. Documents that are being created
   * are waited for, and seen. Counters that nobody has used or set stay so.
   */
  withCountersLocked<T>(tables: Tables, issuerId: string, work: () => Promise<T>): Promise<T>;
}
