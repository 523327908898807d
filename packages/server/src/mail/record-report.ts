import { ConcurrentChangeError, type StoredDocument } from 'sri-core';
import { insertTenantEvent } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { type DeliveryReport, isNews, prevails } from './delivery-report.js';
import { type DocumentOutcomeDeps, isTheMailOf, recordOnDocument } from './document-outcome.js';
import { MAIL_REASONS } from './mail-reasons.js';
import { findReportedMail, noteMailReport, type ReportedMail } from './report-rows.js';

/**
 * Writes a provider's report into the outbox and, in the same commit, into the history of the mail's document or
 * account. A repeated report changes nothing.
 *
 * @param mailId the outbox row.
 * @returns false when the mail does not exist.
 */
export async function recordReport(
  parts: DocumentOutcomeDeps,
  mailId: string,
  report: DeliveryReport,
): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await parts.database.read((tables) => findReportedMail(tables, mailId));
    if (!found) return false;
    if (!isNews(report, found.reports)) return true;
    const now = parts.clock.now();
    const settled = settledStatus(found, report, now);
    const note = (tables: Tables) => noteMailReport(tables, found, { report, settled, now });
    const written = found.document
      ? await recordOnDocument(parts, found.document, documentOutcome(found, report), note)
      : await recordOnAccount(parts, found, report, note);
    if (written) return true;
  }
  throw new ConcurrentChangeError('The mail kept changing while a report of it was recorded.');
}

// --- internal ---

const ROUNDS = 12;

const WAITING: ReadonlySet<string> = new Set(['PENDING', 'UNVERIFIED', 'OVER_LIMIT']);

const EVENT_ENDINGS: Readonly<Record<DeliveryReport, string>> = {
  deferred: 'TEMP_FAILED',
  delivered: 'DELIVERED',
  bounced: 'FAILED',
  complained: 'COMPLAINED',
};

/** The new outbox status: a bounced mail may be sent again, and an arrived one need not be. */
function settledStatus(found: ReportedMail, report: DeliveryReport, now: Date): 'SENT' | 'FAILED' | null {
  if (report === 'deferred' || !prevails(report, found.reports)) return null;
  const isHeld = found.status === 'PENDING' && found.leaseUntil > now;
  // A held mail gets its status from its worker. A requested repeat is still sent, even if it waits for a day.
  if (isHeld || (found.sentAt && WAITING.has(found.status))) return null;
  return report === 'bounced' ? 'FAILED' : 'SENT';
}

function documentOutcome({ id, recipient, document, reports }: ReportedMail, report: DeliveryReport) {
  const detail = { messageId: id, recipient, ...failureDetail(report) };
  return {
    event: { type: `EMAIL_${EVENT_ENDINGS[report]}`, detail },
    // A copy does not change the state of the document's mail.
    mail: (stored: StoredDocument, now: Date) =>
      document?.automatic && isTheMailOf(stored, recipient) && prevails(report, reports)
        ? mailAfter(report, stored.mail, now)
        : null,
  };
}

function mailAfter(report: DeliveryReport, mail: StoredDocument['mail'], now: Date): StoredDocument['mail'] | null {
  if (report === 'deferred') return null;
  if (report === 'bounced') return { status: 'FAILED', sentAt: null, error: MAIL_REASONS.BOUNCED.en };
  const status = report === 'delivered' ? 'DELIVERED' : 'COMPLAINED';
  return { status, sentAt: mail.sentAt ?? now, error: null };
}

async function recordOnAccount(
  parts: DocumentOutcomeDeps,
  { id, tenantId, kind, attemptCount }: ReportedMail,
  report: DeliveryReport,
  note: (tables: Tables) => Promise<boolean>,
): Promise<boolean> {
  return parts.database.transaction(async (tables) => {
    if (!(await note(tables))) return false;
    if (kind !== 'VERIFICATION') return true;
    const now = parts.clock.now();
    await insertTenantEvent(tables, tenantId, {
      id: parts.newId(now),
      eventType: `VERIFICATION_EMAIL_${EVENT_ENDINGS[report]}`,
      detail: { messageId: id, ...(report === 'bounced' ? { attempt: attemptCount } : {}), ...failureDetail(report) },
      createdAt: now,
    });
    return true;
  });
}

/** In the form of the server's own failures; the provider retries deferred mails. */
function failureDetail(report: DeliveryReport) {
  if (report === 'deferred') return { willRetry: true, message: MAIL_REASONS.DEFERRED.en };
  return report === 'bounced' ? { willRetry: false, message: MAIL_REASONS.BOUNCED.en } : {};
}
