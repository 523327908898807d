import { sql } from 'kysely';
import type { Migration } from 'sri-storage-adapters';

/** Which master keys stored secrets are under is found in an index: a server says again and again whether it is ready. */
export const masterKeys: Migration = {
  name: '014-master-keys',
  async up(transaction) {
    const statements = [
      sql`create index issuer_certificates_master_key on issuer_certificates (master_key_id, issuer_id)`,
      // Only mails that wait have a secret.
      sql`create index mail_outbox_master_key on mail_outbox (master_key_id, id) where master_key_id is not null`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
