import { ConcurrentChangeError, DocumentNotFoundError } from '../errors.js';
import type { DocumentChange, Scope, StoredDocument } from '../storage.js';
import type { LifecycleContext } from './context.js';
import { announce } from './history.js';

/** What a use case wants changed, once it has seen the document as it stands. */
export type Decision = Omit<DocumentChange, 'document' | 'at' | 'events' | 'responses'> &
  Partial<Pick<DocumentChange, 'events' | 'responses'>>;

/** The document of that key. @throws DocumentNotFoundError */
export async function requireDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
): Promise<StoredDocument> {
  const document = await context.storage.findDocument(scope, accessKey);
  if (!document) throw new DocumentNotFoundError('There is no document with that access key.');
  return document;
}

/**
 * Changes a document by compare-and-set: reads it, lets `decide` say what should happen to it as it stands, commits,
 * and does so again when somebody else was faster. `decide` throws to refuse, and returns null to leave it alone.
 *
 * @returns the document afterwards, and whether it was changed. A lost lease changes nothing.
 * @throws DocumentNotFoundError; ConcurrentChangeError when others kept being faster.
 */
export async function changeDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  decide: (document: StoredDocument, now: Date) => Decision | null | Promise<Decision | null>,
): Promise<{ readonly document: StoredDocument; readonly changed: boolean }> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const document = await requireDocument(context, scope, accessKey);
    const now = context.clock.now();
    const decision = await decide(document, now);
    if (!decision) return { document, changed: false };
    const events = decision.events ?? [];
    const outcome = await context.storage.changeDocument({
      ...decision,
      document,
      events,
      responses: decision.responses ?? [],
      at: now,
    });
    if (outcome === 'leaseLost') {
      context.logger.warn({ documentId: document.id, accessKey }, 'another worker took over; this result is dropped');
      return { document, changed: false };
    }
    if (outcome === 'applied') {
      const after = await requireDocument(context, scope, decision.set.accessKey ?? document.accessKey);
      announce(context, after, events);
      return { document: after, changed: true };
    }
  }
  throw new ConcurrentChangeError('The document kept changing while this was done; try again.');
}

// --- internal ---

/** Each lost round means that somebody else got something done, so a handful is plenty. */
const ROUNDS = 12;
