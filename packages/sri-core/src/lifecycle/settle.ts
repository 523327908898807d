import { InvalidTransitionError } from '../errors.js';
import type { StoredDocument } from '../storage.js';
import { requireDocument } from './change.js';
import type { JobSlot, LifecycleContext } from './context.js';
import { queueSend } from './send.js';
import type { Worker } from './worker.js';

/**
 * Sends a new document and runs its jobs here until none is left or the time is up. A silent SRI holds an attempt for two
 * minutes: it goes on after the time is up.
 *
 * @param issued.deadline on the clock of the context, in milliseconds. @returns the document then.
 */
export async function sendAndSettle(
  context: LifecycleContext,
  worker: Worker,
  { document, deadline }: { readonly document: StoredDocument; readonly deadline: number },
): Promise<StoredDocument> {
  const { clock } = context;
  const { stops } = worker;
  const isNew = document.status === 'SIGNED';
  const slot = isNew ? worker.takeSlot(true) : null;
  const queued = isNew ? await queueOnce(context, document, slot) : document;
  const settled = new AbortController();
  const late = clock.sleep(Math.max(0, deadline - clock.now().getTime()), settled.signal);
  const reread = () => requireDocument(context, queued, queued.accessKey);
  const settle = async () => {
    await slot?.ended;
    return runJobs(context, worker, { document: slot ? await reread() : queued, deadline, stops });
  };
  try {
    return await Promise.race([settle(), late.then(reread)]);
  } finally {
    settled.abort(OVER);
  }
}

// --- internal ---

const HELD_ELSEWHERE_MS = 50;

/** The abort reason of a wait that is no longer needed. */
const OVER = 'over';

/** Queues a SIGNED document. Another call under its idempotency key may have queued it since. */
async function queueOnce(
  context: LifecycleContext,
  document: StoredDocument,
  slot: JobSlot | null,
): Promise<StoredDocument> {
  try {
    return await queueSend(context, document, document.accessKey, slot);
  } catch (error) {
    if (!(error instanceof InvalidTransitionError)) throw error;
    return requireDocument(context, document, document.accessKey);
  }
}

/** Runs the document's jobs one after another. @param issued.stops those of the worker when the call began. */
async function runJobs(
  context: LifecycleContext,
  worker: Worker,
  issued: { readonly document: StoredDocument; readonly deadline: number; readonly stops: number },
): Promise<StoredDocument> {
  const { deadline, stops } = issued;
  const { clock, places } = context;
  let current = issued.document;
  while (current.job?.status === 'PENDING' && worker.stops === stops) {
    const waitMs = Number(current.job.dueAt) - clock.now().getTime();
    if (clock.now().getTime() + Math.max(waitMs, 0) >= deadline) break;
    if (waitMs > 0) {
      await clock.sleep(waitMs);
      continue;
    }
    const leave = await places.wait(await context.ownerOf(current.issuerId));
    if (!leave) break;
    const isHeld = await runJobOf(context, worker, current).finally(leave);
    if (isHeld) await clock.sleep(HELD_ELSEWHERE_MS);
    current = await requireDocument(context, current, current.accessKey);
  }
  return current;
}

/** @returns true when another worker holds the job. */
async function runJobOf(
  { storage, clock, schedule }: LifecycleContext,
  worker: Worker,
  document: StoredDocument,
): Promise<boolean> {
  const claimed = await storage.claimJobOf(document, { now: clock.now(), leaseMs: schedule.leaseMs });
  if (claimed) await worker.run(claimed);
  return !claimed;
}
