import type { DocumentChange, SriMessage, StoredDocument } from 'sri-core';
import type { NotificationType, PublishingParts } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { tellOfDocument } from './notify-of-document.js';
import { toAdvice, toSriMessageBody } from './sri-advice.js';

/** The types that tell of a refusal by the SRI. */
export type RefusalType = Extract<NotificationType, 'DOCUMENT_RETURNED' | 'DOCUMENT_NOT_AUTHORIZED'>;

/** A document that the SRI has refused, in the change that stores the refusal. */
export interface DocumentRefusal {
  readonly type: RefusalType;
  /** The document as the change leaves it. */
  readonly document: StoredDocument;
  readonly messages: readonly SriMessage[];
  /** What the SRI says of it, in one line; empty where it gave no reason. */
  readonly reason: string;
  readonly at: Date;
}

/** The refusal that a change stores; null when it stores none. */
export function refusalOf({ document, set, events, responses, at }: DocumentChange): DocumentRefusal | null {
  if (set.status === undefined || set.status === document.status) return null;
  const type = TYPE_OF[set.status];
  if (!type) return null;
  const messages = responses.flatMap((response) => response.messages ?? []).slice(0, MOST_MESSAGES);
  const told = messages.map(({ identifier, message, additionalInfo }) =>
    [`${identifier} ${message}`, additionalInfo].filter(Boolean).join(': '),
  );
  // Where the SRI holds another document under the key, the history alone says so.
  const noted = events.flatMap(({ eventType, detail }) => (eventType === 'ERROR' ? String(detail?.['message']) : []));
  const reason = [...told, ...noted].join('; ').slice(0, MOST_REASON);
  return { type, document: { ...document, ...set }, messages, reason, at };
}

/** Tells an account that the SRI has refused a document, in the transaction that stores it. */
export async function notifyRefusal(
  tables: Tables,
  { type, document, messages, reason, at }: DocumentRefusal,
  parts: PublishingParts,
): Promise<void> {
  await tellOfDocument(tables, { type, severity: 'ERROR', document, at, params: { reason } }, parts, (language) => ({
    messages: messages.map(toSriMessageBody),
    advice: messages.map((message) => toAdvice(message, language)),
  }));
}

// --- internal ---

/** The SRI gives one or two; an answer may hold a hundred. */
const MOST_MESSAGES = 20;
const MOST_REASON = 500;

const TYPE_OF: Readonly<Partial<Record<string, RefusalType>>> = {
  RETURNED: 'DOCUMENT_RETURNED',
  NOT_AUTHORIZED: 'DOCUMENT_NOT_AUTHORIZED',
};
