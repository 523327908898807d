import {
  type DocumentChange,
  describeFailedAttempt,
  describeSriCode,
  type Language,
  type LocalizedText,
  type SriMessage,
  type StoredDocument,
  translate,
} from 'sri-core';
import type { NotificationType, PublishingDeps } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { oneLine } from '../platform/one-line.js';
import { notifyOfDocument } from './notify-of-document.js';
import { toAdvice, toSriMessageBody } from './sri-advice.js';

/** The notification types of a refusal by the SRI. */
export type RefusalType = Extract<NotificationType, 'DOCUMENT_RETURNED' | 'DOCUMENT_NOT_AUTHORIZED'>;

/** A refusal by the SRI, in the change that stores it. */
export interface DocumentRefusal {
  readonly type: RefusalType;
  /** The document after the change. */
  readonly document: StoredDocument;
  /** Without warnings, which refuse nothing. */
  readonly messages: readonly SriMessage[];
  /** The SRI's reason in one line. */
  readonly reason: (language: Language) => string;
  readonly at: Date;
}

/** The refusal in a change, or null. */
export function refusalOf({ document, set, events, responses, at }: DocumentChange): DocumentRefusal | null {
  if (set.status === undefined || set.status === document.status) return null;
  const type = TYPE_OF[set.status];
  if (!type) return null;
  const messages = responses
    .flatMap((response) => response.messages ?? [])
    .filter(({ identifier }) => describeSriCode(identifier)?.kind !== 'warning')
    .slice(0, MOST_MESSAGES);
  const reasons = messages.map(({ identifier, message, additionalInfo }) =>
    oneLine([`${identifier} ${message}`, additionalInfo].filter(Boolean).join(': ')),
  );
  // If the SRI holds another document under the key, only the history records it.
  const noted = events.flatMap(({ eventType, detail }) => (eventType === 'ERROR' ? String(detail?.['message']) : []));
  const reason = (language: Language) =>
    [...reasons, ...noted.map((sentence) => describeFailedAttempt(sentence, language))]
      .join('; ')
      .slice(0, MOST_REASON) || translate(NO_REASON, language);
  return { type, document: { ...document, ...set }, messages, reason, at };
}

/** Notifies an account that the SRI has refused a document, in the transaction that stores it. */
export async function notifyRefusal(
  tables: Tables,
  { type, document, messages, reason, at }: DocumentRefusal,
  parts: PublishingDeps,
): Promise<void> {
  const params = (language: Language) => ({ reason: reason(language) });
  await notifyOfDocument(tables, { type, severity: 'ERROR', document, at, params }, parts, (language) => ({
    messages: messages.map(toSriMessageBody),
    advice: messages.map((message) => toAdvice(message, language)),
  }));
}

// --- internal ---

/** The SRI sends one or two; an answer may hold a hundred. */
const MOST_MESSAGES = 20;
const MOST_REASON = 500;
const NO_REASON: LocalizedText = { es: 'El SRI no indicó el motivo.', en: 'The SRI gave no reason.' };

const TYPE_OF: Readonly<Partial<Record<string, RefusalType>>> = {
  RETURNED: 'DOCUMENT_RETURNED',
  NOT_AUTHORIZED: 'DOCUMENT_NOT_AUTHORIZED',
};
