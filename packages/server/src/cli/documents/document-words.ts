import { type DocumentType, documentTypeOf, parseAccessKey } from 'sri-core';
import type { Document } from 'sri-core/client';
import { toFactLines } from '../client/documents.js';

/** The number of a document as people write it: `001-001-000000123`. */
export function numberOf({ accessKey, sequential }: Pick<Document, 'accessKey' | 'sequential'>): string {
  const { branchCode, issuePointCode } = parseAccessKey(accessKey);
  return `${branchCode}-${issuePointCode}-${sequential}`;
}

/** The facts of a document, in lines for people. Facts that it does not have are left out. */
export function describeDocument(
  document: Document & { readonly voidReason?: string; readonly voidedAt?: string },
  language: 'es' | 'en',
): string {
  const { texts } = documentTypeOf(document.documentType as DocumentType);
  const { counterparty, dispatch, email } = document;
  return toFactLines(
    {
      type: texts.name[language],
      number: numberOf(document),
      status: document.status,
      issueDate: document.issueDate,
      counterparty: `${counterparty.name} (${counterparty.id})`,
      total: texts.total === null ? null : document.total,
      authorizationDate: document.authorizationDate,
      voidedAt: document.voidedAt,
      voidReason: document.voidReason,
      email: email.error ? `${email.status}: ${email.error}` : email.status,
      lastError: dispatch?.lastError,
      accessKey: document.accessKey,
    },
    language,
  );
}
