import { ConcurrentChangeError, DocumentNotFoundError } from '../errors.js';
import type { Counter, DocumentChange, Scope, StoredDocument } from '../storage.js';
import type { LifecycleContext } from './context.js';
import { announce } from './history.js';

/** What a use case wants changed, once it has seen the document as it stands. */
export type Decision = Omit<DocumentChange, 'document' | 'at' | 'responses' | 'takes'> &
  Partial<Pick<DocumentChange, 'responses'>>;

/** What it wants changed when the document gets another number: that depends on the number. */
export interface Renumbering {
  readonly counter: Counter;
  /** It does not use the storage: others may have to wait for it. */
  readonly under: (sequential: number) => Promise<Decision>;
}

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
 * and does so again when somebody else was faster; whoever loses a counter again and again keeps it from others instead.
 * `decide` throws to refuse, and returns null to leave it alone.
 *
 * @returns the document afterwards. A lost lease changes nothing.
 * @throws DocumentNotFoundError; ConcurrentChangeError when others kept being faster.
 */
export async function changeDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  decide: (document: StoredDocument, now: Date) => Wish | null | Promise<Wish | null>,
): Promise<StoredDocument> {
  let racesLost = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const document = await requireDocument(context, scope, accessKey);
    const now = context.clock.now();
    const wish = await decide(document, now);
    if (!wish) return document;
    const { outcome, told } = await commit(context, wish, { document, now, isKept: racesLost >= PATIENCE });
    if (outcome === 'counterMoved') racesLost += 1;
    if (outcome === 'leaseLost') {
      context.logger.warn({ documentId: document.id, accessKey }, 'another worker took over; this result is dropped');
      return document;
    }
    if (outcome === 'applied') {
      const after = await requireDocument(context, scope, told.accessKey);
      announce(context, after, told.events);
      return after;
    }
  }
  throw new ConcurrentChangeError('The document kept changing while this was done; try again.');
}

// --- internal ---

/** Each lost round means that somebody else got something done, so a handful is plenty. */
const ROUNDS = 12;

/**
 * Races for a number that may be lost before the counter is kept from others while signing. Whoever moves it in a loop
 * would win them all.
 */
const PATIENCE = 3;

type Wish = Decision | Renumbering;

interface Committed {
  readonly outcome: Awaited<ReturnType<LifecycleContext['storage']['changeDocument']>>;
  /** What there is to tell of the change once it is applied. */
  readonly told: { readonly accessKey: string; readonly events: DocumentChange['events'] };
}

async function commit(
  { storage }: LifecycleContext,
  wish: Wish,
  { document, now: at, isKept }: { readonly document: StoredDocument; readonly now: Date; readonly isKept: boolean },
): Promise<Committed> {
  let told: Committed['told'] = { accessKey: document.accessKey, events: [] };
  const whole = (decision: Decision): DocumentChange => {
    told = { accessKey: decision.set.accessKey ?? document.accessKey, events: decision.events };
    return { responses: [], ...decision, document, at };
  };
  if (!('under' in wish)) return { outcome: await storage.changeDocument(whole(wish)), told };
  const { counter, under } = wish;
  const build = async (sequential: number): Promise<DocumentChange> => ({
    ...whole(await under(sequential)),
    takes: { counter, sequential },
  });
  const outcome = isKept
    ? await storage.changeUnderLock(counter, build)
    : await storage.changeDocument(await build(await storage.nextSequential(counter)));
  return { outcome, told };
}
