import { sql } from 'kysely';
import type { CoreTables } from 'sri-storage-adapters';
import type { ServerTables } from '../../platform/database/tables.js';
import { decidedBy, type Invariant, phrase } from './invariant.js';

type Table = keyof (CoreTables & ServerTables);

/** Tables whose rows belong to a row of another one, by a column with its id or null. */
export const OWNERSHIPS: readonly {
  readonly owner: Table;
  readonly column: string;
  readonly tables: readonly Table[];
}[] = [
  {
    owner: 'sri_documents',
    column: 'document_id',
    tables: ['sri_access_keys', 'sri_contents', 'sri_events', 'sri_responses', 'sri_jobs', 'jobs'],
  },
  { owner: 'sri_documents', column: 'authorization_of', tables: ['jobs'] },
  {
    owner: 'issuers',
    column: 'issuer_id',
    tables: [
      'sri_documents',
      'sri_access_keys',
      'sri_contents',
      'sri_events',
      'sri_responses',
      'sri_jobs',
      'sri_sequentials',
      'sri_figures',
      'sri_names',
      'sri_blocks',
      'counter_moves',
      'issuer_logos',
      'issuer_document_types',
      'issuer_certificates',
      'jobs',
      'notifications',
    ],
  },
  {
    owner: 'tenants',
    column: 'tenant_id',
    tables: [
      'issuers',
      'issuer_certificates',
      'api_keys',
      'verification_tokens',
      'account_recoveries',
      'tenant_events',
      'jobs',
      'mail_days',
      'document_usage',
      'notifications',
      'notification_cursors',
      'notification_preferences',
      'webhook_endpoints',
      'webhook_messages',
      'tenant_agreements',
      'subscriptions',
      'payments',
      'payment_proofs',
      'invoice_links',
      'price_announcements',
    ],
  },
  { owner: 'api_keys', column: 'key_id', tables: ['api_key_usage'] },
  { owner: 'webhook_messages', column: 'message_id', tables: ['jobs'] },
  { owner: 'subscriptions', column: 'subscription_id', tables: ['payments', 'invoice_links'] },
  { owner: 'payments', column: 'payment_id', tables: ['payment_proofs', 'invoice_links'] },
  { owner: 'published_prices', column: 'price_id', tables: ['price_announcements'] },
];

/** No row refers to a missing row. */
export const ORPHAN_INVARIANTS: readonly Invariant[] = OWNERSHIPS.flatMap(({ owner, column, tables }) =>
  tables.map((table) => ownedBy(owner, column, table)),
);

/** The name of the invariant for a table and its column. */
export function orphanInvariantName(table: string, column: string): string {
  return `${table.replaceAll('_', '-')}-have-their-${column.replace(/_id$/, '').replaceAll('_', '-')}`;
}

// --- internal ---

/** Rows whose column, if not null, is the id of no row of the owner. */
function ownedBy(owner: Table, column: string, table: Table): Invariant {
  const value = sql.ref(`${table}.${column}`);
  return decidedBy(
    orphanInvariantName(table, column),
    sql`select distinct ${phrase(`${owner} `, value)} as object,
        ${phrase(`${table} has rows of it, and it is not there`)} as explanation
      from ${sql.table(table)}
      where ${value} is not null
        and not exists (select 1 from ${sql.table(owner)} where ${sql.ref(`${owner}.id`)} = ${value})`,
  );
}
