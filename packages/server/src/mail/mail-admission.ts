import { type Clock, ecuadorDate, type Logger } from 'sri-core';
import { emailKey, isReleased, lockTenant, type Plans, type Tier } from '../accounts/index.js';
import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import { createAccountAttempts } from '../platform/jobs/account-attempts.js';
import {
  countMail,
  listDueHolds,
  type MailDay,
  postponeHeldMails,
  readMailingAccount,
  releaseHeldMails,
} from './held-mail-rows.js';
import type { Admission, OutboxMail } from './outbox-mail.js';

/** The rules for sending the mail of a document. */
export interface MailRules {
  /** False where buyers get mails only on request. */
  readonly mailToBuyers: boolean;
  /** The mails of tests that are sent: all, mails to the account's own address, or none. */
  readonly sandboxMail: 'all' | 'own' | 'off';
  /** The daily limit of an account for mails of tests. */
  readonly sandboxMailsPerDay: number;
  readonly plans: Plans;
}

/**
 * Decides about a mail in the transaction that claims it, and counts it if it is sent. Mails about the account itself
 * are always sent, unless it was released since: its address may belong to another.
 */
export async function admitMail(
  rules: MailRules,
  tables: Tables,
  { id, tenantId, recipient, document }: OutboxMail,
  now: Date,
): Promise<Admission> {
  if (!document) return (await isReleased(tables, tenantId)) ? 'SKIP' : 'GO';
  if (document.automatic && !document.requested && !rules.mailToBuyers) return 'SKIP';
  const account = await readMailingAccount(tables, tenantId);
  if (!account) return 'SKIP';
  const { environment } = document;
  const isOwn = emailKey(recipient) === account.emailKey;
  if (environment === 'sandbox' && !(rules.sandboxMail === 'all' || (rules.sandboxMail === 'own' && isOwn))) {
    return 'SKIP';
  }
  if (!account.isVerified && !isOwn) return 'UNVERIFIED';
  const limit = limitOf(rules, environment, account.tier);
  return (await countMail(tables, id, { tenantId, environment, day: ecuadorDate(now), limit })) ? 'GO' : 'OVER_LIMIT';
}

/** The start of the next day in Ecuador. */
export function nextMailDay(now: Date): Date {
  return new Date(Date.parse(`${ecuadorDate(now)}T00:00:00-05:00`) + DAY_MS);
}

/**
 * Makes the held mails due whose accounts may send again, up to the limit of each account. A failure for one account is
 * logged and retried at the next look.
 */
export async function releaseDueHolds(
  { database, clock, rules, logger }: ReleaseDeps,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const accounts = createAccountAttempts(logger, 'the held mails of an account were not released', signal);
  const due = await database.read((tables) => listDueHolds(tables, now, ACCOUNTS_AT_ONCE));
  for (const { tenantId, environment } of due) {
    if (signal?.aborted) return;
    await accounts.attempt(tenantId, async () => {
      const postponed = await database.transaction(async (tables) => {
        // With two processes, the second finds nothing left to release.
        const tenant = await lockTenant(tables, tenantId);
        if (!tenant) return null;
        const limit = limitOf(rules, environment, tenant.subscriptionTier);
        const day: MailDay = { tenantId, environment, day: ecuadorDate(now), limit };
        return (await releaseHeldMails(tables, day, now)) ? day : null;
      });
      let areMore = postponed !== null;
      while (postponed && areMore && !signal?.aborted) {
        areMore = await database.transaction((tables) =>
          postponeHeldMails(tables, postponed, { now, nextDay: nextMailDay(now) }),
        );
      }
    });
  }
}

// --- internal ---

interface ReleaseDeps {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly rules: MailRules;
  readonly logger: Logger;
}

const DAY_MS = 86_400_000;
const ACCOUNTS_AT_ONCE = 100;

function limitOf(
  { plans, sandboxMailsPerDay }: MailRules,
  environment: MailDay['environment'],
  tier: Tier,
): number | null {
  return environment === 'sandbox' ? sandboxMailsPerDay : plans[tier].mailsPerDay;
}
