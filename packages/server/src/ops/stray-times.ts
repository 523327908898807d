import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../platform/database/tables.js';

/** The longest delays that are scheduled for a mail or a delivery. Milliseconds. */
export interface LongestTimes {
  readonly dueMs: number;
  readonly leaseMs: number;
}

/**
 * Resets due times and leases that are too far ahead: a clock that was ahead wrote them, and was corrected since.
 * @returns the number of mails and deliveries that were reset.
 */
export async function endStrayTimes(
  tables: Tables,
  now: Date,
  { mails, deliveries }: { readonly mails: LongestTimes; readonly deliveries: LongestTimes },
): Promise<number> {
  const at = now.getTime();
  const mended = { due_at: at, lease_until: 0 };
  const ofMails = await tables
    .updateTable('mail_outbox')
    .set(mended)
    .where('status', '=', sql.lit('PENDING'))
    .where(isStray(at, mails))
    .executeTakeFirst();
  const ofDeliveries = await tables
    .updateTable('webhook_deliveries')
    .set(mended)
    .where('status', '=', sql.lit('PENDING'))
    .where(isStray(at, deliveries))
    .executeTakeFirst();
  return Number(ofMails.numUpdatedRows + ofDeliveries.numUpdatedRows);
}

// --- internal ---

function isStray(at: number, { dueMs, leaseMs }: LongestTimes) {
  return sql<SqlBool>`(due_at > ${at + dueMs} or lease_until > ${at + leaseMs})`;
}
