import { type SqlBool, sql } from 'kysely';
import type { Tables } from '../platform/database/tables.js';
import { changeJobs } from '../platform/jobs/job-rows.js';
import type { DeliveryReport } from './delivery-report.js';
import type { OutboxMail } from './outbox-mail.js';
import { NO_SECRET, toMail } from './rows.js';

/** The data of a mail for its provider's reports. */
export interface ReportedMail extends OutboxMail {
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
  const row = await tables
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'MAIL')
    .executeTakeFirst();
  if (!row) return null;
  return {
    ...toMail(row),
    status: row.status,
    attemptCount: row.attempt_count,
    leaseToken: row.lease_token,
    leaseUntil: new Date(row.lease_until ?? 0),
    sentAt: row.done_at === null ? null : new Date(row.done_at),
    reports: (row.reports ?? '').split(',').filter(Boolean) as DeliveryReport[],
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
  const which = sql<SqlBool>`id = ${found.id} and reports = ${found.reports.join(',')}
    and status = ${found.status} and lease_token = ${found.leaseToken}`;
  const changed = await changeJobs(tables, which, {
    reports: [...found.reports, report].join(','),
    ...(settled ? { status: settled, ...NO_SECRET } : {}),
    ...(settled === 'SENT' ? { done_at: (found.sentAt ?? now).getTime() } : {}),
  });
  return changed.length > 0;
}
