import type { Tables } from '../platform/database/tables.js';
import type { DeliveryReport } from './delivery-report.js';
import { NO_SECRET, toMailedDocument } from './mail-row.js';
import type { MailedDocument, MailKind } from './outbox-mail.js';

/** A mail as far as its provider's reports matter. */
export interface ReportedMail {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly document: MailedDocument | null;
  readonly status: string;
  /** Finished attempts. */
  readonly attemptCount: number;
  readonly leaseToken: number;
  /** Until when a worker holds it. */
  readonly leaseUntil: Date;
  /** When an attempt of ours is known to have succeeded. */
  readonly sentAt: Date | null;
  /** What was reported since the last attempt began, in that order, each once. */
  readonly reports: readonly DeliveryReport[];
}

/** The mail of that id, of whatever account; null when there is none. */
export async function findReportedMail(tables: Tables, id: string): Promise<ReportedMail | null> {
  const row = await tables.selectFrom('mail_outbox').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind as MailKind,
    recipient: row.recipient,
    document: toMailedDocument(row),
    status: row.status,
    attemptCount: row.attempt_count,
    leaseToken: row.lease_token,
    leaseUntil: new Date(row.lease_until),
    sentAt: row.sent_at === null ? null : new Date(row.sent_at),
    reports: row.reports.split(',').filter(Boolean) as DeliveryReport[],
  };
}

/** What was reported of a mail since its last attempt began. */
export async function readMailReports(tables: Tables, id: string): Promise<readonly DeliveryReport[]> {
  return (await findReportedMail(tables, id))?.reports ?? [];
}

/**
 * Notes one more report.
 *
 * @param settled what the mail comes to by it: it is out, or it is given up; null leaves it as it stands. Both wipe its
 * secret.
 * @returns false when the mail is not any more as it was found; then nothing was written.
 */
export async function noteMailReport(
  tables: Tables,
  found: ReportedMail,
  { report, settled, now }: { readonly report: DeliveryReport; readonly settled: 'SENT' | 'FAILED' | null; now: Date },
): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({
      reports: [...found.reports, report].join(','),
      ...(settled ? { status: settled, ...NO_SECRET } : {}),
      ...(settled === 'SENT' ? { sent_at: (found.sentAt ?? now).getTime() } : {}),
    })
    .where('id', '=', found.id)
    .where('reports', '=', found.reports.join(','))
    .where('status', '=', found.status)
    .where('lease_token', '=', found.leaseToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
