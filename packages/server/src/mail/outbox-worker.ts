import type { Engine, Logger, StoredDocument } from 'sri-core';
import { insertTenantEvent, lockTenant } from '../accounts/index.js';
import { byCode } from '../platform/by-code.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { claimJob, type JobRow } from '../platform/jobs/job-rows.js';
import { isTheMailOf, recordOnDocument } from './document-outcome.js';
import { readMailingAccount } from './held-mail-rows.js';
import { admitMail, type MailRules, nextMailDay } from './mail-admission.js';
import { describeMailError } from './mail-error.js';
import { MAIL_REASONS } from './mail-reasons.js';
import type { MailTransport } from './mail-transport.js';
import type { MailWriters } from './mail-writers.js';
import { type AdmittedMail, type ClaimedMail, MAIL_RETRY_DELAYS_MS, type MailedDocument } from './outbox-mail.js';
import { readMailReports } from './report-rows.js';
import { failedWith, heldFor, isWaiting, SKIPPED, sentAt, settleMail, toClaimedMail } from './rows.js';

/** Dependencies of sending mails. */
export interface OutboxWorkerDeps extends WriteDeps {
  /** Changes the documents of mails. */
  readonly engine: Engine;
  readonly writers: MailWriters;
  readonly transport: MailTransport;
  /** The rules for document mails. */
  readonly rules: MailRules;
  readonly logger: Logger;
  /** How long a worker holds a mail: longer than an attempt can take, so that no other worker sends it. */
  readonly leaseMs: number;
  /** When aborted, running sends are cancelled and released: the process is about to end. */
  readonly stopping: AbortSignal;
}

/** Whether a mail was sent by an attempt, or that the settings skip it. */
export type MailOutcome = boolean | 'skipped';

/** Tries one mail now, whether or not it is due. @returns whether it was sent; null when a worker holds it. */
export async function sendMailNow(parts: OutboxWorkerDeps, mailId: string): Promise<MailOutcome | null> {
  const { database, clock, leaseMs } = parts;
  const [claimed] = await database.transaction(async (tables) => {
    const row = await claimJob(tables, database.traits, 'MAIL', mailId, { now: clock.now(), leaseMs });
    return admitted(parts, tables, row ? [row] : []);
  });
  return claimed ? attemptMail(parts, claimed) : null;
}

/** Claimed mails with their admissions. Call it in the transaction of the claim. */
export async function admitted(
  { rules, clock }: Pick<OutboxWorkerDeps, 'rules' | 'clock'>,
  tables: Tables,
  rows: readonly JobRow[],
): Promise<readonly AdmittedMail[]> {
  const mails: AdmittedMail[] = [];
  // Each admission locks the day of its account: the same order in all processes.
  const dayOf = ({ lane, environment }: JobRow) => `${lane} ${environment}`;
  for (const row of rows.toSorted((a, b) => byCode(dayOf(a), dayOf(b)))) {
    const claimed = await toClaimedMail(tables, row);
    mails.push({ ...claimed, admission: await admitMail(rules, tables, claimed.mail, clock.now()) });
  }
  return mails;
}

/**
 * Makes one attempt at a claimed mail and stores the result. An attempt that is cancelled at the end of the process
 * does not count: the mail is released, and sent later under the same Message-ID.
 *
 * @returns whether the mail was sent, or that it never is.
 */
export async function attemptMail(parts: OutboxWorkerDeps, claimed: AdmittedMail): Promise<MailOutcome> {
  const { mail, admission } = claimed;
  const { document } = mail;
  if (document && admission !== 'GO') {
    await (admission === 'SKIP' ? recordSkipped : recordHeld)(parts, claimed, document);
    return admission === 'SKIP' ? 'skipped' : false;
  }
  if (admission === 'SKIP' || (parts.rules.sandboxMail === 'off' && mail.data['environment'] === 'sandbox')) {
    await parts.database.transaction((tables) => settleMail(tables, claimed, SKIPPED));
    return 'skipped';
  }
  try {
    const content = await parts.writers[mail.kind](mail);
    await parts.transport.send(
      { ...content, id: mail.id, to: mail.recipient, date: parts.clock.now() },
      parts.stopping,
    );
  } catch (error) {
    if (parts.stopping.aborted) return giveBack(parts, claimed);
    const reason = error instanceof Error ? error.message : 'unknown error';
    const { id: mailId, tenantId } = mail;
    parts.logger.warn({ mailId, tenantId, attempt: claimed.attemptCount + 1, error: reason }, 'mail not sent');
    // A mail server may fall silent after it has accepted the mail, and the provider may have reported it since.
    if (!(await hasArrived(parts, mailId))) {
      if (document) await recordDocumentFailure(parts, claimed, document, describeMailError(error));
      else await recordFailure(parts, claimed, reason);
      return false;
    }
  }
  if (document) await recordDocumentSent(parts, claimed, document);
  else await recordSent(parts, claimed);
  parts.logger.info({ mailId: mail.id, tenantId: mail.tenantId, kind: mail.kind }, 'mail sent');
  return true;
}

// --- internal ---

async function giveBack({ database, clock, logger }: OutboxWorkerDeps, claimed: ClaimedMail): Promise<false> {
  await database.transaction((tables) => settleMail(tables, claimed, { due_at: clock.now().getTime() }));
  logger.info({ mailId: claimed.mail.id, tenantId: claimed.mail.tenantId }, 'mail given back');
  return false;
}

async function hasArrived({ database }: OutboxWorkerDeps, mailId: string): Promise<boolean> {
  const reports = await database.read((tables) => readMailReports(tables, mailId));
  return reports.includes('delivered') || reports.includes('complained');
}

async function recordSent(parts: OutboxWorkerDeps, claimed: ClaimedMail): Promise<void> {
  const { mail } = claimed;
  const now = parts.clock.now();
  await parts.database.transaction(async (tables) => {
    if (!(await settleMail(tables, claimed, sentAt(now))) || mail.kind !== 'VERIFICATION') return;
    await insertTenantEvent(tables, mail.tenantId, {
      id: parts.newId(now),
      eventType: 'VERIFICATION_EMAIL_SENT',
      detail: { messageId: mail.id },
      createdAt: now,
    });
  });
}

/**
 * A failed attempt to reach a new address is recorded in the account's history at once; `willRetry` says whether
 * another one follows.
 */
async function recordFailure(parts: OutboxWorkerDeps, claimed: ClaimedMail, error: string): Promise<void> {
  const { mail, attemptCount } = claimed;
  const now = parts.clock.now();
  const dueAt = nextAttempt(claimed, now);
  await parts.database.transaction(async (tables) => {
    const noted = await settleMail(tables, claimed, failedWith(error.slice(0, MAX_ERROR), dueAt));
    if (!noted || mail.kind !== 'VERIFICATION') return;
    const willRetry = await isWaiting(tables, mail.id);
    await insertTenantEvent(tables, mail.tenantId, {
      id: parts.newId(now),
      eventType: 'VERIFICATION_EMAIL_FAILED',
      detail: { messageId: mail.id, attempt: attemptCount + 1, willRetry },
      createdAt: now,
    });
  });
}

async function recordDocumentSent(
  parts: OutboxWorkerDeps,
  claimed: ClaimedMail,
  document: MailedDocument,
): Promise<void> {
  const { id, recipient } = claimed.mail;
  const event = { type: 'EMAIL_SENT', detail: { messageId: id, recipient, attempt: claimed.attemptCount + 1 } };
  await recordOnDocument(
    parts,
    document,
    {
      event,
      mail: async (stored, now) => {
        // A copy on request counts only where the document's mail had failed or was skipped.
        const cures = !document.automatic && GIVEN_UP.has(stored.mail.status);
        if (!cures && !shows(stored, claimed, document)) return null;
        // The provider's report may arrive first.
        const reports = await parts.database.read((tables) => readMailReports(tables, id));
        return reports.some((report) => report !== 'deferred') ? null : { status: 'SENT', sentAt: now, error: null };
      },
    },
    (tables) => settleMail(tables, claimed, sentAt(parts.clock.now())),
  );
}

/** The document is marked as failed once no attempt follows; until then only its history records failures. */
async function recordDocumentFailure(
  parts: OutboxWorkerDeps,
  claimed: ClaimedMail,
  document: MailedDocument,
  error: string,
): Promise<void> {
  const { id, recipient } = claimed.mail;
  const dueAt = nextAttempt(claimed, parts.clock.now());
  const willRetry = dueAt !== null;
  const detail = { messageId: id, recipient, attempt: claimed.attemptCount + 1, willRetry, message: error };
  await recordOnDocument(
    parts,
    document,
    {
      event: { type: willRetry ? 'EMAIL_TEMP_FAILED' : 'EMAIL_FAILED', detail },
      mail: (stored) =>
        // An earlier delivery stays valid when a repeat fails.
        !willRetry && shows(stored, claimed, document) && stored.mail.sentAt === null
          ? { status: 'FAILED', sentAt: null, error }
          : null,
    },
    (tables) => settleMail(tables, claimed, failedWith(error, dueAt)),
  );
}

async function recordSkipped(parts: OutboxWorkerDeps, claimed: ClaimedMail, document: MailedDocument): Promise<void> {
  await recordOnDocument(
    parts,
    document,
    {
      event: { type: 'EMAIL_SKIPPED', detail: { messageId: claimed.mail.id } },
      mail: (stored) => (shows(stored, claimed, document) ? { status: 'SKIPPED', sentAt: null, error: null } : null),
    },
    (tables) => settleMail(tables, claimed, SKIPPED),
  );
}

/** A held mail: its document shows the reason. */
async function recordHeld(parts: OutboxWorkerDeps, claimed: AdmittedMail, document: MailedDocument): Promise<void> {
  const { mail, admission } = claimed;
  const reason = admission === 'UNVERIFIED' ? admission : 'OVER_LIMIT';
  const error = MAIL_REASONS[reason].en;
  const now = parts.clock.now();
  await recordOnDocument(
    parts,
    document,
    {
      mail: (stored) =>
        shows(stored, claimed, document) && stored.mail.sentAt === null
          ? { status: 'PENDING', sentAt: null, error }
          : null,
    },
    async (tables) => {
      // Locks the account, so that a verification either finds the mail held or is seen here.
      await lockTenant(tables, mail.tenantId);
      const account = await readMailingAccount(tables, mail.tenantId);
      const isHeld = reason === 'OVER_LIMIT' || !account?.isVerified;
      return settleMail(tables, claimed, isHeld ? heldFor(reason, error, nextMailDay(now)) : {});
    },
  );
  parts.logger.info({ mailId: mail.id, tenantId: mail.tenantId, reason }, 'mail held');
}

/** Whether the document shows the state of that mail. */
function shows(stored: StoredDocument, { mail }: ClaimedMail, { automatic }: MailedDocument): boolean {
  return automatic && isTheMailOf(stored, mail.recipient);
}

function nextAttempt({ attemptCount }: ClaimedMail, now: Date): Date | null {
  const delay = MAIL_RETRY_DELAYS_MS[attemptCount];
  return delay === undefined ? null : new Date(now.getTime() + delay);
}

const MAX_ERROR = 300;
const GIVEN_UP: ReadonlySet<string> = new Set(['FAILED', 'SKIPPED']);
