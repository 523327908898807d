import { type SqlBool, sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tier } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { ClaimedMail, HeldFor } from './outbox-mail.js';

/** The data of an account that decides whether its mail may be sent. */
export interface MailingAccount {
  /** The address in the form in which addresses are compared. */
  readonly emailKey: string;
  /** Whether the address is verified; for a suspended account, by its former status. */
  readonly isVerified: boolean;
  readonly tier: Tier;
}

/** The account of the mail, or null. */
export async function readMailingAccount(tables: Tables, tenantId: string): Promise<MailingAccount | null> {
  const row = await tables
    .selectFrom('tenants')
    .select(['email_key', 'status', 'status_before_suspension', 'subscription_tier'])
    .where('id', '=', tenantId)
    .executeTakeFirst();
  if (!row) return null;
  const status = row.status === 'SUSPENDED' ? row.status_before_suspension : row.status;
  return {
    emailKey: row.email_key,
    isVerified: status !== 'PENDING_VERIFICATION',
    tier: row.subscription_tier as Tier,
  };
}

/** The account and day under which document mails are counted, and their limit. */
export interface MailDay {
  readonly tenantId: string;
  readonly environment: Environment;
  /** `YYYY-MM-DD` in Ecuador. */
  readonly day: string;
  /** Null for no limit. */
  readonly limit: number | null;
}

/**
 * Counts a claimed mail on its day, once for all its attempts. All processes share the count.
 *
 * @returns false when the limit is reached already.
 */
export async function countMail(
  tables: Tables,
  mailId: string,
  { tenantId, environment, day, limit }: MailDay,
): Promise<boolean> {
  const isCounted = await tables
    .selectFrom('mail_outbox')
    .select('id')
    .where('id', '=', mailId)
    .where('counted_on', '=', day)
    .executeTakeFirst();
  if (isCounted) return true;
  if (limit !== null && limit < 1) return false;
  const counted = await tables
    .insertInto('mail_days')
    .values({ tenant_id: tenantId, environment, day, mail_count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'environment', 'day'])
        .doUpdateSet((set) => ({ mail_count: set('mail_days.mail_count', '+', 1) }))
        .where('mail_days.mail_count', '<', limit ?? UNLIMITED),
    )
    .returning('mail_count')
    .executeTakeFirst();
  if (!counted) return false;
  await tables.updateTable('mail_outbox').set({ counted_on: day }).where('id', '=', mailId).execute();
  return true;
}

/** Marks a mail as held. @returns false when another worker has taken it since. */
export async function holdMail(
  tables: Tables,
  claimed: ClaimedMail,
  { heldFor, error, dueAt }: { readonly heldFor: HeldFor; readonly error: string; readonly dueAt: Date },
): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({ status: heldFor, last_error: error, due_at: dueAt.getTime(), lease_until: 0 })
    .where('id', '=', claimed.mail.id)
    .where('lease_token', '=', claimed.leaseToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Makes an account's mails due that waited for the verification of its address. Call it in the transaction of the
 * verification.
 */
export async function releaseUnverifiedMails(tables: Tables, tenantId: string, now: Date): Promise<void> {
  await tables
    .updateTable('mail_outbox')
    .set({ status: 'PENDING', due_at: now.getTime() })
    .where('tenant_id', '=', tenantId)
    .where(sql<SqlBool>`status in ('UNVERIFIED', 'OVER_LIMIT')`)
    .where('status', '=', 'UNVERIFIED')
    .execute();
}

/**
 * Accounts with mails that a daily limit held, and whose day has come. A hold until a far future day came from a wrong
 * clock, and counts as due.
 */
export async function listDueHolds(
  tables: Tables,
  now: Date,
  limit: number,
): Promise<readonly { readonly tenantId: string; readonly environment: Environment }[]> {
  const at = now.getTime();
  const rows = await tables
    .selectFrom('mail_outbox')
    .select(['tenant_id', 'environment'])
    .distinct()
    .where(sql<SqlBool>`status = 'OVER_LIMIT'`)
    .where((where) => where.or([where('due_at', '<=', at), where('due_at', '>', at + LONGEST_HOLD_MS)]))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment as Environment }));
}

/** Makes held mails due up to the rest of the daily limit, oldest first; the others wait for `nextDay`. */
export async function releaseHeldMails(
  tables: Tables,
  { tenantId, environment, day, limit }: MailDay,
  { now, nextDay }: { readonly now: Date; readonly nextDay: Date },
): Promise<void> {
  const counted = await tables
    .selectFrom('mail_days')
    .select('mail_count')
    .where('tenant_id', '=', tenantId)
    .where('environment', '=', environment)
    .where('day', '=', day)
    .executeTakeFirst();
  const room = limit === null ? MOST_AT_ONCE : Math.min(MOST_AT_ONCE, limit - (counted?.mail_count ?? 0));
  const held = () =>
    sql<SqlBool>`tenant_id = ${tenantId} and environment = ${environment}
      and status in ('UNVERIFIED', 'OVER_LIMIT') and status = 'OVER_LIMIT'`;
  if (room > 0) {
    const oldest = tables.selectFrom('mail_outbox').select('id').where(held()).orderBy('created_at').orderBy('id');
    await tables
      .updateTable('mail_outbox')
      .set({ status: 'PENDING', due_at: now.getTime() })
      .where('id', 'in', oldest.limit(room))
      .execute();
  }
  // With room left, there are more than one statement takes: the next look follows at once.
  const dueAt = room === MOST_AT_ONCE ? now : nextDay;
  await tables.updateTable('mail_outbox').set({ due_at: dueAt.getTime() }).where(held()).execute();
}

/** Deletes the counts before that day. */
export async function forgetMailDays(tables: Tables, day: string): Promise<void> {
  await tables.deleteFrom('mail_days').where('day', '<', day).execute();
}

// --- internal ---

const LONGEST_HOLD_MS = 25 * 3_600_000;
const MOST_AT_ONCE = 1000;
/** The maximum of the column. */
const UNLIMITED = 2_147_483_647;
