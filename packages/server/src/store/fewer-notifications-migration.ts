import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/**
 * Leaves what tells of authorizations, which is nearly all, out of the index of an issuer's notifications; and where a key
 * takes room of its own, makes that by which an account's are listed the only one of all.
 */
export const fewerNotifications: Migration = {
  name: '017-fewer-notifications',
  async up(transaction, { keepsKeysApart }: DialectTraits) {
    await sql`drop index notifications_issuer`.execute(transaction);
    await sql`create index notifications_issuer on notifications (tenant_id, issuer_id, type, id)
      where type <> 'DOCUMENT_AUTHORIZED'`.execute(transaction);
    if (!keepsKeysApart) return;
    await sql`alter table notifications drop constraint notifications_pkey`.execute(transaction);
    await sql`drop index notifications_tenant`.execute(transaction);
    await sql`alter table notifications add primary key (tenant_id, id)`.execute(transaction);
  },
};
