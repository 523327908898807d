import assert from 'node:assert/strict';
import type { Counter, Job, Scope, Storage, StoredDocument } from '../../storage.js';

/** One promise of the storage port, as a test for any runner. */
export interface ConformanceCase {
  readonly name: string;
  /**
   * Throws when the promise is broken.
   *
   * @param open opens a storage over data that is empty at the start of the case. A second call opens a second storage over
   * the same data, like another process. The same object is allowed where data has only one owner.
   */
  run(open: () => Promise<Storage>): Promise<void>;
}

export function invoicesOf(scope: Scope): Counter {
  return { ...scope, documentType: '01' };
}

export function creditNotesOf(scope: Scope): Counter {
  return { ...scope, documentType: '04' };
}

/** A job as the engine makes it. */
export function sampleJob(fields: Partial<Job> = {}): Job {
  return {
    operation: 'SEND',
    status: 'PENDING',
    dueAt: new Date('2026-11-21T12:00:00.000Z'),
    attemptCount: 0,
    lastError: null,
    unconfirmed: false,
    ...fields,
  };
}

/** The current document. */
export async function reread(storage: Storage, document: StoredDocument): Promise<StoredDocument> {
  const found = await storage.findDocument(document, document.accessKey);
  assert(found, 'the document is found');
  return found;
}

/** A moment that many milliseconds after another. */
export function after(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
