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
export function changeDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  decide: Decide,
): Promise<StoredDocument> {
  return carryOut(context, { scope, accessKey, claimed: null }, decide);
}

/**
 * As `changeDocument`, for a document that came with a claim and has hardly ever changed since: it is taken as it came,
 * and read only when the commit finds that it has.
 *
 * @param decide says what becomes of the job, too.
 */
export function changeClaimed(
  context: LifecycleContext,
  claimed: StoredDocument,
  decide: Decide,
): Promise<StoredDocument> {
  return carryOut(context, { scope: claimed, accessKey: claimed.accessKey, claimed }, decide);
}

// --- internal ---

/** What a use case says should happen to the document as it stands. */
type Decide = (document: StoredDocument, now: Date) => Wish | null | Promise<Wish | null>;

/** Each lost round means that somebody else got something done, so a handful is plenty. */
const ROUNDS = 12;

/**
 * Races for a number that may be lost before the counter is kept from others while signing. Whoever moves it in a loop
 * would win them all.
 */
const PATIENCE = 3;

type Wish = Decision | Renumbering;

async function carryOut(
  context: LifecycleContext,
  about: { readonly scope: Scope; readonly accessKey: string; readonly claimed: StoredDocument | null },
  decide: Decide,
): Promise<StoredDocument> {
  const { scope, accessKey } = about;
  let { claimed } = about;
  let racesLost = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const document = claimed ?? (await requireDocument(context, scope, accessKey));
    const now = context.clock.now();
    const wish = await decide(document, now);
    if (!wish) return document;
    const { outcome, change } = await commit(context, wish, { document, now, isKept: racesLost >= PATIENCE });
    if (outcome === 'counterMoved') racesLost += 1;
    if (outcome === 'leaseLost' && !claimed) {
      context.logger.warn({ documentId: document.id, accessKey }, 'another worker took over; this result is dropped');
      return document;
    }
    if (outcome === 'applied' && change) {
      const { set, events } = change;
      const after = claimed
        ? documentAfter(change)
        : await requireDocument(context, scope, set.accessKey ?? document.accessKey);
      announce(context, after, events);
      return after;
    }
    claimed = null;
  }
  throw new ConcurrentChangeError('The document kept changing while this was done; try again.');
}

/** A document as a change of a claimed one has left it. */
function documentAfter({ document, set, job, at }: DocumentChange): StoredDocument {
  return {
    ...document,
    ...set,
    updatedAt: at,
    revision: document.revision + 1,
    job: job ? { ...job, running: false } : null,
  };
}

interface Committed {
  readonly outcome: Awaited<ReturnType<LifecycleContext['storage']['changeDocument']>>;
  /** Undefined when it did not come to one. */
  readonly change: DocumentChange | undefined;
}

async function commit(
  { storage }: LifecycleContext,
  wish: Wish,
  { document, now: at, isKept }: { readonly document: StoredDocument; readonly now: Date; readonly isKept: boolean },
): Promise<Committed> {
  const whole = (decision: Decision): DocumentChange => ({ responses: [], ...decision, document, at });
  if (!('under' in wish)) {
    const change = whole(wish);
    return { outcome: await storage.changeDocument(change), change };
  }
  const { counter, under } = wish;
  const built: { change?: DocumentChange } = {};
  const build = async (sequential: number): Promise<DocumentChange> => {
    built.change = { ...whole(await under(sequential)), takes: { counter, sequential } };
    return built.change;
  };
  const outcome = isKept
    ? await storage.changeUnderLock(counter, build)
    : await storage.changeDocument(await build(await storage.nextSequential(counter)));
  return { outcome, change: built.change };
}
