import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Finds notifications that have expired, so that they can be dropped, and ends those of the sandbox after a week. */
export const notificationExpiry: Migration = {
  name: '022-notification-expiry',
  async up(transaction, _traits: DialectTraits) {
    await sql`update notifications set expires_at = created_at + ${sql.lit(WEEK_MS)}
      where environment = 'sandbox' and (expires_at is null or expires_at > created_at + ${sql.lit(WEEK_MS)})`.execute(
      transaction,
    );
    await sql`create index notifications_expiry on notifications (expires_at) where expires_at is not null`.execute(
      transaction,
    );
  },
};

// --- internal ---

const WEEK_MS = 7 * 24 * 3_600_000;
