import { type PublishingDeps, publish, writeNotification } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { QuotaUse } from './document-quota.js';

/** The warning levels in percent of the quota, highest first. */
const LEVELS = [
  { percent: 100, severity: 'ERROR', text: 'QUOTA_USED_UP' },
  { percent: 80, severity: 'WARNING', text: 'QUOTA_WARNING' },
] as const;

/**
 * Warns an account whose new documents reach 80 % or 100 % of the quota in force, in the transaction that stores them.
 * The count only rises within a period, so each level is reached once. If both are reached at once, only the higher one
 * is reported.
 */
export async function notifyQuota(
  tables: Tables,
  use: QuotaUse,
  { now, ...parts }: PublishingDeps & { readonly now: Date },
): Promise<void> {
  const { tenantId, language, environment, before, count: documentCount, quota: documentQuota, period } = use;
  const level = LEVELS.find(({ percent }) => {
    const limit = (documentQuota * percent) / 100;
    return before < limit && documentCount >= limit;
  });
  if (!level) return;
  await publish(tables, { tenantId, now }, parts, async () => ({
    tenantId,
    issuerId: null,
    environment: null,
    type: 'QUOTA_WARNING',
    severity: level.severity,
    ...writeNotification(level.text, language, { documentCount, documentQuota }),
    metadata: {
      environment,
      documentCount,
      documentQuota,
      percent: level.percent,
      periodStart: period.start.toISOString(),
      periodEnd: period.end.toISOString(),
    },
  }));
}
