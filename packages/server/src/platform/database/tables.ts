import type { Kysely } from 'kysely';
import type { Counter, DocumentChange, Storage } from 'sri-core';
import type { CoreTables } from 'sri-storage-adapters';
import type {
  AccountRecoveriesTable,
  ApiKeysTable,
  ApiKeyUsageTable,
  DocumentUsageTable,
  RateLimitsTable,
  TenantEventsTable,
  TenantsTable,
  VerificationTokensTable,
} from '../../accounts/tables.js';
import type { AgreementVersionsTable, TenantAgreementsTable } from '../../agreements/tables.js';
import type {
  InvoiceLinksTable,
  PaymentProofsTable,
  PaymentsTable,
  PriceAnnouncementsTable,
  PublishedPricesTable,
  SubscriptionsTable,
} from '../../billing/tables.js';
import type {
  CounterMovesTable,
  IssuerCertificatesTable,
  IssuerDocumentTypesTable,
  IssuerLogosTable,
  IssuersTable,
} from '../../issuers/tables.js';
import type { MailDaysTable, MailOutboxTable } from '../../mail/tables.js';
import type {
  NotificationCursorsTable,
  NotificationPreferencesTable,
  NotificationsTable,
} from '../../notifications/tables.js';
import type { WebhookDeliveriesTable, WebhookEndpointsTable, WebhookMessagesTable } from '../../webhooks/tables.js';
import type { AdminAuditTable, RememberedKeysTable, TaskLeasesTable, WriteProbesTable } from './operation-tables.js';

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
  account_recoveries: AccountRecoveriesTable;
  tenant_events: TenantEventsTable;
  mail_outbox: MailOutboxTable;
  mail_days: MailDaysTable;
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
  remembered_keys: RememberedKeysTable;
  write_probes: WriteProbesTable;
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
