import { type SqlBool, sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tier } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { ClaimedMail, HeldFor } from './outbox-mail.js';

/** What decides whether a mail of an account may go out. */
export interface MailingAccount {
  /** The address as addresses are compared. */
  readonly emailKey: string;
  /** Whether the address is verified; a suspended account counts as it stood before. */
  readonly isVerified: boolean;
  readonly tier: Tier;
}

/** The account of the mail; null for a mail without account. */
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

/** Whose mails of documents are counted together, and how many may go out. */
export interface MailDay {
  readonly tenantId: string;
  readonly environment: Environment;
  /** `YYYY-MM-DD` in Ecuador. */
  readonly day: string;
  /** Null for no limit. */
  readonly limit: number | null;
}

/**
 * Counts a claimed mail among those of a day, once however often it is tried. All processes share the count.
 *
 * @returns false when as many as may go out were counted before.
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

/** Notes that a mail waits. @returns false when another worker has taken it since. */
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

/** Makes the mails due that waited for the verification of an account's address. Call it where that is noted. */
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
 * Accounts with mails that a day's limit held and whose day has come. One that was held until a day far ahead was held
 * by a clock that was put right since.
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

/** Makes as many held mails due as a day's limit leaves room for, oldest first; the others wait for `nextDay`. */
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
  // With room left there are more than one statement takes: they are looked at again at once.
  const dueAt = room === MOST_AT_ONCE ? now : nextDay;
  await tables.updateTable('mail_outbox').set({ due_at: dueAt.getTime() }).where(held()).execute();
}

/** Forgets what was counted before that day. */
export async function forgetMailDays(tables: Tables, day: string): Promise<void> {
  await tables.deleteFrom('mail_days').where('day', '<', day).execute();
}

// --- internal ---

const LONGEST_HOLD_MS = 25 * 3_600_000;
const MOST_AT_ONCE = 1000;
/** As high as the column counts. */
const UNLIMITED = 2_147_483_647;
