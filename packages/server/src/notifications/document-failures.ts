import { type DocumentChange, formatSequential, type StoredDocument, toIssueDate } from 'sri-core';
import { findOwner } from '../store/issuer-owner.js';
import type { Tables } from '../store/schema.js';
import { writeNotification } from './notification-texts.js';
import { type PublishingParts, publish } from './publish.js';

/**
 * Tells an account that a document has used up its automatic attempts with the SRI, in the transaction that stores it.
 * Questions that go on afterwards at long intervals tell nothing more.
 */
export async function notifySubmissionFailure(
  tables: Tables,
  { document, job, at }: DocumentChange,
  parts: PublishingParts,
): Promise<void> {
  if (job?.status !== 'FAILED' || document.job?.status === 'FAILED') return;
  const { operation, attemptCount, lastError } = job;
  await tell(tables, { type: 'SRI_SUBMISSION_FAILED', severity: 'ERROR', document, at }, parts, {
    operation,
    attemptCount,
    lastError,
  });
}

/** Tells an account that the mail to a document's buyer was given up, in the transaction that stores it. */
export async function notifyMailFailure(
  tables: Tables,
  { document, set, at }: DocumentChange,
  parts: PublishingParts,
): Promise<void> {
  if (set.mail?.status !== 'FAILED' || document.mail.status === 'FAILED') return;
  await tell(tables, { type: 'EMAIL_DELIVERY_FAILED', severity: 'WARNING', document, at }, parts, {
    recipient: document.buyer.email,
    lastError: set.mail.error,
  });
}

// --- internal ---

interface Failure {
  readonly type: 'SRI_SUBMISSION_FAILED' | 'EMAIL_DELIVERY_FAILED';
  readonly severity: 'WARNING' | 'ERROR';
  readonly document: StoredDocument;
  readonly at: Date;
}

async function tell(
  tables: Tables,
  { type, severity, document, at }: Failure,
  parts: PublishingParts,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { issuerId, environment, accessKey, documentType, buyer, total, issueDate } = document;
  const owner = await findOwner(tables, issuerId);
  if (!owner) return;
  const { tenantId, language } = owner;
  const sequential = formatSequential(document.sequential);
  const described = {
    accessKey,
    documentType,
    sequential,
    buyerName: buyer.name,
    total,
    issueDate: toIssueDate(issueDate),
  };
  await publish(tables, { tenantId, now: at }, parts, async () => ({
    tenantId,
    issuerId,
    environment,
    type,
    severity,
    ...writeNotification(type, language, { sequential }),
    metadata: { ...described, ...details },
  }));
}
