import { InvalidTransitionError } from '../errors.js';
import type { StoredDocument } from '../storage.js';
import { requireDocument } from './change.js';
import type { JobSlot, LifecycleContext } from './context.js';
import { queueSend } from './send.js';
import type { Worker } from './worker.js';

/** A document that its caller waits for. */
export interface Issued {
  readonly document: StoredDocument;
  /** The slot of its submission, which may have ended; null without one. */
  readonly slot: JobSlot | null;
  /** On the clock of the context, in milliseconds. */
  readonly deadline: number;
  /** The stops of the worker when the call began. */
  readonly stops: number;
}

/**
 * Runs the jobs of a document here until none is left or the time is up. A silent SRI holds an attempt for two minutes: it
 * goes on after the time is up.
 *
 * @returns the document then.
 */
export async function settle(
  context: LifecycleContext,
  worker: Worker,
  { document, slot, deadline, stops }: Issued,
): Promise<StoredDocument> {
  const { clock } = context;
  // A replay may find the document of a create without a send.
  const queued = document.status === 'SIGNED' ? await queueOnce(context, document) : document;
  const settled = new AbortController();
  const late = clock.sleep(Math.max(0, deadline - clock.now().getTime()), settled.signal);
  const reread = () => requireDocument(context, document, document.accessKey);
  const run = async () => {
    await slot?.ended;
    return runJobs(context, worker, { document: slot ? await reread() : queued, deadline, stops });
  };
  try {
    return await Promise.race([run(), late.then(reread)]);
  } finally {
    settled.abort(OVER);
  }
}

// --- internal ---

const HELD_ELSEWHERE_MS = 50;

/** The abort reason of a wait that is no longer needed. */
const OVER = 'over';

/** Queues a SIGNED document. Another call under its idempotency key may have queued it since. */
async function queueOnce(context: LifecycleContext, document: StoredDocument): Promise<StoredDocument> {
  try {
    return await queueSend(context, document, document.accessKey);
  } catch (error) {
    if (!(error instanceof InvalidTransitionError)) throw error;
    return requireDocument(context, document, document.accessKey);
  }
}

/** Runs the document's jobs one after another. */
async function runJobs(
  context: LifecycleContext,
  worker: Worker,
  issued: Pick<Issued, 'document' | 'deadline' | 'stops'>,
): Promise<StoredDocument> {
  const { deadline, stops } = issued;
  const { clock, slots: places } = context;
  let current = issued.document;
  while (current.job?.status === 'PENDING' && worker.stops === stops) {
    const waitMs = Number(current.job.dueAt) - clock.now().getTime();
    if (clock.now().getTime() + Math.max(waitMs, 0) >= deadline) break;
    if (waitMs > 0) {
      await worker.waitForJob(waitMs);
      continue;
    }
    const leave = await places.wait(await context.ownerOf(current.issuerId));
    if (!leave) break;
    const hasRun = await worker.runJobOf(current, stops).finally(leave);
    if (!hasRun) await clock.sleep(HELD_ELSEWHERE_MS);
    current = await requireDocument(context, current, current.accessKey);
  }
  return current;
}
