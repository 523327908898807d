import { type SqlBool, sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tier } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { changeJobs, restartJobs } from '../platform/jobs/job-rows.js';

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
    .selectFrom('jobs')
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
  await changeJobs(tables, sql`id = ${mailId}`, { counted_on: day });
  return true;
}

/**
 * Makes an account's mails due that waited for the verification of its address. Call it in the transaction of the
 * verification.
 */
export async function releaseUnverifiedMails(tables: Tables, tenantId: string, now: Date): Promise<void> {
  const which = sql<SqlBool>`tenant_id = ${tenantId}
    and status in ('UNVERIFIED', 'OVER_LIMIT') and status = 'UNVERIFIED'`;
  await restartJobs(tables, which, now);
}

/** Accounts with mails that a daily limit held, and whose day has come. */
export async function listDueHolds(
  tables: Tables,
  now: Date,
  limit: number,
): Promise<readonly { readonly tenantId: string; readonly environment: Environment }[]> {
  const rows = await tables
    .selectFrom('jobs')
    .select(['tenant_id', 'environment'])
    .distinct()
    .where(sql<SqlBool>`status = 'OVER_LIMIT'`)
    .where(isDue(now))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id ?? '', environment: row.environment as Environment }));
}

/**
 * Makes held mails due up to the rest of the daily limit, oldest first.
 *
 * @returns whether the others wait for the next day. With room left, there are more than one statement takes: the next
 *   look releases more.
 */
export async function releaseHeldMails(tables: Tables, mailDay: MailDay, now: Date): Promise<boolean> {
  const { tenantId, environment, day, limit } = mailDay;
  const counted = await tables
    .selectFrom('mail_days')
    .select('mail_count')
    .where('tenant_id', '=', tenantId)
    .where('environment', '=', environment)
    .where('day', '=', day)
    .executeTakeFirst();
  const room = limit === null ? MOST_AT_ONCE : Math.min(MOST_AT_ONCE, limit - (counted?.mail_count ?? 0));
  if (room > 0) {
    const oldest = heldMails(tables, mailDay).orderBy('created_at').orderBy('id').limit(room);
    const which = stillHeld(await oldest.execute(), mailDay);
    if (which) await restartJobs(tables, which, now);
  }
  return room < MOST_AT_ONCE;
}

/**
 * Lets due holds of an account wait for the next day, so many at once that no statement takes long.
 *
 * @returns whether there may be more.
 */
export async function postponeHeldMails(
  tables: Tables,
  mailDay: MailDay,
  { now, nextDay }: { readonly now: Date; readonly nextDay: Date },
): Promise<boolean> {
  const due = await heldMails(tables, mailDay).where(isDue(now)).limit(MOST_AT_ONCE).execute();
  const which = stillHeld(due, mailDay);
  if (which) await changeJobs(tables, which, { due_at: nextDay.getTime() });
  return due.length === MOST_AT_ONCE;
}

/** Deletes the counts before that day. */
export async function forgetMailDays(tables: Tables, day: string): Promise<void> {
  await tables.deleteFrom('mail_days').where('day', '<', day).execute();
}

// --- internal ---

function heldOf({ tenantId, environment }: MailDay) {
  return sql<SqlBool>`tenant_id = ${tenantId} and environment = ${environment}
    and status in ('UNVERIFIED', 'OVER_LIMIT') and status = 'OVER_LIMIT'`;
}

function heldMails(tables: Tables, mailDay: MailDay) {
  return tables.selectFrom('jobs').select('id').where(heldOf(mailDay));
}

/**
 * Those of the mails that are still held: another process may restart one in the meantime. A list, since a database may
 * run a subquery again for each row. Null for no mails.
 */
function stillHeld(mails: readonly { readonly id: string }[], mailDay: MailDay) {
  if (mails.length === 0) return null;
  return sql<SqlBool>`id in (${sql.join(mails.map(({ id }) => id))}) and ${heldOf(mailDay)}`;
}

/** Holds whose day has come. One until a far future day came from a wrong clock, and counts as due. */
function isDue(now: Date) {
  return sql<SqlBool>`(due_at <= ${now.getTime()} or due_at > ${now.getTime() + LONGEST_HOLD_MS})`;
}

const LONGEST_HOLD_MS = 25 * 3_600_000;
const MOST_AT_ONCE = 1000;
/** The maximum of the column. */
const UNLIMITED = 2_147_483_647;
