import { ConcurrentChangeError, DocumentNotFoundError } from '../errors.js';
import type { ClaimedJob, Counter, DocumentChange, JobLease, Scope, Storage, StoredDocument } from '../storage.js';
import type { LifecycleContext } from './context.js';
import { announce, type NewEvent, type NewResponse, withIds } from './history.js';

/** The change that a use case decides, given the current document. */
export type ChangeDecision = Omit<DocumentChange, 'document' | 'at' | 'events' | 'responses' | 'takes'> & {
  readonly events: readonly NewEvent[];
  readonly responses?: readonly NewResponse[];
  /** Receives the new job, claimed in the same commit. Only for a document without a job. */
  readonly run?: (claimed: ClaimedJob) => void;
  /** Commits the change instead of the storage. */
  readonly commit?: Storage['changeDocument'] | undefined;
};

/** The change for a document that gets another number; it depends on the number. */
export interface Renumbering {
  readonly counter: Counter;
  /** It must not use the storage: other callers may have to wait for it. */
  readonly under: (sequential: number) => Promise<ChangeDecision>;
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
 * Changes a document by compare-and-set: reads it, lets `decide` choose the change, and commits. After a lost race it
 * repeats the round; after several lost counter races it locks the counter. `decide` throws to reject, and returns null to
 * leave the document unchanged.
 *
 * @returns the document afterwards. A lost lease changes nothing.
 * @throws DocumentNotFoundError; ConcurrentChangeError when other changes keep winning.
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
 * As `changeDocument`, for a claimed document, which has rarely changed since the claim. It uses the claimed copy, and reads
 * the document only after a failed commit.
 *
 * @param decide also decides the next state of the job.
 */
export function changeClaimed(
  context: LifecycleContext,
  claimed: StoredDocument,
  decide: Decide,
): Promise<StoredDocument> {
  return carryOut(context, { scope: claimed, accessKey: claimed.accessKey, claimed }, decide);
}

// --- internal ---

/** Decides the change for the current document. */
type Decide = (document: StoredDocument, now: Date) => ChangeRequest | null | Promise<ChangeRequest | null>;

/** Each lost round means progress of another caller, so a few rounds are enough. */
const ROUNDS = 12;

/**
 * Lost number races before the counter is locked while signing. A caller that moves the counter in a loop would otherwise
 * win every race.
 */
const PATIENCE = 3;

type ChangeRequest = ChangeDecision | Renumbering;

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
    const request = await decide(document, now);
    if (!request) return document;
    const { outcome, change, lease } = await commit(context, request, { document, now, isKept: racesLost >= PATIENCE });
    if (outcome === 'counterMoved') racesLost += 1;
    if (outcome === 'leaseLost' && !claimed) {
      context.logger.warn({ documentId: document.id, accessKey }, 'another worker took over; this result is dropped');
      return document;
    }
    if (outcome === 'applied' && change) {
      const after = documentAfter(change, lease);
      announce(context, after, change.events);
      if (lease && change.job && 'run' in request) request.run?.({ lease, job: change.job, document: after });
      return after;
    }
    claimed = null;
  }
  throw new ConcurrentChangeError('The document kept changing while this was done; try again.');
}

/** The document after its change. Its job is that of the change, or else the one it had. */
function documentAfter({ document, set, job, at }: DocumentChange, lease: JobLease | undefined): StoredDocument {
  return {
    ...document,
    ...set,
    updatedAt: at,
    revision: document.revision + 1,
    job: job === undefined ? document.job : job && { ...job, running: lease !== undefined },
  };
}

interface Committed {
  readonly outcome: Awaited<ReturnType<LifecycleContext['storage']['changeDocument']>>;
  /** Undefined when there was no change. */
  readonly change: DocumentChange | undefined;
  /** The lease of the new job, for a change that runs it. */
  readonly lease?: JobLease;
}

async function commit(
  { storage, schedule }: LifecycleContext,
  request: ChangeRequest,
  { document, now: at, isKept }: { readonly document: StoredDocument; readonly now: Date; readonly isKept: boolean },
): Promise<Committed> {
  const changed = { id: document.id, revision: document.revision + 1 };
  const whole = ({ events, responses = [], ...decision }: ChangeDecision): DocumentChange => ({
    ...decision,
    document,
    at,
    events: withIds(changed, 'event', events),
    responses: withIds(changed, 'response', responses),
  });
  if (!('under' in request)) {
    const { run, commit = (change: DocumentChange) => storage.changeDocument(change), ...decision } = request;
    const change = whole(decision);
    const { job } = change;
    if (!run || !job) return { outcome: await commit(change), change };
    const lease = await storage.changeAndClaim({ ...change, job }, schedule.leaseMs);
    return lease === 'stale' ? { outcome: lease, change } : { outcome: 'applied', change, lease };
  }
  const { counter, under } = request;
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
