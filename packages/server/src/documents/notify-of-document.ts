import { formatSequential, type Language, type StoredDocument, toIssueDate } from 'sri-core';
import { findOwner } from '../issuers/index.js';
import {
  type NotificationType,
  type PublishingDeps,
  publish,
  type Severity,
  writeNotification,
} from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { wordsOf } from './document-words.js';

/** An event of one document. */
export interface DocumentNews {
  readonly type: NotificationType;
  readonly severity: Severity;
  readonly document: StoredDocument;
  readonly at: Date;
  /** Further values of the text. */
  readonly params?: (language: Language) => Readonly<Record<string, string>>;
}

/**
 * Adds a notification about one document, in the transaction of the event. An issuer without an account gets none.
 *
 * @param details further fields of the metadata.
 */
export async function notifyOfDocument(
  tables: Tables,
  { type, severity, document, at, params }: DocumentNews,
  parts: PublishingDeps,
  details: (language: Language) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const { issuerId, environment, accessKey, documentType, counterparty, total } = document;
  const owner = await findOwner(tables, issuerId);
  if (!owner) return;
  const { tenantId, language } = owner;
  const sequential = formatSequential(document.sequential);
  await publish(tables, { tenantId, now: at }, parts, async () => ({
    tenantId,
    issuerId,
    environment,
    type,
    severity,
    ...writeNotification(type, language, {
      sequential,
      documentType: wordsOf(document, language).typeName,
      buyerName: counterparty.name,
      ...params?.(language),
    }),
    metadata: {
      accessKey,
      documentType,
      sequential,
      buyerName: counterparty.name,
      buyerId: counterparty.id,
      total,
      issueDate: toIssueDate(document.issueDate),
      ...details(language),
    },
  }));
}
