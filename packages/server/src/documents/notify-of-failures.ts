import { type DocumentChange, describeFailedAttempt, mailAddresses } from 'sri-core';
import { mailReasonIn } from '../mail/index.js';
import type { PublishingDeps } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { notifyOfDocument } from './notify-of-document.js';

/**
 * Notifies an account that a document has used up its automatic attempts with the SRI, in the transaction that stores
 * it. Later questions at long intervals notify nothing more.
 */
export async function notifySubmissionFailure(
  tables: Tables,
  { document, job, at }: DocumentChange,
  parts: PublishingDeps,
): Promise<void> {
  if (job?.status !== 'FAILED' || document.job?.status === 'FAILED') return;
  const { operation, attemptCount, lastError } = job;
  const news = { type: 'SRI_SUBMISSION_FAILED', severity: 'ERROR', document, at } as const;
  await notifyOfDocument(tables, news, parts, (language) => ({
    operation,
    attemptCount,
    lastError: lastError && describeFailedAttempt(lastError, language),
  }));
}

/**
 * Notifies an account that the mail to the counterparty of a document was given up, in the transaction that stores it.
 */
export async function notifyMailFailure(
  tables: Tables,
  { document, set, at }: DocumentChange,
  parts: PublishingDeps,
): Promise<void> {
  if (set.mail?.status !== 'FAILED' || document.mail.status === 'FAILED') return;
  const [recipient = null] = mailAddresses(document);
  const { error: lastError } = set.mail;
  const news = { type: 'EMAIL_DELIVERY_FAILED', severity: 'WARNING', document, at } as const;
  await notifyOfDocument(tables, news, parts, (language) => ({
    recipient,
    lastError: lastError && mailReasonIn(language, lastError),
  }));
}
