import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type {
  Counter,
  DocumentFilter,
  Job,
  Scope,
  SriResponse,
  Storage,
  StoredDocument,
  WalkCursor,
} from '../../storage.js';
import { SAMPLE_TIME } from '../sample-documents.js';

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

/**
 * Repeats an attempt until it has a result, as after a lost race for a number. Its limit ends a case on a storage that
 * accepts no attempt: an endless loop would hold up the test runner's own time limit.
 */
export async function repeat<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  return assert.fail('The counter moved before each of 1000 tries. Each `open` of a case has to give the same data.');
}

/** A case on one storage. Its `open` opens another storage over the same data. */
export function onStorage(
  name: string,
  check: (storage: Storage, open: () => Promise<Storage>) => Promise<void>,
): ConformanceCase {
  return { name, run: async (open) => check(await open(), open) };
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

/** An answer of the SRI to a submission. */
export function sampleResponse(fields: Partial<SriResponse> = {}): SriResponse {
  const received = { operationType: 'RECEPTION', status: 'RECIBIDA', messages: null, createdAt: SAMPLE_TIME } as const;
  return { id: randomUUID(), ...received, ...fields };
}

/** The ids that a walk finds, and its steps. */
export async function walk(storage: Storage, scope: Scope, filter: DocumentFilter) {
  const ids: string[] = [];
  let steps = 0;
  let place: WalkCursor | null = null;
  do {
    const { documents, next } = await storage.walkDocuments(scope, filter, place);
    ids.push(...documents.map(({ id }) => id));
    steps += 1;
    place = next;
  } while (place);
  return { ids, steps };
}

/** The scope with another issuer, and in the other environment. */
export function strangersOf(scope: Scope): readonly Scope[] {
  const environment = scope.environment === 'sandbox' ? 'production' : 'sandbox';
  return [
    { ...scope, issuerId: `${scope.issuerId} 2` },
    { ...scope, environment },
  ];
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
