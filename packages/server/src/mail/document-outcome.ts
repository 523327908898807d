import {
  ConcurrentChangeError,
  DocumentNotFoundError,
  type Engine,
  historyId,
  mailAddresses,
  type StoredDocument,
} from 'sri-core';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import type { MailedDocument } from './outbox-mail.js';

/** Dependencies of writing a mail's result into its document. */
export interface DocumentOutcomeDeps extends WriteDeps {
  readonly engine: Engine;
}

/** The result of a mail, for its document. */
export interface DocumentOutcome {
  /** An entry of the document's history; absent for no entry. */
  readonly event?: { readonly type: string; readonly detail: Readonly<Record<string, unknown>> };
  /** The new state of the mail, given the current document; null leaves it. */
  readonly mail: (
    document: StoredDocument,
    now: Date,
  ) => StoredDocument['mail'] | null | Promise<StoredDocument['mail'] | null>;
}

/** Whether a document shows the state of the mail to an address, which is the first of its recipients. */
export function isTheMailOf(document: StoredDocument, recipient: string): boolean {
  return mailAddresses(document)[0] === recipient;
}

/**
 * Writes a mail's result into its document and, in the same commit, into the outbox. The rest of the document is
 * unchanged.
 *
 * @param mark updates the outbox; false when another worker has taken the mail since, and then nothing is written.
 * @returns whether it was written.
 */
export async function recordOnDocument(
  parts: DocumentOutcomeDeps,
  about: MailedDocument,
  { event, mail }: DocumentOutcome,
  mark: (tables: Tables) => Promise<boolean>,
): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const document = await find(parts.engine, about);
    if (!document) return parts.database.transaction(mark);
    const now = parts.clock.now();
    const next = await mail(document, now);
    const events = event
      ? [
          {
            id: historyId(document.id, 'event', { revision: document.revision + 1, position: 0 }),
            eventType: event.type,
            fromStatus: null,
            toStatus: null,
            detail: event.detail,
            createdAt: now,
          },
        ]
      : [];
    try {
      const outcome = await parts.database.changeDocument(
        { document, set: next ? { mail: next } : {}, events, responses: [], at: now },
        async (tables) => {
          if (!(await mark(tables))) throw new MailTakenOver();
        },
      );
      if (outcome === 'applied') return true;
    } catch (error) {
      if (error instanceof MailTakenOver) return false;
      throw error;
    }
  }
  throw new ConcurrentChangeError('The document kept changing while its mail was recorded.');
}

// --- internal ---

const ROUNDS = 12;

/** Rolls the commit back. */
class MailTakenOver extends Error {}

async function find(engine: Engine, about: MailedDocument): Promise<StoredDocument | null> {
  try {
    return await engine.get(about, about.accessKey);
  } catch (error) {
    if (error instanceof DocumentNotFoundError) return null;
    throw error;
  }
}
