import type { Tables } from '../platform/database/tables.js';
import type { DeliveryReport } from './delivery-report.js';
import { NO_SECRET, toMailedDocument } from './mail-row.js';
import type { MailedDocument, MailKind } from './outbox-mail.js';

/** The data of a mail for its provider's reports. */
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
  /** The end of a worker's lease. */
  readonly leaseUntil: Date;
  /** The time of a successful attempt. */
  readonly sentAt: Date | null;
  /** The reports since the last attempt began, in order, each once. */
  readonly reports: readonly DeliveryReport[];
}

/** The mail of that id, of any account; or null. */
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

/** The reports of a mail since its last attempt began. */
export async function readMailReports(tables: Tables, id: string): Promise<readonly DeliveryReport[]> {
  return (await findReportedMail(tables, id))?.reports ?? [];
}

/**
 * Adds a report.
 *
 * @param settled the new status: sent or given up; null leaves it. Both wipe the secret.
 * @returns false when the mail has changed since it was read; then nothing was written.
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
